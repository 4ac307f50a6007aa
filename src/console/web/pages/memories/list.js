import { label, readModule } from "../../core/names.js";
import { h, locale, t } from "../../core/base.js";
import { TEXTS } from "../drafts.js";
import { filterForm } from "../../fields/filters.js";
import { dayOf, momentOf, PRIVACY_LEVELS, shownTime } from "../../fields/memory_fields.js";
import { localTime } from "../../fields/shown.js";
import { listPage } from "../list_page.js";

const LIST = "/console/memories";

/** @type {Page} */
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
    { name: "onDay", label: t("onThisDayEver") },
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
      h("a.main", { href: `${LIST}/new` }, t("newMemory")),
      h("a", { href: "/console/print/memory" }, t("printView")),
    ],
    above: () => h("div", yearStrip(query), filterForm(LIST, query, filters)),
    line,
  });
}

/** Links to the months of a year, and to the years around it. @param {URLSearchParams} query */
function yearStrip(query) {
  const chosen = query.get("from") ?? "";
  const year = chosen === "" ? new Date().getFullYear() : dayOf(chosen).year;
  const names = new Intl.DateTimeFormat(locale(), { month: "short", timeZone: "UTC" });
  const link = (/** @type {string} */ text, /** @type {number} */ year, month = 0, count = 12) => {
    const [from = "", to = ""] = [Date.UTC(year, month), Date.UTC(year, month + count, 0)]
      .map((day) => new Date(day).toISOString().slice(0, 10));
    const isChosen = from === chosen && to === query.get("to");
    const href = `${LIST}?${new URLSearchParams({ from, to })}`;
    return h(
      "a",
      { href, "aria-current": isChosen && "true" },
      h("time", { datetime: from }, text),
    );
  };
  return h(
    "div.bar.strip",
    { role: "group", "aria-label": t("monthsOf", { year }) },
    link(`‹ ${year - 1}`, year - 1),
    link(String(year), year),
    Array.from(
      { length: 12 },
      (_, month) => link(names.format(Date.UTC(year, month)), year, month, 1),
    ),
    link(`${year + 1} ›`, year + 1),
    h("a", { href: `${LIST}?onDay=${localTime(new Date()).slice(0, 10)}` }, t("onThisDayEver")),
  );
}

/**
 * Whole days of the device's calendar, in the API's format.
 * @param {Readonly<Record<string, string>>} narrowed
 * @returns {Record<string, string>}
 */
function wholeDays({ from, to, onDay, ...rest }) {
  const startOf = (/** @type {string} */ text, later = 0) => {
    const { year, month, day } = dayOf(text);
    const date = new Date(year, month - 1, day + later);
    return momentOf(date.getFullYear(), date.getMonth() + 1, date.getDate());
  };
  return {
    ...rest,
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(to, 1) }),
    ...(onDay && { onDay: startOf(onDay) }),
  };
}

/** @param {any} memory */
function line(memory) {
  const { memoryId, title, redacted, privacyLevel, archivedAt } = memory;
  return h(
    "li",
    h("a.words", { href: `${LIST}/${memoryId}` }, redacted ? t("hidden") : title),
    h(
      "span.quiet.small",
      shownTime(memory),
      privacyLevel === "SECRET" && ` · ${label(privacyLevel)}`,
      archivedAt !== null && ` · ${t("archivedChange")}`,
    ),
  );
}
