/** Helpers for counts: times near unusual days, and a slow model of their days. */

import { assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { Random } from "../support/random.ts";
import type { Caller, Json } from "../support/world.ts";

/** Days of 23, 24.5 and 25 hours, days without a midnight, and the day after a skipped one. */
export const UNUSUAL_DAYS: readonly (readonly [zone: string, day: string])[] = [
  ["America/Sao_Paulo", "2018-11-04"],
  ["Europe/Berlin", "2025-10-26"],
  ["Australia/Lord_Howe", "2025-04-06"],
  ["America/St_Johns", "2006-04-02"],
  ["Asia/Tehran", "2022-03-22"],
  ["Pacific/Apia", "2011-12-31"],
  ["America/New_York", "2025-03-09"],
  ["Africa/Cairo", "2024-04-26"],
  ["America/Havana", "2024-03-10"],
  ["Asia/Kathmandu", "2024-01-01"],
  ["Pacific/Kiritimati", "2025-01-01"],
  ["UTC", "2024-02-29"],
];

const PLAIN_MINUTES = 60;

/** A time within 40 hours of the beginning of an unusual day: in UTC, with an offset or a zone. */
export function timeNear(random: Random, [zone, day]: readonly [string, string]): string {
  const start = Temporal.PlainDate.from(day).toZonedDateTime(zone);
  const near = random.chance(0.5) ? random.integer(-3, 3) : random.integer(-40, 40) * PLAIN_MINUTES;
  const time = start.add({ minutes: near }).add({ milliseconds: random.integer(0, 1) });
  const form = { smallestUnit: "millisecond" } as const;
  switch (random.integer(0, 3)) {
    case 0:
      return time.toString({ ...form, timeZoneName: "never" });
    case 1:
      return time.withTimeZone(random.pick(UNUSUAL_DAYS)[0]).toString(form);
    default:
      return time.toInstant().toString(form);
  }
}

/** The date of an instant in a zone. */
export function dateIn(zone: string, time: string): string {
  return Temporal.Instant.from(time).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** The local day of a member of a shown object. */
export function dayOf(zone: string, name: string, time: string, localTimes: Json): string {
  return localTimes[name]?.slice(0, 10) ?? dateIn(zone, time);
}

/** The local day of a shown record's own time; null without one. */
export function ownDayOf(zone: string, { moduleCode, payload, localTimes }: Json): string | null {
  const times = CATALOG.module(moduleCode)?.times ?? [];
  const name = times.find((each) => payload[each] !== undefined);
  return name === undefined ? null : dayOf(zone, name, payload[name], localTimes);
}

/** Reads a count, which must succeed. */
export async function readCount(
  caller: Pick<Caller, "call">,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Json> {
  const response = await caller.call("GET", `${path}?${new URLSearchParams(parameters)}`);
  assertEquals(response.status, 200, `${JSON.stringify(parameters)}: ${response.text}`);
  return response.body.data;
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}
