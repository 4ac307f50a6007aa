/** The order of a list, which is kept on this device. */

import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { session, storage } from "../../core/base/session.js";
import { newId } from "../../fields/controls/rows.js";

/** The order of a list without `sort`. */
export const NEWEST = "-createdAt";

/** @param {string} page */
function storedName(page) {
  return `order:${session().account.accountId}:${page}`;
}

/** @param {string} value A `sort` of the API. @param {string} text @returns {ListOrder} */
export function sortedBy(value, text) {
  return { value, text, asked: { sort: value } };
}

/** @param {Texts} texts By `sort`, the first of the list first. */
export function sortedByOneOf(texts) {
  return Object.entries(texts).map(([value, text]) => sortedBy(value, text));
}

/**
 * The order that the address names, or else the last one that was chosen here, or the first.
 * @param {readonly ListOrder[]} orders @param {string} page @param {URLSearchParams} query
 */
export function chosenOrder(orders, page, query) {
  const named = [query.get("sort"), storage().getItem(storedName(page))]
    .flatMap((name) => orders.filter(({ value }) => value === name));
  return named[0] ?? orders[0];
}

/**
 * @param {readonly ListOrder[]} orders
 * @param {ListOrder | undefined} chosen
 * @param {(order: ListOrder) => unknown} choose
 */
export function orderChoice(orders, chosen, choose) {
  const options = orders.map((order) =>
    h("option", { value: order.value, selected: order === chosen }, order.text)
  );
  const onchange = () => {
    const order = orders[select.selectedIndex];
    if (order !== undefined) void choose(order);
  };
  const select = h("select", { id: newId(), onchange }, options);
  const name = h("span.unseen", t("order"));
  return h("div.act.order", h("label", { for: select.id }, icon("order"), name), select);
}

/** The list begins in this order from now on. @type {KeepOrder} */
export function keepOrder(page, query, { value }) {
  storage().setItem(storedName(page), value);
  // Other controls of the page lead on from the same query.
  for (const name of ["sort", "pages"]) query.delete(name);
  const rest = query.size > 0 ? `?${query}` : "";
  history.replaceState(history.state, "", location.pathname + rest);
}
