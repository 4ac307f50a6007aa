/** A sample life as an import in our own form. */

import { calendarOf } from "./calendar.js";
import { measurements } from "./measurements.js";
import { others } from "./others.js";
import { events, memories } from "./past.js";
import { people } from "./people.js";
import { dueItems } from "./present.js";

/**
 * JSON Lines: the head, then an item each.
 * @param {LifeTexts} texts
 * @param {Date} now
 */
export function sampleLines(texts, now) {
  const head = { format: "prs-items", version: 1, source: texts.source };
  const parts = [people, memories, events, dueItems, others, measurements];
  const items = parts.flatMap((part) => part(texts, calendarOf(now)));
  return [head, ...items].map((line) => `${JSON.stringify(line)}\n`);
}
