/** Lists that extend by pages. */

import { latest } from "../../core/acts/typing.js";
import { hasCode } from "../../core/base/api.js";
import { fill, h, link } from "../../core/base/elements.js";
import { loadArea, t, textOf } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { moduleOfPath, modulePath, toneOf } from "../../core/names.js";
import { listControls } from "./controls.js";
import { emptyPlace } from "./empty.js";
import { lineGroups } from "./groups.js";
import { chosenOrder, keepOrder, NEWEST, orderChoice } from "./order.js";

const PAGE = 50;

/** Pages that a return to the list reads again. */
const MAX_PAGES = 10;

/** @param {URLSearchParams} query @param {Listed} listed */
export async function listPage(query, listed) {
  const { title, filter, above, below, isLong = false, line, add } = listed;
  const { page = location.pathname, orders = [] } = listed;
  const { name = "", views = [] } = filter ?? {};
  const view = (views.find(({ value }) => value === query.get(name)) ?? views[0])?.value ?? "";
  const isArchive = name === "archived" && view === "only";
  const { none = t(isArchive ? "noneArchived" : "noneYet") } = listed;
  const asked = { ...(view !== "" && { [name]: view }), ...listed.alsoAsked };
  const lines = lineGroups(isLong);
  const [top, note, empty, end] = [h("div"), h("p.quiet", { role: "status" }), h("div"), h("div")];
  /** @type {ListReading} */
  let reading;
  const append = (/** @type {readonly any[]} */ items) => {
    const begin = reading.items.length;
    reading.items.push(...items);
    fill(top, above?.(reading.items, reading.order));
    fill(end, below?.(reading.items));
    const added = items.map((item, index) => line(item, begin + index));
    for (const [index, line] of added.entries()) lines.append(items[index], line);
    more.hidden = !reading.reader.hasMore();
    more.textContent = reading.reader.moreText();
    return added[0];
  };
  const begin = async (/** @type {BegunList} */ begun) => {
    reading = { ...begun, items: [] };
    lines.begin(begun.order);
    append(begun.items);
    note.textContent = begun.isUnordered ? t("orderUnready") : "";
    fill(empty, begun.items.length === 0 && await noItems(none, page));
  };
  const onclick = async () => {
    const first = append(await readOn(reading, listed));
    keepPages(reading.pages);
    const focused = first?.querySelector("a, button, summary");
    if (focused instanceof HTMLElement) focused.focus();
  };
  const more = h("button.further", { onclick });
  const chosen = chosenOrder(orders, page, query);
  const before = Math.min(MAX_PAGES, Number(query.get("pages")) || 1);
  await begin(await beginList(listed, asked, chosen, before));
  const reorder = latest(
    (/** @type {ListOrder} */ order) => beginList(listed, asked, order, 1),
    begin,
    (isWaiting) => note.textContent = isWaiting ? t("loading") : "",
  );
  const choose = async (/** @type {ListOrder} */ order) => {
    keepOrder(page, query, order);
    await reorder(order);
  };
  const lineOf = (/** @type {any} */ made) => {
    reading.items.unshift(made);
    fill(top, above?.(reading.items, reading.order));
    fill(end, below?.(reading.items));
    fill(empty);
    const shown = line(made, 0);
    // After it has replaced the line that was on its way.
    queueMicrotask(() => lines.add(made, shown, !reading.reader.hasMore()));
    return shown;
  };
  const adding = add && addingLine(add, { lines: lines.first, lineOf }, () => reading.items);
  const order = orders.length > 1 && orderChoice(orders, chosen, choose);
  return {
    title,
    body: [
      await adding,
      ...listControls(listed, view, page, order),
      top,
      note,
      lines.element,
      empty,
      h("p", more),
      end,
    ],
  };
}

/**
 * The first pages. While the service prepares an order, they are the newest.
 * @type {(listed: Listed, asked: Texts, order: ListOrder | undefined, pages: number) =>
 *   Promise<BegunList>}
 */
async function beginList(listed, asked, order, pages) {
  const reading = { order, reader: readerOf(listed, asked, order), pages: 0 };
  try {
    const items = [];
    do items.push(...await readOn(reading, listed)); while (
      reading.pages < pages && reading.reader.hasMore()
    );
    return { ...reading, items, isUnordered: false };
  } catch (error) {
    const newest = listed.orders?.find(({ value }) => value === NEWEST);
    if (order === newest || !hasCode(error, "HTTP_503")) throw error;
    return { ...await beginList(listed, asked, newest, pages), isUnordered: true };
  }
}

