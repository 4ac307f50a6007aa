import { checkRules } from "../../catalog/check_rules.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import type { JsonObject } from "../../core/json.ts";
import { Violations } from "../../validate/schema.ts";
import { parseTimestamp } from "../../validate/timestamp.ts";
import type { MemoryTimeRow, TimePrecision } from "./memory.ts";
import { deriveTimeRange } from "./time_range.ts";

interface StatedTimes {
  readonly occurredAt?: string;
  readonly timePrecision?: TimePrecision;
  readonly timeText?: string;
}

/** @throws ServiceError `PAYLOAD_INVALID` by the module's cross-field rules. */
export function decideTimeColumns(stated: StatedTimes, now: Date): MemoryTimeRow {
  const { occurredAt, timeText } = stated;
  const timePrecision = stated.timePrecision ?? (occurredAt === undefined ? null : "EXACT");
  checkTimes({ ...stated, ...(timePrecision && { timePrecision }) }, now);
  const range = deriveTimeRange({ occurredAt: occurredAt ?? null, timePrecision });
  const moment = occurredAt === undefined ? null : parseTimestamp(occurredAt);
  return {
    occurred_at: moment === null ? null : new Date(moment),
    time_precision: timePrecision,
    time_text: timeText ?? null,
    time_from: range?.from ?? null,
    time_to: range?.to ?? null,
  };
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
