/** Memories, newest first. */

import { send } from "../core/api.js";
import { readModule } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { TEXTS } from "../core/memory_drafts.js";
import { t } from "../core/text.js";
import { filterForm } from "../fields/filters.js";
import { PRIVACY_LEVELS } from "../fields/memory_fields.js";
import { shownTime } from "../fields/shown_time.js";
import { label } from "../logic/labels.js";
import { dayOf, momentOf } from "../logic/stated_time.js";

const PATH = "/console/memories";
const PAGE = "50";
/** What stands in the address as the API takes it. */
const PLAIN = ["memoryType", "privacyLevel", "archived", "cursor"];

/** @type {import("../pages.js").Page} */
export default async function memories({ query, session }) {
  const [module, { data }] = await Promise.all([
    readModule("memory"),
    send("GET", `${TEXTS}?${asked(query)}`),
  ]);
  const types = module?.fields.find(({ name }) => name === "memoryType")?.options ?? [];
  const options = (/** @type {readonly string[]} */ values) =>
    values.map((value) => ({ value, label: label(value) }));
  const older = new URLSearchParams(query);
  older.set("cursor", data.nextCursor ?? "");
  return {
    title: t("memories"),
    body: [
      h(
        "div",
        { class: "bar" },
        session.permissions.includes("memory.write") &&
          h("a", { class: "main", href: `${PATH}/new` }, t("newMemory")),
        h("a", { href: "/console/drafts" }, t("drafts")),
      ),
      filterForm(PATH, query, [
        { name: "memoryType", label: t("memoryType"), options: options(types) },
        { name: "privacyLevel", label: t("privacy"), options: options(PRIVACY_LEVELS) },
        { name: "from", label: t("happenedFrom") },
        { name: "to", label: t("happenedTo") },
        {
          ...{ name: "archived", label: t("shown"), none: t("presentOnes") },
          options: [
            { value: "only", label: t("archivedOnes") },
            { value: "include", label: t("bothOnes") },
          ],
        },
      ]),
      data.items.length === 0
        ? h("p", { class: "quiet" }, t(query.size > 0 ? "noneSuch" : "noneYet"))
        : h("ul", { class: "lines" }, data.items.map(line)),
      data.nextCursor !== null && h("p", {}, h("a", { href: `${PATH}?${older}` }, t("older"))),
    ],
  };
}

/**
 * The query of the API: days are whole ones of this device's calendar.
 *
 * @param {URLSearchParams} query
 */
function asked(query) {
  const { from, to } = Object.fromEntries(query);
  const startOf = (/** @type {string} */ text, later = 0) => {
    const { year, month, day } = dayOf(text);
    const next = new Date(year, month - 1, day + later);
    return momentOf(next.getFullYear(), next.getMonth() + 1, next.getDate());
  };
  return new URLSearchParams([
    ["limit", PAGE],
    ...[...query].filter(([name]) => PLAIN.includes(name)),
    ...(from ? [["from", startOf(from)]] : []),
    ...(to ? [["to", startOf(to, 1)]] : []),
  ]);
}

/** @param {any} memory */
function line(memory) {
  const { memoryId, title, redacted, privacyLevel, archivedAt } = memory;
  return h(
    "li",
    {},
    h("a", { href: `${PATH}/${memoryId}`, class: "words" }, redacted ? t("hidden") : title),
    h(
      "span",
      { class: "quiet small" },
      shownTime(memory),
      privacyLevel === "SECRET" && ` · ${label(privacyLevel)}`,
      archivedAt !== null && ` · ${t("archivedChange")}`,
    ),
  );
}
