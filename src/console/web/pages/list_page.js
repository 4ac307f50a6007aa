/** A list, newest first, with views; it grows page by page. */

import { fill, h, loadArea, send, t } from "../core/base.js";
import { moduleOfPath, modulePath } from "../core/names.js";

const PAGE = 50;
/** Pages that a return to the list reads again. */
const MAX_PAGES = 10;

/** @type {(query: URLSearchParams, listed: Listed) => Promise<Content>} */
export async function listPage(query, listed) {
  const { title, page, api, filter, none, beside = [], after = [], above, isLong = false, line } =
    listed;
  const { narrowed = {}, alsoAsked = {}, either = [{}], compare = () => 0 } = listed;
  const wanted = query.get(filter?.name ?? "");
  const view = filter?.views.find(({ value }) => value === wanted) ?? filter?.views[0];
  const chosen = filter && view && view.value !== "" ? { [filter.name]: view.value } : {};
  const reader = mergedPages(
    either.map((one) => async (cursor) => {
      const asked = { limit: String(PAGE), ...chosen, ...alsoAsked, ...one };
      const sent = new URLSearchParams({ ...asked, ...(cursor !== null && { cursor }) });
      return (await send("GET", `${api}?${sent}`)).data;
    }),
    compare,
    PAGE,
  );
  /** @type {any[]} */
  const items = [];
  let pages = 0;
  const list = h("ul", { class: isLong ? "lines entries" : "lines" });
  const top = h("div");
  const extend = async () => {
    const begin = items.length;
    items.push(...await reader.next());
    pages++;
    fill(top, above?.(items));
    list.append(...items.slice(begin).map((item, index) => line(item, begin + index)));
    more.hidden = !reader.hasMore();
  };
  const onclick = async () => {
    const begin = items.length;
    await extend();
    // A return to the page finds as many lines.
    const address = new URL(location.href);
    address.searchParams.set("pages", String(pages));
    history.replaceState(history.state, "", address);
    const focused = list.children[begin]?.querySelector("a, button, summary");
    if (focused instanceof HTMLElement) focused.focus();
  };
  const more = h("button", { onclick }, t("showMore"));
  const before = Math.min(MAX_PAGES, Number(query.get("pages")) || 1);
  do await extend(); while (pages < before && reader.hasMore());
  const views = filter?.views.map(({ value, text }) =>
    h(
      "a",
      {
        href: `${page}?${new URLSearchParams({ ...narrowed, [filter.name]: value })}`,
        "aria-current": value === view?.value && "page",
      },
      text,
    )
  );
  const code = moduleOfPath(page) ?? "";
  const isEmpty = none === t("noneYet") && modulePath(code) === page;
  return {
    title,
    body: [
      h(
        "div.bar",
        ...beside,
        views && h("div.bar", { role: "group", "aria-label": t("shown") }, views),
        ...after,
      ),
      top,
      items.length > 0 ? list : isEmpty ? await emptyText(code) : h("p.quiet", none),
      h("p", more),
    ],
  };
}

/** The purpose of a module, with an example. @param {string} code */
async function emptyText(code) {
  await loadArea("modules");
  const line = t("moduleTexts").split("\n").find((line) => line.startsWith(`${code}|`));
  const [, text, example] = line?.split("|") ?? [];
  return h(
    "div",
    h("p.quiet", t("noneYet")),
    h("p", text),
    example !== undefined && h("p.quiet", t("forExample", { example })),
  );
}

/**
 * Reads lists that share an order as one. A single list is read page by page.
 * @param {readonly ((cursor: string | null) => Promise<ListPage>)[]} lists Null asks for the first page.
 * @param {(one: any, other: any) => number} compare
 * @param {number} limit
 */
export function mergedPages(lists, compare, limit) {
  const states = lists.map((read) => ({
    read,
    items: /** @type {any[]} */ ([]),
    cursor: /** @type {string | null} */ (null),
    isOver: false,
  }));
  const fetch = async (/** @type {typeof states[number]} */ state) => {
    const { items, nextCursor } = await state.read(state.cursor);
    state.items.push(...items);
    state.cursor = nextCursor;
    state.isOver = nextCursor === null;
  };
  const needed = () => states.filter(({ items, isOver }) => items.length === 0 && !isOver);
  return {
    hasMore: () => states.some(({ items, isOver }) => items.length > 0 || !isOver),
    async next() {
      const [only] = states;
      if (only !== undefined && states.length === 1) {
        await fetch(only);
        return only.items.splice(0);
      }
      const page = [];
      while (page.length < limit) {
        for (let open = needed(); open.length > 0; open = needed()) {
          await Promise.all(open.map(fetch));
        }
        const [first] = states.filter(({ items }) => items.length > 0)
          .sort((one, other) => compare(one.items[0], other.items[0]));
        if (first === undefined) break;
        page.push(first.items.shift());
      }
      return page;
    },
  };
}
