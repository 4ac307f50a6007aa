/** What has been written and not yet kept: in this browser, and of memories by the service. */

import { h } from "../core/dom.js";
import { openDrafts } from "../core/memory_drafts.js";
import { t, timeText } from "../core/text.js";
import { listUnkept } from "../core/unkept_list.js";
import { visit } from "../core/visit.js";
import { moduleOfPath } from "../logic/addresses.js";
import { label } from "../logic/labels.js";
import { unsentLines } from "./unsent_lines.js";

const PATH = "/console/drafts";

/** @type {import("../pages.js").Page} */
export default async function drafts({ query, session }) {
  const { unsent, drafts: unkept } = await listUnkept();
  const here = [
    ...unsentLines(unsent, nameOf, redraw),
    ...unkept.map(({ path, at }) => line(path, nameOf(path), timeText(at))),
  ];
  const { items, nextCursor } = session.permissions.includes("memory.read")
    ? await openDrafts(query.get("cursor"))
    : { items: [], nextCursor: null };
  const older = nextCursor !== null &&
    h("p", {}, h("a", { href: `${PATH}?cursor=${nextCursor}` }, t("older")));
  const body = here.length + items.length === 0 ? [h("p", { class: "quiet" }, t("noDrafts"))] : [
    ...list(t("draftsText"), here),
    ...list(t("memoryDraftsText"), items.map(memoryLine)),
    older,
  ];
  return { title: t("drafts"), body };
}

function redraw() {
  if (location.pathname === PATH) void visit(PATH);
}

/** @param {string} path */
function nameOf(path) {
  const module = moduleOfPath(path);
  // The first page holds a note for the captures.
  const name = label(module ?? "capture");
  return t(module === null || path.endsWith("/new") ? "newOf" : "changeIn", { name });
}

/**
 * @param {string} text
 * @param {readonly Element[]} lines
 */
function list(text, lines) {
  return lines.length === 0 ? [] : [h("p", {}, text), h("ul", { class: "lines" }, lines)];
}

/** @param {any} draft */
function memoryLine({ draftId, memoryId, content, updatedAt }) {
  const page = memoryId === null ? "new" : `${memoryId}/edit`;
  const name = content === null ? t("hidden") : content.title || firstWords(content);
  return line(`/console/memories/${page}?draft=${draftId}`, name, timeText(updatedAt), "words");
}

/** @param {{ originalContent?: string, currentContent?: string }} content */
function firstWords({ originalContent, currentContent }) {
  const text = (originalContent ?? currentContent ?? "").trim();
  if (text === "") return t("changeIn", { name: label("memory") });
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/**
 * @param {string} href
 * @param {string} name
 * @param {string} time
 * @param {string} [voice]
 */
function line(href, name, time, voice) {
  return h(
    "li",
    {},
    h("a", { href, class: voice }, name),
    h("span", { class: "quiet small" }, time),
  );
}
