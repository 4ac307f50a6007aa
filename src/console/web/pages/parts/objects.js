/** Parts of an object's page. */

import { actButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { notLoaded } from "../../core/base/visits.js";
import { viewsOf } from "../../fields/controls/choices.js";
import { ago, lazyDetails, parts } from "../../fields/shown/files.js";
import { timeText } from "../../fields/shown/times.js";
import { menuButton } from "./menu.js";

/** @param {any} root */
export function rootFacts({ revision, createdAt, updatedAt }) {
  const values = { revision, created: ago(createdAt), updated: ago(updatedAt) };
  return h("p.quiet.small", parts(revision === 1 ? "firstFacts" : "facts", values));
}

/** @param {any} root */
export function archivedNote({ archivedAt }) {
  return archivedAt !== null && h("p.note", t("isArchived", { time: timeText(archivedAt) }));
}

/**
 * The acts of an object's page: a link to its form, and a menu of links and buttons.
 * @param {ObjectActs} acts
 */
export function objectActs({ title, edit, more, of }) {
  const items = more.filter((item) => item !== false);
  return h(
    "div.bar",
    of,
    edit && actLink("edit", edit, t("edit")),
    items.length > 0 && menuButton(icon("actions"), t("moreOf", { value: title }), items),
  );
}

/**
 * A quiet link with its symbol.
 * @param {Parameters<typeof icon>[0]} symbol
 * @param {string} href @param {string} text
 */
export function actLink(symbol, href, text) {
  return h("a", { href }, icon(symbol), text);
}

/** @param {any} root @param {{ api: string }} place */
export function archiveButton(root, { api }) {
  const isArchived = root.archivedAt !== null;
  return actButton({
    path: `${api}/${isArchived ? "restore" : "archive"}`,
    name: t(isArchived ? "restore" : "archive"),
    done: t(isArchived ? "restored" : "archived"),
    body: () => ({ expectedRevision: root.revision }),
  });
}

/**
 * Read when it is opened.
 * @param {string} moduleCode
 * @param {string} recordId
 */
export function refersHere(moduleCode, recordId) {
  return lazyDetails(h("summary", t("refersHere")), async () => {
    const { referringTo } = await import("../refers.js").catch(notLoaded);
    return await referringTo(moduleCode, recordId);
  });
}

/** @param {Texts} [more] */
export function archivedViews(more = {}) {
  const views = viewsOf({ exclude: t("currentItems"), only: t("archivedItems"), ...more });
  return { name: "archived", views };
}

/** @type {(title: string, found: any, all: string, parts: SectionParts) => Element} */
export function listSection(title, { items, nextCursor }, all, { add, isLong = false, line }) {
  return h(
    "section",
    h("div.bar", h("h2", title), add),
    items.length === 0
      ? h("p.quiet", t("noneYet"))
      : h("ul", { class: isLong ? "lines entries" : "lines" }, items.map(line)),
    nextCursor !== null && h("div.bar", link(all, t("allOf", { name: title }))),
  );
}

/**
 * An object of a family: flat fields, null without a value; a patch names the fields to set and to
 * remove.
 * @param {readonly CatalogField[]} fields
 * @param {PartPaths} place
 * @param {Texts} [first]
 * @returns {Editable}
 */
export function editableThing(fields, { list, one, idName }, first = {}) {
  return {
    fields,
    list,
    one,
    first,
    valuesOf: (shown) => presentValues(fields, shown),
    idOf: (shown) => shown[idName],
    creation: ({ set }) => set,
    patch: ({ set, remove }) => ({
      ...(Object.keys(set).length > 0 && { set }),
      ...(remove.length > 0 && { remove }),
    }),
  };
}

/** @param {readonly { name: string }[]} fields @param {any} shown */
export function presentValues(fields, shown) {
  const values = fields.map(({ name }) => [name, shown[name] ?? null]);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** Draws texts with Markdown: only pages that show long texts load it. */
export function loadDrawing() {
  return import("../../fields/markdown/drawn.js").catch(notLoaded);
}
