import { readModule } from "../../core/catalog.js";
import { h } from "../../core/dom.js";
import { TEXTS } from "../../core/memory_drafts.js";
import { t } from "../../core/text.js";
import { filterForm } from "../../fields/filters.js";
import { PRIVACY_LEVELS } from "../../fields/memory_fields.js";
import { shownTime } from "../../fields/shown_time.js";
import { label } from "../../logic/labels.js";
import { dayOf, momentOf } from "../../logic/stated_time.js";
import { listPage } from "../list_page.js";

const LIST = "/console/memories";

/** @type {import("../../pages.js").Page} */
export default async function memories({ query, session }) {
  const module = await readModule("memory");
  const types = module?.fields.find(({ name }) => name === "memoryType")?.options ?? [];
  const options = (/** @type {readonly string[]} */ values) =>
    values.map((value) => ({ value, label: label(value) }));
  const filters = [
    { name: "memoryType", label: t("memoryType"), options: options(types) },
    { name: "privacyLevel", label: t("privacy"), options: options(PRIVACY_LEVELS) },
    { name: "from", label: t("happenedFrom") },
    { name: "to", label: t("happenedTo") },
  ];
  const narrowed = Object.fromEntries(
    filters.map(({ name }) => [name, query.get(name) ?? ""]).filter(([, value]) => value !== ""),
  );
  const isNarrowed = Object.keys(narrowed).length > 0;
  return await listPage(query, {
    title: t("memories"),
    page: LIST,
    api: TEXTS,
    filter: {
      name: "archived",
      views: [
        { value: "exclude", text: t("currentItems") },
        { value: "only", text: t("archivedItems") },
        { value: "include", text: t("bothOnes") },
      ],
    },
    narrowed,
    alsoAsked: wholeDays(narrowed),
    none: t(
      isNarrowed ? "noMatches" : query.get("archived") === "only" ? "noneArchived" : "noneYet",
    ),
    beside: [
      session.permissions.includes("memory.write") &&
      h("a", { class: "main", href: `${LIST}/new` }, t("newMemory")),
      h("a", { href: "/console/print/memory" }, t("printView")),
    ],
    above: () => filterForm(LIST, query, filters),
    line,
  });
}

/**
 * Whole days of the device's calendar, in the API's format.
 *
 * @param {Readonly<Record<string, string>>} narrowed
 * @returns {Record<string, string>}
 */
function wholeDays({ from, to, ...rest }) {
  const startOf = (/** @type {string} */ text, later = 0) => {
    const { year, month, day } = dayOf(text);
    const date = new Date(year, month - 1, day + later);
    return momentOf(date.getFullYear(), date.getMonth() + 1, date.getDate());
  };
  return { ...rest, ...(from && { from: startOf(from) }), ...(to && { to: startOf(to, 1) }) };
}

/** @param {any} memory */
function line(memory) {
  const { memoryId, title, redacted, privacyLevel, archivedAt } = memory;
  return h(
    "li",
    {},
    h("a", { href: `${LIST}/${memoryId}`, class: "words" }, redacted ? t("hidden") : title),
    h(
      "span",
      { class: "quiet small" },
      shownTime(memory),
      privacyLevel === "SECRET" && ` · ${label(privacyLevel)}`,
      archivedAt !== null && ` · ${t("archivedChange")}`,
    ),
  );
}
