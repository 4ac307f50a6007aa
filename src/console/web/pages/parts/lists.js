/** Lists that extend by pages. */

import { fill, h, link } from "../../core/base/elements.js";
import { loadArea, t, textOf } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { moduleOfPath, modulePath } from "../../core/names.js";
import { fold } from "../../fields/controls/forms.js";

const PAGE = 50;

/** Pages that a return to the list reads again. */
const MAX_PAGES = 10;

/** @param {URLSearchParams} query @param {Listed} listed */
export async function listPage(query, listed) {
  const { title, filter, beside = [], after = [], above, isLong = false, line, add, fits } = listed;
  const { name = "", views = [] } = filter ?? {};
  const view = (views.find(({ value }) => value === query.get(name)) ?? views[0])?.value ?? "";
  const { page = location.pathname } = listed;
  const reader = readerOf(listed, view === "" ? {} : { [name]: view });
  /** @type {any[]} */
  const items = [];
  let pages = 0;
  const list = h("ul", { class: isLong ? "lines entries" : "lines" });
  const lineOf = (/** @type {any} */ made) => {
    items.unshift(made);
    return line(made, 0);
  };
  const adding = add && addingLine(add, { lines: list, lineOf }, items);
  const top = h("div");
  const extend = async () => {
    const begin = items.length;
    do {
      const found = await reader.next();
      items.push(...fits === undefined ? found : found.filter(fits));
      pages++;
    } while (items.length === begin && reader.hasMore());
    fill(top, above?.(items));
    list.append(...items.slice(begin).map((item, index) => line(item, begin + index)));
    more.hidden = !reader.hasMore();
    return list.children[begin];
  };
  const onclick = async () => {
    const focused = (await extend())?.querySelector("a, button, summary");
    keepPages(pages);
    if (focused instanceof HTMLElement) focused.focus();
  };
  const more = h("button", { onclick }, t("showMore"));
  const before = Math.min(MAX_PAGES, Number(query.get("pages")) || 1);
  do await extend(); while (pages < before && reader.hasMore());
  const folded = [...filter ? [viewsBar(filter, view, page, listed.narrowed)] : [], ...after];
  const isArchive = name === "archived" && view === "only";
  const { none = t(isArchive ? "noneArchived" : "noneYet") } = listed;
  return {
    title,
    body: [
      await adding,
      h("div.bar.controls", ...beside, ...(filter?.areTabs ? folded : fold(folded))),
      top,
      list,
      items.length === 0 && await noItems(none, page),
      h("p", more),
    ],
  };
}

/** @param {Listed} listed @param {Texts} chosen The condition of the view. */
function readerOf({ api, alsoAsked = {}, either = [{}], compare = () => 0 }, chosen) {
  const lists = either.map((one) => async (/** @type {string | null} */ cursor) => {
    const asked = { limit: String(PAGE), ...chosen, ...alsoAsked, ...one };
    const sent = new URLSearchParams({ ...asked, ...(cursor !== null && { cursor }) });
    return await get(`${api}?${sent}`);
  });
  return mergedPages(lists, compare, PAGE);
}

/** A return to the page finds as many lines. @param {number} pages */
function keepPages(pages) {
  const address = new URL(location.href);
  address.searchParams.set("pages", String(pages));
  history.replaceState(history.state, "", address);
}

/** @type {(filter: ListFilter, shown: string, page: string, narrowed?: Texts) => Element} */
function viewsBar({ name, views }, shown, page, narrowed = {}) {
  const links = views.map(({ value, text }) =>
    value === shown
      ? h("strong", text)
      : link(`${page}?${new URLSearchParams({ ...narrowed, [name]: value })}`, text)
  );
  return h("div.bar", { role: "group", "aria-label": t("shown") }, links);
}

/** The list of a module states its purpose. @param {string} none @param {string} page */
async function noItems(none, page) {
  const code = moduleOfPath(page) ?? "";
  if (none !== t("noneYet") || modulePath(code) !== page) return h("p.quiet", none);
  await loadArea("modules");
  const example = textOf(`example.${code}`, "");
  return h(
    "div",
    h("p.quiet", none),
    h("p", textOf(`purpose.${code}`, "")),
    example !== "" && h("p.quiet", t("forExample", { example })),
  );
}

/**
 * The line above a list; a link to the form if it cannot be loaded.
 * @param {AddedTo} added @param {MadeIn} made @param {readonly any[]} items
 */
async function addingLine({ list, measureOf }, made, items) {
  const load = [import("../../fields/add_line/lists.js"), loadArea("add_line")];
  const [loaded] = await Promise.all(load).catch(() => []);
  if (loaded === undefined) return link(`${modulePath(list)}/new`, t("newRecord"), "main");
  return loaded.listLine({ list, measure: measureOf && (() => measureOf(items)) }, made);
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
