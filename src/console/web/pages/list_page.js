/** A list, newest first, paged, with views. */

import { send } from "../core/api.js";
import { h } from "../core/dom.js";
import { t } from "../core/text.js";

const PAGE = 50;

/**
 * @typedef {object} Listed
 * @property {string} title
 * @property {string} page
 * @property {string} api
 * @property {{ name: string, views: readonly { value: string, text: string }[] }} [filter] The parameter of
 *   the views, by default the first; empty selects all.
 * @property {Readonly<Record<string, string>>} [narrowed] Further parameters of the address, kept from page
 *   to page.
 * @property {Readonly<Record<string, string>>} [alsoAsked] Further parameters for the API.
 * @property {string} none For an empty list.
 * @property {readonly (Element | false)[]} [beside] Before the views.
 * @property {boolean} [isLong] True if a line has more than a title and facts.
 * @property {(items: readonly any[]) => Element | false} [above] Above the items.
 * @property {(item: any, index: number) => Element} line
 */

/**
 * @param {URLSearchParams} query
 * @param {Listed} listed
 * @returns {Promise<import("../pages.js").Content>}
 */
export async function listPage(query, listed) {
  const { title, page, api, filter, none, beside = [], above, isLong = false, line } = listed;
  const { narrowed = {}, alsoAsked = {} } = listed;
  const wanted = query.get(filter?.name ?? "");
  const view = filter?.views.find(({ value }) => value === wanted) ?? filter?.views[0];
  const chosen = filter && view && view.value !== "" ? { [filter.name]: view.value } : {};
  const cursor = query.get("cursor");
  const asked = new URLSearchParams({ limit: String(PAGE), ...chosen, ...alsoAsked });
  if (cursor !== null) asked.set("cursor", cursor);
  const { data } = await send("GET", `${api}?${asked}`);
  const older = new URLSearchParams({ ...narrowed, ...chosen, cursor: data.nextCursor });
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
  return {
    title,
    body: [
      h(
        "div",
        { class: "bar" },
        ...beside,
        views && h("nav", { class: "bar", "aria-label": t("shown") }, views),
      ),
      above?.(data.items),
      data.items.length === 0
        ? h("p", { class: "quiet" }, none)
        : h("ul", { class: isLong ? "lines entries" : "lines" }, data.items.map(line)),
      data.nextCursor !== null && h("p", {}, h("a", { href: `${page}?${older}` }, t("older"))),
    ],
  };
}
