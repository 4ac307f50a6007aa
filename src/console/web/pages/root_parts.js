/** Facts, archive and history of roots. */

import { actButton } from "../core/act.js";
import { h } from "../core/dom.js";
import { t, timeText } from "../core/text.js";
import { comparedField } from "../fields/compared_field.js";
import { ago, parts } from "../fields/shown_value.js";
import { changeName, historyPage } from "./history_page.js";

/** @typedef {{ page: string, api: string }} Place Paths in the console and in the API. */

/** @param {{ revision: number, createdAt: string, updatedAt: string }} root */
export function rootFacts({ revision, createdAt, updatedAt }) {
  const values = { revision, created: ago(createdAt), updated: ago(updatedAt) };
  return h("p", { class: "quiet small" }, parts("facts", values));
}

/** @param {{ archivedAt: string | null }} root */
export function archivedNote({ archivedAt }) {
  return archivedAt !== null &&
    h("p", { class: "note" }, t("isArchived", { time: timeText(archivedAt) }));
}

/**
 * @param {import("../core/session.js").Session} session
 * @param {{ archivedAt: string | null, revision: number }} root
 * @param {Place} place
 */
export function archiveButton(session, { archivedAt, revision }, { page, api }) {
  const isArchived = archivedAt !== null;
  return actButton(session, {
    path: `${api}/${isArchived ? "restore" : "archive"}`,
    name: t(isArchived ? "restore" : "archive"),
    done: t(isArchived ? "restored" : "archived"),
    body: { expectedRevision: revision },
    page,
  });
}

export function archivedViews() {
  return {
    name: "archived",
    views: [
      { value: "exclude", text: t("currentItems") },
      { value: "only", text: t("archivedItems") },
    ],
  };
}

/**
 * History of an object with flat fields, changed by `set` and `remove`.
 *
 * @param {import("../pages.js").Visit} visit
 * @param {Place & {
 *   nameOf: (state: any) => string,
 *   fields: readonly (import("../core/catalog.js").CatalogField & { text?: (state: any) => string })[],
 *   isFixed?: boolean,
 *   fixed?: readonly string[],
 *   nameOfChange?: (change: string) => string,
 *   earlier?: (revision: number) => string,
 * }} thing `text` shows a field whose form in answers differs; fixed objects and fields cannot be restored.
 */
export function thingHistory(visit, { page, api, nameOf, fields, ...rest }) {
  const { isFixed = false, fixed = [], nameOfChange = changeName } = rest;
  return historyPage(visit, {
    page,
    api,
    nameOf,
    changeName: nameOfChange,
    earlier: rest.earlier ?? ((revision) => `${api}?revision=${revision}`),
    fields: fields.map(({ text, ...field }) => ({
      ...comparedField(field, (state) => state[field.name] ?? undefined),
      ...(text !== undefined && { text, shown: text }),
    })),
    undo(field, former) {
      if (isFixed || fixed.includes(field)) return null;
      const value = former[field] ?? null;
      const body = value === null ? { remove: [field] } : { set: { [field]: value } };
      return { method: "PATCH", path: api, body };
    },
  });
}

/**
 * The newest items, with a link to all.
 *
 * @param {string} title
 * @param {any} found
 * @param {string} all
 * @param {{
 *   add?: Element | false,
 *   isLong?: boolean,
 *   line: (item: any, index: number) => Element,
 * }} parts `isLong` if a line has more than a title and facts.
 */
export function listSection(
  title,
  { items, nextCursor },
  all,
  { add = false, isLong = false, line },
) {
  return h(
    "section",
    {},
    h("h2", {}, title),
    items.length === 0
      ? h("p", { class: "quiet" }, t("noneYet"))
      : h("ul", { class: isLong ? "lines entries" : "lines" }, items.map(line)),
    h(
      "div",
      { class: "bar" },
      add,
      nextCursor !== null && h("a", { href: all }, t("allOf", { name: title })),
    ),
  );
}
