/** Lists of lines: a name, small facts below it, and what can be done with it. */

import { h } from "../core/dom.js";
import { t } from "../core/text.js";

/** @typedef {import("../core/dom.js").Child} Child */

/**
 * @param {readonly Child[]} name
 * @param {readonly Child[]} facts Those that are missing are left out.
 * @param {...Child} beside
 */
export function line(name, facts, ...beside) {
  const shown = facts.filter((fact) => fact !== null && fact !== undefined && fact !== false);
  const parts = shown.flatMap((fact, index) => index === 0 ? [fact] : [" · ", fact]);
  const below = h("div", { class: "quiet small" }, parts);
  return h("li", {}, h("div", {}, h("div", {}, name), below), ...beside);
}

/**
 * @param {readonly HTMLLIElement[]} items
 * @param {string} none What stands in the place of an empty list.
 */
export function lines(items, none) {
  return items.length === 0 ? h("p", { class: "quiet" }, none) : h("ul", { class: "lines" }, items);
}

/**
 * A link to what is older; nothing behind the last page.
 *
 * @param {string} path
 * @param {string | null} cursor
 * @param {Readonly<Record<string, string>>} [query]
 */
export function older(path, cursor, query = {}) {
  if (cursor === null) return null;
  const address = `${path}?${new URLSearchParams({ ...query, cursor })}`;
  return h("p", {}, h("a", { href: address }, t("older")));
}

/**
 * The query of a page of the API, for a visited page's own.
 *
 * @param {URLSearchParams} visited
 * @param {Readonly<Record<string, string>>} [query]
 */
export function pageQuery(visited, query = {}) {
  const cursor = visited.get("cursor");
  return new URLSearchParams({ ...query, ...(cursor !== null && { cursor }) });
}
