/** Measurements as records. */

import { measuredAt, pastTime } from "./calendar.js";
import { findMoment } from "./edges.js";
import { findMeasure, PAIRED } from "./measures.js";
import { record } from "./records.js";
import { cut, remainder, tokensOf, typed } from "./tokens.js";

/** @type {UnderstandLine} */
export function understandHealth(line) {
  const { text, language, clock, kept, measure, measureTitle } = line;
  const found = findMoment(text, language, kept);
  const time = found && pastTime(found.moment, clock);
  const rest = time && found ? found.rest : text.trim();
  const tokens = tokensOf(rest);
  const read = findMeasure(tokens, language, measure);
  if ("problem" in read) return unknown(rest, read.problem);
  const { kind, values, unit, count, isStart } = read;
  const [near, others] = cut(tokens, count, isStart);
  const words = typed(rest, near);
  if (kept.has(words)) return unknown(rest, "whichMeasurement");
  const notes = remainder(rest, others);
  const at = time === null ? clock.now : measuredAt(time, clock);
  const types = kind === PAIRED ? ["BLOOD_PRESSURE_SYSTOLIC", "BLOOD_PRESSURE_DIASTOLIC"] : [kind];
  const records = types.map((metricType, index) =>
    record("health", measureTitle(metricType, time?.day ?? clock.today), {
      metricType,
      value: values[index],
      unit,
      measuredAt: at,
      quality: "SELF_REPORTED",
      notes: notes || undefined,
    })
  );
  /** @type {LinePart[]} */
  const parts = [{ what: "measure", words, kind, values, unit }];
  if (found !== null && time !== null) {
    parts.push({ what: "time", words: found.words, ...time, timePrecision: null });
  }
  return { title: records[0]?.body.title ?? "", notes, parts, records };
}

/** @type {(title: string, problem: LineProblem) => UnderstoodParts} */
function unknown(title, problem) {
  return { title, parts: [], records: [], problem };
}
