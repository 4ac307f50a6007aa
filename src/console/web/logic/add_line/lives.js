/** Memories and events of a life. */

import { titleOf } from "../../fields/shown/titles.js";
import { findPrefix } from "./prefixes.js";
import { record } from "./records.js";

/** @type {UnderstandLine} */
export function understandMemory(line) {
  const { text, clock: { today: day, minutes: clock, now: at } } = line;
  const found = findPrefix(line, false);
  const { words = null, rest = text } = found ?? {};
  const { at: occurredAt, ...time } = found?.time ?? { timePrecision: "EXACT", day, clock, at };
  const { timePrecision } = time;
  const title = titleOf(rest);
  const body = { title, memoryType: "EVENT", originalContent: rest, occurredAt, timePrecision };
  return {
    title,
    parts: [/** @type {TimePart} */ ({ what: "time", words, ...time })],
    records: [{ path: "/api/v2/memory/texts", body }],
  };
}

/** @type {UnderstandLine} */
export function understandTimeline(line) {
  const found = findPrefix(line, true);
  const words = found?.rest ?? line.text.trim();
  const title = titleOf(words);
  const payload = {
    eventType: "OTHER",
    eventTitle: title,
    eventDescription: words,
    timePrecision: found?.time.timePrecision ?? "UNKNOWN",
    startAt: found?.time.at,
  };
  /** @type {LinePart} */
  const part = found === null
    ? { what: "noTime", words: null }
    : { what: "time", words: found.words, ...found.time };
  return { title, parts: [part], records: [record("timeline", title, payload)] };
}
