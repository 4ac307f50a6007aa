/** Items due today and in the next days, and overdue ones. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { atLeastText, counted } from "../../fields/shown/figures.js";
import { lazyDetails } from "../../fields/shown/files.js";
import { dayHeading, startOfDay } from "../../fields/shown/times.js";
import { dueLine } from "../due_lines.js";
import { byDay, daysUntil } from "../parts/due.js";
import { aheadList, overdueBefore, overdueList } from "./ahead.js";
import { linesSection } from "./sections.js";

const DAYS = 7;

/** Items of today and the next days, and a folded line for the overdue ones. */
export async function dueAhead() {
  const now = new Date();
  const found = await get(aheadList(now, DAYS));
  const lines = (/** @type {Due} */ item) => dueLine(item, now);
  const ahead = found.items.filter((item) => {
    const days = daysUntil(item, now);
    return days >= 0 && days <= DAYS;
  });
  const [today = [], later = []] = [true, false].map((isToday) =>
    ahead.filter((item) => (daysUntil(item, now) === 0) === isToday)
  );
  const days = byDay(later, now).flatMap(({ days, items }) => [
    h("h3", dayHeading(startOfDay(now, days ?? 0), days ?? 0)),
    h("ul.lines", items.map(lines)),
  ]);
  return [
    ...linesSection(t("dueToday"), today.map(lines)),
    ...later.length === 0 ? [] : [h("section", h("h2", t("nextDays")), h("div", days))],
    ...found.nextCursor === null ? [] : [h("p.quiet", t("moreDue", { count: ahead.length }))],
    ...overdue(overdueBefore(found.items, found.counts, now), now),
  ];
}

/** Read when it is opened. @param {ReturnType<typeof overdueBefore>} found @param {Date} now */
function overdue({ count, hasMore, days }, now) {
  if (count === 0) return [];
  const summary = counted(days, "overdueOldest", { n: atLeastText(count, hasMore) });
  return [lazyDetails(h("summary", summary), async () => {
    const { items, nextCursor } = await get(overdueList(now));
    return [
      h("ul.lines", items.map((item) => dueLine(item, now))),
      nextCursor !== null && h("p.quiet", t("moreDue", { count: items.length })),
    ];
  })];
}
