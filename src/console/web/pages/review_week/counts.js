/** The days and the counts of a week. */

import { t } from "../../core/base/language.js";
import { generalPath, label, modulePath, PLACES } from "../../core/names.js";
import { dayText, startOfDay } from "../../fields/shown/times.js";
import { deviceTime } from "../../logic/local_time.js";

const MINUTE_MS = 60_000;

/** The times at which records are due. */
const DUE = { commitment: "dueAt", action: "targetDate" };

/** States of due items; the first two are always named. */
const STATES = /** @type {const} */ ([
  "met",
  "missed",
  "late",
  "untimed",
  "ahead",
  "broken",
  "dropped",
]);

const STATE_NAMES = /** @type {const} */ ({
  met: "weekMet",
  missed: "weekMissed",
  late: "weekLate",
  untimed: "weekUntimed",
  ahead: "weekAhead",
  broken: "weekBroken",
  dropped: "weekDropped",
});

/**
 * A week of the device's calendar, from Monday.
 * @param {Date} now @param {"weekThis" | "weekLast"} name
 * @returns {ReviewedWeek}
 */
export function weekOf(now, name) {
  const sinceMonday = (now.getDay() + 6) % 7 + (name === "weekLast" ? 7 : 0);
  const start = startOfDay(now, -sinceMonday);
  const last = startOfDay(now, 6 - sinceMonday);
  const end = startOfDay(now, 7 - sinceMonday).getTime() - MINUTE_MS;
  return {
    name,
    from: deviceTime(start.getTime()).slice(0, 10),
    to: deviceTime(last.getTime()).slice(0, 10),
    period: t("weekPeriod", { from: dayText(start.getTime()), to: dayText(last.getTime()) }),
    texts: {
      title: t("weekTitle", { day: dayText(start.getTime()) }),
      periodStart: deviceTime(start.getTime()),
      periodEnd: deviceTime(end),
    },
  };
}

/**
 * The counts that the reader may see, each with the lists that it counts.
 * @param {Week} counted
 * @param {ReviewedWeek} week
 * @returns {WeekCount[]}
 */
export function countsOf({ due, routines, contacts, written, measures, decisions }, week) {
  return [
    ...due === null ? [] : dueCounts(due, week),
    ...routines === null ? [] : [listed("weekRoutines", routines.completions, "routine")],
    ...contacts === null ? [] : [{
      name: t("weekContacts"),
      value: contacts.contacts,
      lists: [{ name: label("relationship"), value: contacts.people, path: PLACES.people }],
    }],
    ...written === null ? [] : [{
      name: t("weekWritten"),
      value: sum(written.map(({ count }) => count)),
      lists: written.map(({ moduleCode, count }) => ({
        name: label(moduleCode),
        value: count,
        path: modulePath(moduleCode),
      })),
    }],
    ...measures === null ? [] : [measured(measures, week)],
    ...decisions === null ? [] : [listed("weekDecided", decisions.decided, "decision")],
  ];
}

/** @param {NonNullable<Week["due"]>} due @param {ReviewedWeek} week @returns {WeekCount[]} */
function dueCounts(due, week) {
  const lists = due.map((counts) => ({
    name: label(counts.moduleCode),
    value: sum(STATES.map((state) => counts[state])),
    path: within(counts.moduleCode, DUE[/** @type {keyof DUE} */ (counts.moduleCode)], week),
  }));
  const states = STATES.map((state, index) => ({
    name: t(STATE_NAMES[state]),
    value: sum(due.map((counts) => counts[state])),
    lists: [],
    isNamed: index < 2,
  }));
  return [
    { name: t("due"), value: sum(lists.map(({ value }) => value)), lists },
    ...states.filter(({ value, isNamed }) => isNamed || value > 0),
  ];
}

/** @type {(measures: NonNullable<Week["measures"]>, week: ReviewedWeek) => WeekCount} */
function measured(measures, week) {
  const kinds = [...Map.groupBy(measures, ({ kind }) => kind)];
  const lists = kinds.map(([kind, values]) => ({
    name: label(kind),
    value: sum(values.map(({ count }) => count)),
    path: within("health", "measuredAt", week, { "filter[metricType]": kind }),
  }));
  return { name: t("weekMeasured"), value: sum(lists.map(({ value }) => value)), lists };
}

/** @type {(name: Sentence, value: number, code: string) => WeekCount} */
function listed(name, value, code) {
  return { name: t(name), value, lists: [{ name: label(code), value, path: modulePath(code) }] };
}

/**
 * The list of the records whose time is in the week.
 * @type {(code: string, time: string, week: ReviewedWeek, others?: Texts) => string}
 */
function within(code, time, { from, to }, others = {}) {
  const asked = { ...others, [`filter[${time}][gte]`]: from, [`filter[${time}][lte]`]: to };
  return `${generalPath(code)}?${new URLSearchParams(asked)}`;
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
