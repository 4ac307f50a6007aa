/**
 * Time zones: only this file and `former_zones.ts` ask the runtime or zone files for an offset.
 * Times and offsets are in milliseconds. A zone is a name that `knownZone` returned; others throw
 * RangeError.
 */

import { DAY_MS } from "./clock.ts";
import type { OffsetChange, ZoneFile } from "./zone_file.ts";

export type { OffsetChange } from "./zone_file.ts";

/** The pattern of a name. The runtime would also read offsets and whole timestamps as a zone. */
export const ZONE_PATTERN = "[A-Za-z][A-Za-z0-9_+/-]{0,63}";

const NAME = new RegExp(`^${ZONE_PATTERN}$`);

/** Cache of known zones, because a look-up costs as much as an offset. */
const known = new Set<string>();

/** Null if the runtime answers for all zones. */
let files: ReadonlyMap<string, ZoneFile> | null = null;

/** Replaces the files that answer for their zones; the runtime answers for the others. */
export function useZoneFiles(next: ReadonlyMap<string, ZoneFile> | null): void {
  files = next;
}

export function hasZoneFiles(): boolean {
  return files !== null;
}

/** True for a text in the form of a name, known or not. */
export function isZoneName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Returns a zone's name in the letter case of the runtime's list, or null if it is not known. An
 * alias keeps its name.
 */
export function knownZone(name: string): string | null {
  if (known.has(name)) return name;
  if (!isZoneName(name)) return null;
  try {
    const { timeZoneId } = zoned(name, 0);
    known.add(timeZoneId);
    return timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the offset at an instant. It has seconds before standard time. */
export function offsetAt(zone: string, time: number): number {
  return files?.get(zone)?.offsetAt(time) ?? offsetOf(zoned(zone, time));
}

/** Returns the changes of the offset after `from`, up to and including `until`, in order. */
export function changesBetween(zone: string, from: number, until: number): OffsetChange[] {
  const file = files?.get(zone);
  if (file !== undefined) return file.changesBetween(from, until);
  const changes: OffsetChange[] = [];
  let last = zoned(zone, from);
  for (;;) {
    const next = last.getTimeZoneTransition("next");
    if (next === null || next.epochMilliseconds > until) return changes;
    changes.push({ at: next.epochMilliseconds, before: offsetOf(last), after: offsetOf(next) });
    last = next;
  }
}

/** The offsets of a zone, and their changes. */
export function offsetsOf(zone: string): ZoneFile {
  return {
    offsetAt: (time) => offsetAt(zone, time),
    changesBetween: (from, until) => changesBetween(zone, from, until),
  };
}

/**
 * Returns the instants at which the clocks of a zone show a local time, in order: none if they skip
 * it, two if they repeat it.
 *
 * @param local the milliseconds of the local time, as if it were UTC.
 */
export function instantsOf(zone: string, local: number): number[] {
  const offsets = new Set([
    offsetAt(zone, local - DAY_MS),
    ...changesAround(zone, local).map(({ after }) => after),
  ]);
  return [...offsets].map((offset) => local - offset)
    .filter((time) => offsetAt(zone, time) === local - time)
    .sort((one, other) => one - other);
}

/**
 * Returns the first instant at which the clocks of a zone show a local time. A time that they skip
 * moves forward by the gap.
 *
 * @param local the milliseconds of the local time, as if it were UTC.
 */
export function instantOf(zone: string, local: number): number {
  const [first] = instantsOf(zone, local);
  if (first !== undefined) return first;
  const gap = changesAround(zone, local)
    .find(({ at, before, after }) => at + before <= local && local < at + after);
  return local - (gap?.before ?? offsetAt(zone, local));
}

/** Returns each change that may be near a local time: offsets are shorter than a day. */
function changesAround(zone: string, local: number): OffsetChange[] {
  return changesBetween(zone, local - DAY_MS, local + DAY_MS);
}

function zoned(zone: string, time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
}

function offsetOf(time: Temporal.ZonedDateTime): number {
  return time.offsetNanoseconds / 1_000_000;
}
