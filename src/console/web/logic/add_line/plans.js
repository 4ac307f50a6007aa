/** Tasks, promises and routines. */

import { plannedTime } from "./calendar.js";
import { findMoment } from "./edges.js";
import { findInterval } from "./intervals.js";
import { LINE_WORDS } from "./line_words.js";
import { record } from "./records.js";
import { fitsTitle, titleOf } from "./tokens.js";

/** A day without a clock is due in its last minute. */
const DAY_END = 23 * 60 + 59;
const WEEK = 7;

/** @type {UnderstandLine} */
export function understandAction(line) {
  const { rest, due, parts } = dueOf(line);
  const title = titleOf(rest);
  const payload = {
    actionType: "TASK",
    actionTitle: title,
    actionStatus: "PLANNED",
    successCriteria: title,
    ...(due !== null && { targetDate: due }),
    ...(!fitsTitle(rest) && { description: rest }),
  };
  return { title: rest, parts, records: [record("action", title, payload)] };
}

/** @type {UnderstandLine} */
export function understandCommitment(line) {
  const { rest, due, parts } = dueOf(line);
  const payload = {
    commitmentType: "OUTGOING",
    content: rest,
    completionStatus: "OPEN",
    ...(due !== null && { dueAt: due }),
  };
  return { title: rest, parts, records: [record("commitment", titleOf(rest), payload)] };
}

/** @type {UnderstandLine} */
export function understandRoutine({ text, language, kept }) {
  const found = findInterval(text, language, kept);
  const title = found?.rest ?? text.trim();
  const days = found?.days ?? WEEK;
  const { area } = LINE_WORDS[language];
  const payload = { routineName: title, area, intervalDays: days, active: true };
  const parts =
    /** @type {LinePart[]} */ ([{ what: "interval", words: found?.words ?? null, days }]);
  return { title, parts, records: [record("routine", title, payload)] };
}

/** @type {(line: LineInput) => { rest: string, due: string | null, parts: readonly LinePart[] }} */
function dueOf({ text, language, clock, kept }) {
  const found = findMoment(text, language, kept);
  const time = found === null ? null : plannedTime(found.moment, clock);
  if (found === null || time === null) {
    return { rest: text.trim(), due: null, parts: [{ what: "noTime", words: null }] };
  }
  return {
    rest: found.rest,
    due: clock.stamp(time.day, time.clock ?? DAY_END),
    parts: [{ what: "time", words: found.words, ...time, timePrecision: null }],
  };
}
