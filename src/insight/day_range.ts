import { addDays } from "../core/days.ts";
import { payloadInvalid, tooMany } from "../errors/service_error.ts";
import { TEXT } from "../validate/json_schema.ts";
import { stringMatching } from "../validate/schema.ts";
import { type CalendarUnit, UNITS } from "./calendar_units.ts";
import { DAY, ZONE } from "./local_days.ts";

/** Limit of the units that a range touches. */
const MAX_UNITS = 400;

/** A query parameter whose text the catalog checks. */
export const ANY_TEXT = stringMatching("field.type", () => true, TEXT);

/** Query parameters of {@linkcode DayRange}. */
export const DAY_RANGE_QUERY = { from: DAY, until: DAY, zone: ZONE };

/** Days up to, but not including, `until`. */
export interface DayRange {
  readonly from: string;
  readonly until: string;
  /** The zone in which times without a clock have their days. */
  readonly zone: string;
}

/**
 * @param unit By default days.
 * @throws ServiceError `PAYLOAD_INVALID`, rule `range.order` or `range.length`.
 */
export function checkRange(
  { from, until }: DayRange,
  { indexOf }: CalendarUnit = UNITS.day,
): void {
  if (from >= until) throw payloadInvalid(["range.order"], ["from", "until"]);
  const touched = indexOf(addDays(until, -1)) - indexOf(from) + 1;
  if (touched > MAX_UNITS) throw tooMany("range.length", MAX_UNITS);
}
