/** Memories and events of a life. */

import { findPrefix, statedAt } from "./prefixes.js";
import { record } from "./records.js";
import { titleOf } from "./tokens.js";

/** @type {UnderstandLine} */
export function understandMemory(line) {
  const { text, clock } = line;
  const found = findPrefix(line, false);
  const words = found?.rest ?? text;
  /** @type {PreciseTime} */
  const now = { timePrecision: "EXACT", day: clock.today, clock: clock.minutes };
  const time = found?.time ?? now;
  const title = titleOf(words);
  const body = {
    title,
    memoryType: "EVENT",
    originalContent: words,
    occurredAt: found === null ? clock.now : statedAt(time, clock),
    timePrecision: time.timePrecision,
  };
  const parts =
    /** @type {LinePart[]} */ ([{ what: "time", words: found?.words ?? null, ...time }]);
  return { title, parts, records: [{ path: "/api/v2/memory/texts", body }] };
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
    ...(found !== null && { startAt: statedAt(found.time, line.clock) }),
  };
  /** @type {LinePart} */
  const part = found === null
    ? { what: "noTime", words: null }
    : { what: "time", words: found.words, ...found.time };
  return { title, parts: [part], records: [record("timeline", title, payload)] };
}