/**
 * The next items that fit, from as many pages as that takes.
 * @param {Omit<ListReading, "items">} reading @param {Listed} listed
 */
async function readOn(reading, listed) {
  const { fits = listed.fits ?? (() => true), atLeast = 1 } = reading.order ?? {};
  const found = [];
  do {
    found.push(...(await reading.reader.next()).filter(fits));
    reading.pages++;
  } while (found.length < atLeast && reading.reader.hasMore());
  return found;
}

/** @param {Listed} listed @param {Texts} chosen @param {ListOrder | undefined} order */
function readerOf({ api, either = [{}] }, chosen, order) {
  /** @param {ListPart} part */
  const readerOfPart = ({ either, asked, compare = () => 0 }) => {
    const lists = either.map((one) => async (/** @type {string | null} */ cursor) => {
      const sent = { limit: String(PAGE), ...chosen, ...asked, ...one };
      return await get(`${api}?${new URLSearchParams({ ...sent, ...(cursor && { cursor }) })}`);
    });
    return mergedPages(lists, compare, PAGE);
  };
  const first = readerOfPart({ either, asked: {}, ...order, ...order?.first });
  const rest = order?.rest && readerOfPart(order.rest);
  return {
    hasMore: () => first.hasMore() || rest?.hasMore() === true,
    next: () => first.hasMore() || rest === undefined ? first.next() : rest.next(),
    moreText: () => first.hasMore() ? t("showMore") : order?.rest?.text ?? t("showMore"),
  };
}

/** A return to the page finds as many lines. @param {number} pages */
function keepPages(pages) {
  const address = new URL(location.href);
  address.searchParams.set("pages", String(pages));
  history.replaceState(history.state, "", address);
}

/** Drawings of empty lists, by group of kinds. */
const DRAWINGS_OF_GROUPS =
  /** @type {const} */ (["pair", "mirror", "hill", "bulb", "pictures", "lighthouse"]);

/** The list of a module states its purpose. @param {string} none @param {string} page */
async function noItems(none, page) {
  const code = moduleOfPath(page) ?? "";
  if (none !== t("noneYet") || modulePath(code) !== page) return emptyPlace("nothing", none);
  await loadArea("modules");
  const example = textOf(`example.${code}`, "");
  return emptyPlace(
    DRAWINGS_OF_GROUPS[toneOf(code)] ?? "nothing",
    `${none} ${textOf(`purpose.${code}`, "")}`,
    example !== "" && h("p.quiet", t("forExample", { example })),
  );
}

/**
 * The line above a list; a link to the form if it cannot be loaded.
 * @param {AddedTo} added @param {MadeIn} made @param {() => readonly any[]} itemsOf
 */
async function addingLine({ list, measureOf }, made, itemsOf) {
  const load = [import("../../fields/add_line/lists.js"), loadArea("add_line")];
  const [loaded] = await Promise.all(load).catch(() => []);
  if (loaded === undefined) return link(`${modulePath(list)}/new`, t("newRecord"), "main");
  return loaded.listLine({ list, measure: measureOf && (() => measureOf(itemsOf())) }, made);
}

/**
 * Reads lists that share an order as one. A single list is read page by page.
 * @param {readonly ReadPage[]} lists
 * @param {Order} compare
 * @param {number} limit
 */
export function mergedPages(lists, compare, limit) {
  /** @type {ListState[]} */
  const states = lists.map((read) => ({ read, items: [], cursor: null, isOver: false }));
  const fetch = async (/** @type {ListState} */ state) => {
    const { items, nextCursor } = await state.read(state.cursor);
    state.items.push(...items);
    state.cursor = nextCursor;
    state.isOver = nextCursor === null;
  };
  return {
    hasMore: () => states.some(({ items, isOver }) => items.length > 0 || !isOver),
    async next() {
      const [only, other] = states;
      if (only !== undefined && other === undefined) {
        await fetch(only);
        return only.items.splice(0);
      }
      const page = [];
      while (page.length < limit) {
        const waiting = states.filter(({ items, isOver }) => items.length === 0 && !isOver);
        await Promise.all(waiting.map(fetch));
        if (waiting.length > 0) continue;
        const [first] = states.filter(({ items }) => items.length > 0)
          .sort((one, other) => compare(one.items[0], other.items[0]));
        if (first === undefined) break;
        page.push(first.items.shift());
      }
      return page;
    },
  };
}
