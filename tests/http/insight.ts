/** Helpers for counts: times near unusual days, slow models of days and completions, readers. */

import { assertEquals } from "@std/assert";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Random } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, type World } from "../support/world.ts";

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

/** The local day of an owner's time of an object, which has it as a member or in its payload. */
export function dayOf(object: Json, name: string, zone: string): string {
  const local = object.localTimes[name];
  return local?.slice(0, 10) ?? dateIn(zone, object.payload?.[name] ?? object[name]);
}

/** The local day of a shown memory, or of the middle of its range. */
export function dayOfMemory({ timeRange: { from, to }, localTimes }: Json, zone: string): string {
  const middle = Math.floor((Date.parse(from) + Date.parse(to)) / 2);
  return localTimes.occurredAt?.slice(0, 10) ?? dateIn(zone, new Date(middle).toISOString());
}

/** The local day of a shown record's own time; null without one. */
export function ownDayOf(record: Json, zone: string): string | null {
  const times = CATALOG.module(record.moduleCode)?.times ?? [];
  const name = times.find((each) => record.payload[each] !== undefined);
  return name === undefined ? null : dayOf(record, name, zone);
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

/** With changes of the clocks of 30 and 60 minutes, and the ends of the day. */
export const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

export function daysFrom(one: string, other: string): number {
  return (Date.parse(other) - Date.parse(one)) / DAY_MS;
}

/** A token of the account, by default with all permissions for half a year. */
export async function tokenOf(
  world: World,
  caller: Caller,
  body: JsonObject = {},
): Promise<Caller> {
  const expiresAt = new Date(world.now().getTime() + 180 * DAY_MS).toISOString();
  const { token } = await makeToken(world, caller, {
    permissions: PERMISSIONS,
    expiresAt,
    ...body,
  });
  return callerOf(world.app, { ...caller, secret: token });
}

/**
 * The local days of a routine's completions, by the rules of the contract.
 *
 * @param revisions Oldest first.
 */
export function completionsOf(revisions: readonly Json[], zone: string): string[] {
  let left: { readonly at: string; readonly day: string }[] = [];
  let known: string | undefined;
  for (const revision of revisions) {
    const { lastCompletedAt: at } = revision.payload;
    if (at === known) continue;
    if (at === undefined) left = left.slice(0, -1);
    else {
      left = left.filter((earlier) => earlier.at <= at);
      if (left.at(-1)?.at !== at) left.push({ at, day: dayOf(revision, "lastCompletedAt", zone) });
    }
    known = at;
  }
  return left.map(({ day }) => day);
}
