/** The time before the colon of a memory or an event of a life. */

import { readPeriod } from "../entered/periods.js";
import { pastTime } from "./calendar.js";
import { readMoment } from "./moments.js";
import { plainText, tokensOf } from "./tokens.js";

/** A longer text before a colon is not a time. */
const MAX_PREFIX = 60;
/** A colon between two digits belongs to a time of day. */
const COLON = /(?<!\d):|:(?!\d)/;

/**
 * Null without a time before the colon, and without words after it.
 * @type {(line: LineInput, mayBeAhead: boolean) => FoundPrefix | null}
 */
export function findPrefix({ text, language, clock, kept }, mayBeAhead) {
  const typed = text.trimStart();
  const end = COLON.exec(typed.slice(0, MAX_PREFIX))?.index ?? 0;
  const [words, rest] = [typed.slice(0, end), typed.slice(end + 1).trim()];
  if (words.trim() === "" || rest === "" || kept.has(words)) return null;
  const period = readPeriod(words, language);
  if (period !== null) {
    const { timePrecision, year, month } = period;
    const day = Date.UTC(year, month - 1);
    if (day > clock.today && !mayBeAhead) return null;
    return { words, rest, time: { timePrecision, day, clock: null, at: clock.stamp(day, 0) } };
  }
  const moment = readMoment(plainText(tokensOf(words)).split(" "), language);
  const time = moment === null ? null : pastTime(moment, clock, mayBeAhead);
  if (time === null) return null;
  const timePrecision = time.clock === null ? "DAY" : "EXACT";
  const at = clock.stamp(time.day, time.clock ?? 0);
  return { words, rest, time: { ...time, timePrecision, at } };
}
