/** Shared by the models of insight: days, by the runtime's calendars, and readers. */

import { PERMISSIONS } from "../../src/access/permissions.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, type World } from "../support/world.ts";

/** With changes of the clocks of 30 and 60 minutes, and the ends of the day. */
export const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date of an instant in a zone. */
export function dayIn(timeZone: string, time: string): string {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const format = formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone, ...parts });
  formats.set(timeZone, format);
  return format.format(new Date(time));
}

/** The local day of an owner's time of an object, which has it as a member or in its payload. */
export function dayOf(object: Json, name: string, zone: string): string {
  const local = object.localTimes[name];
  return local?.slice(0, 10) ?? dayIn(zone, object.payload?.[name] ?? object[name]);
}

export function daysFrom(one: string, other: string): number {
  return (Date.parse(other) - Date.parse(one)) / 86_400_000;
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A token of the account with all permissions, limited to modules. */
export async function limitedTo(
  world: World,
  caller: Caller,
  modules: readonly string[],
): Promise<Caller> {
  const { token } = await makeToken(world, caller, { permissions: PERMISSIONS, modules });
  return callerOf(world.app, { ...caller, secret: token });
}
