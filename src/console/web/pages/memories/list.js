/** Memories. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { label, labelled, MEMORIES_API, readFields } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { activeFilters, dateWords, filterForm } from "../../fields/filters.js";
import {
  dayOf,
  isSecret,
  momentOf,
  PRIVACY_LEVELS,
  shownTime,
} from "../../fields/memory_fields.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { isVeiling } from "../../fields/shown/files.js";
import { smallPicture } from "../../fields/shown/pictures.js";
import { formatTime, thisMinute } from "../../fields/shown/times.js";
import { monthHeading, statedBlock } from "../../fields/shown/stated.js";
import { instantOf, utcDate, withoutZone } from "../../logic/local_time.js";
import { listPage } from "../parts/lists.js";
import { archivedViews } from "../parts/objects.js";
import { NEWEST, sortedBy } from "../parts/order.js";
import { LIST, nameOf, pageOf } from "./texts.js";
import { withYear, yearCalendar } from "./year.js";

/** Pictures and files go; a link leaves its words. */
const SIGNS =
  /!\[[^\]]*\]\([^)]*\)|\[[^\]]*\]\(attachment:[^)]*\)|\[([^\]]*)\]\([^)]*\)|^\s*(?:#+|>|[-*+])\s|[*`]+/g;

/** @type {Page} */
export async function memories({ query: asked }) {
  const query = withYear(asked);
  const fields = await readFields("memory");
  const types = fields.find(({ name }) => name === "memoryType")?.options ?? [];
  const filters = [
    { name: "memoryType", label: t("pictureKind"), options: labelled(types) },
    { name: "privacyLevel", label: t("privacy"), options: labelled(PRIVACY_LEVELS) },
    { name: "from", label: t("happenedFrom"), end: "to" },
    { name: "to", label: t("happenedTo") },
    { name: "onDay", label: t("onThisDay"), words: dayOfYear },
  ];
  const narrowed = Object.fromEntries(
    filters.map(({ name }) => [name, query.get(name)]).filter(([, value]) => value),
  );
  const [openYear, year] = yearCalendar(query);
  return await listPage(query, {
    title: t("memories"),
    api: MEMORIES_API,
    filter: { ...archivedViews({ include: t("both") }), isInMenu: true },
    narrowed,
    alsoAsked: wholeDays(narrowed),
    orders: memoryOrders(),
    ...(Object.keys(narrowed).length > 0 && { none: t("noMatches") }),
    add: { list: "memory" },
    after: [
      link(`${LIST}?onDay=${thisMinute().slice(0, 10)}`, t("onThisDay")),
      link("/console/print/memory", t("printView")),
      filterForm(LIST, query, filters),
    ],
    beside: [yearStrip(query), openYear],
    above: () => h("div", activeFilters(LIST, query, filters), year),
    line: memoryLine,
  });
}

function memoryOrders() {
  const inTime = (
    /** @type {string} */ sort,
    /** @type {string} */ text,
    /** @type {1 | -1} */ sign,
  ) => ({
    ...sortedBy(sort, text),
    headings: {
      // A period of life does not belong to a month.
      headingOf: (/** @type {any} */ memory) =>
        memory.timeRange === null ? t("noDate") : monthHeading(memory),
      placeOf: (/** @type {any} */ { timeRange }) =>
        timeRange === null ? Infinity : sign * instantOf(timeRange.from),
    },
  });
  return [
    inTime("-occurredAt", t("latestFirst"), -1),
    inTime("occurredAt", t("earliestFirst"), 1),
    { value: NEWEST, text: t("newestFirst"), asked: {} },
  ];
}

/** @param {string} day */
function dayOfYear(day) {
  return dateWords(day, { month: "long", day: "numeric" });
}

/** @param {URLSearchParams} query */
function yearStrip(query) {
  const chosen = query.get("from") ?? "";
  const year = chosen === "" ? new Date().getFullYear() : dayOf(chosen).year;
  // An open calendar stays open.
  const kept = (/** @type {number} */ shown) => query.has("year") ? { year: String(shown) } : {};
  const period = (
    /** @type {string} */ text,
    /** @type {number} */ year,
    month = 0,
    count = 12,
  ) => {
    const [from = "", to = ""] = [Date.UTC(year, month), Date.UTC(year, month + count, 0)]
      .map(utcDate);
    const isChosen = from === chosen && to === query.get("to");
    const time = h("time", { datetime: from }, text);
    return isChosen
      ? h("strong", time)
      : link(`${LIST}?${new URLSearchParams({ ...kept(year), from, to })}`, time);
  };
  return h(
    "div.bar.chips.strip",
    { role: "group", "aria-label": t("monthsOf", { year }) },
    period(`‹ ${year - 1}`, year - 1),
    period(String(year), year),
    Array.from({ length: 12 }, (_, month) => {
      const name = formatTime(Date.UTC(year, month), { month: "short", timeZone: "UTC" });
      return period(name, year, month, 1);
    }),
    period(`${year + 1} ›`, year + 1),
  );
}

/** @param {Texts} narrowed @returns {Texts} */
function wholeDays({ from, to, onDay, ...rest }) {
  const startOf = (/** @type {string} */ text, later = 0) => {
    const { year, month, day } = dayOf(text);
    const date = new Date(year, month - 1, day + later);
    const start = { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
    // The bounds of a query have offsets, not zones.
    return withoutZone(momentOf(start));
  };
  return {
    ...rest,
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(to, 1) }),
    ...(onDay && { onDay: startOf(onDay) }),
  };
}

/** @param {any} memory */
function memoryLine(memory) {
  const pictures = isSecret(memory) ? [] : memory.attachmentIds;
  return row({
    anchor: smallPicture(pictures, nameOf(memory), statedBlock(memory, kindSymbol("memory"))),
    name: [link(pageOf(memory), nameOf(memory), "words"), firstWords(memory)],
    facts: [
      label(memory.memoryType),
      isSecret(memory) && label("SECRET"),
      memory.archivedAt !== null && t("archivedItems"),
      shownTime(memory),
    ],
  });
}

/**
 * The first words that are not the title, without signs of Markdown.
 * @param {any} memory
 */
function firstWords(memory) {
  const { title, summary, currentContent, redacted } = memory;
  if (redacted || isSecret(memory) || isVeiling()) return null;
  const lines = (summary || currentContent).split("\n")
    .map((/** @type {string} */ line) => line.replaceAll(SIGNS, "$1").trim());
  const words = lines.find((/** @type {string} */ line) => line !== "" && !line.startsWith(title));
  return words !== undefined && h("div.excerpt", { translate: "no" }, words.slice(0, 200));
}
