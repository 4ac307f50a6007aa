/** Models of contacts, routines and weeks, and readers. */

import { PERMISSIONS } from "../../src/access/permissions.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, type World } from "../support/world.ts";
import { dateIn } from "./insight.ts";

/** With changes of the clocks of 30 and 60 minutes, and the ends of the day. */
export const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

/** The local day of an owner's time of an object, which has it as a member or in its payload. */
export function dayOf(object: Json, name: string, zone: string): string {
  const local = object.localTimes[name];
  return local?.slice(0, 10) ?? dateIn(zone, object.payload?.[name] ?? object[name]);
}

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
