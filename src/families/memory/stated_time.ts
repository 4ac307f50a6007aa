import { checkRules } from "../../catalog/check_rules.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import type { JsonObject } from "../../core/json.ts";
import {
  instantOfText,
  joinLocalTimes,
  keptTimes,
  normaliseLocalTime,
  parseClocks,
  serialiseClocks,
  splitLocalTimes,
} from "../../validate/local_time.ts";
import { Violations } from "../../validate/schema.ts";
import type { MemoryTimeRow, TimePrecision } from "./memory.ts";
import { deriveTimeRange } from "./time_range.ts";

interface StatedTimes {
  readonly occurredAt?: string;
  readonly timePrecision?: TimePrecision;
  readonly timeText?: string;
}

const TIME_NAMES = ["occurredAt"];

/** @throws ServiceError `PAYLOAD_INVALID` by the module's cross-field rules. */
export function decideTimeColumns(stated: StatedTimes, now: Date): MemoryTimeRow {
  const { occurredAt, timeText } = stated;
  const timePrecision = stated.timePrecision ?? (occurredAt === undefined ? null : "EXACT");
  checkTimes({ ...stated, ...(timePrecision && { timePrecision }) }, now);
  const text = occurredAt === undefined ? null : normaliseLocalTime(occurredAt);
  const { clocks } = splitLocalTimes(TIME_NAMES, { occurredAt: text });
  const time = text === null ? null : instantOfText(text);
  const clock = clocks.occurredAt ?? null;
  const range = time === null ? null : deriveTimeRange({ time, clock, timePrecision });
  return {
    occurred_at: time === null ? null : new Date(time),
    time_precision: timePrecision,
    time_text: timeText ?? null,
    time_from: range?.from ?? null,
    time_to: range?.to ?? null,
    clocks: serialiseClocks(clocks),
  };
}

/**
 * As {@linkcode decideTimeColumns}, for a stored memory: its time in UTC keeps the stored clock.
 *
 * @throws ServiceError `PAYLOAD_INVALID` by the module's cross-field rules.
 */
export function changeTimeColumns(
  { occurred_at, clocks }: MemoryTimeRow,
  stated: StatedTimes,
  now: Date,
): MemoryTimeRow {
  const stored = { occurredAt: occurred_at?.toISOString() ?? null };
  const local = joinLocalTimes(stored, parseClocks(clocks));
  const isKept = keptTimes(TIME_NAMES, { ...stated }, local).length > 0;
  return decideTimeColumns(isKept ? { ...stated, ...local } : stated, now);
}

function checkTimes({ occurredAt, timePrecision, timeText }: StatedTimes, now: Date): void {
  const payload: JsonObject = {
    ...(occurredAt !== undefined && { occurredAt }),
    ...(timePrecision !== undefined && { timePrecision }),
    ...(timeText !== undefined && { timeText }),
  };
  const violations = new Violations();
  checkRules(
    MEMORY,
    payload,
    { now, recordId: "", set: new Set(Object.keys(payload)) },
    violations,
  );
  violations.throwIfAny();
}
