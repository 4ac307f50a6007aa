/** Tasks, promises and routines. */

import { titleOf } from "../../fields/shown/titles.js";
import { plannedTime } from "./calendar.js";
import { findMoment } from "./edges.js";
import { findInterval } from "./intervals.js";
import { LINE_WORDS } from "./line_words.js";
import { record } from "./records.js";
import { fitsTitle } from "./tokens.js";

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
    targetDate: due,
    description: fitsTitle(rest) ? undefined : rest,
  };
  return { title: rest, parts, records: [record("action", title, payload)] };
}

/** @type {UnderstandLine} */
export function understandCommitment(line) {
  const { rest, due, parts } = dueOf(line);
  const kind = { commitmentType: "OUTGOING", completionStatus: "OPEN" };
  const payload = { ...kind, content: rest, dueAt: due };
  return { title: rest, parts, records: [record("commitment", titleOf(rest), payload)] };
}

/** @type {(line: LineInput) => { rest: string, due: string | undefined, parts: LinePart[] }} */
function dueOf({ text, language, clock, kept }) {
  const found = findMoment(text, language, kept);
  const time = found && plannedTime(found.moment, clock);
  if (found === null || time === null) {
    return { rest: text.trim(), due: undefined, parts: [{ what: "noTime", words: null }] };
  }
  const due = clock.stamp(time.day, time.clock ?? DAY_END);
  const { words, rest } = found;
  return { rest, due, parts: [{ what: "time", words, ...time, timePrecision: null }] };
}

/** @type {UnderstandLine} */
export function understandRoutine({ text, language, kept }) {
  const { days, words, rest } = findInterval(text, language, kept) ??
    { days: WEEK, words: null, rest: text.trim() };
  const { area } = LINE_WORDS[language];
  const payload = { routineName: rest, area, intervalDays: days, active: true };
  const parts = [/** @type {LinePart} */ ({ what: "interval", words, days })];
  return { title: rest, parts, records: [record("routine", rest, payload)] };
}
