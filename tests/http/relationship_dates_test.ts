/** `GET /relationship/dates`. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertInvalid, walkPages } from "./kernel.ts";
import { read } from "../families/memory/api.ts";
import {
  control,
  createPerson,
  detail,
  move,
  personPath,
  withoutSecrets,
} from "../families/relationship/api.ts";

const world = sharedWorld();

const DATES = "/api/v2/relationship/dates";

function dateOf(caller: Caller, known: Json, what: string, date: string, more: JsonObject = {}) {
  return detail(caller, known, { kind: "DATE", value: { what, date }, ...more });
}

async function datesOf(caller: Caller, from: string, to: string): Promise<Json[]> {
  return (await walkPages(caller, DATES, { from, to, limit: "2" })).flat();
}

Deno.test("Birthdays, anniversaries and days of death return every year, others never", async () => {
  const caller = await world().createCaller();
  const [known, paused] = [
    await createPerson(caller, { personName: "Lena" }),
    await createPerson(caller, { personName: "Ana" }),
  ];
  const leap = await dateOf(caller, known, "BIRTHDAY", "1984-02-29");
  const yearless = await dateOf(caller, paused, "ANNIVERSARY", "--06-01");
  const death = await dateOf(caller, paused, "DEATH", "2027-06-01");
  for (const [what, date] of [["MET", "2001-06-01"], ["OTHER", "--06-01"], ["BIRTHDAY", "1984"]]) {
    await dateOf(caller, known, String(what), String(date));
  }
  const ended = await dateOf(caller, known, "BIRTHDAY", "1990-06-01");
  await control(caller, ended, { kind: "RETRACTED" });
  const gone = await createPerson(caller);
  await dateOf(caller, gone, "BIRTHDAY", "1990-06-01");
  await move(caller, gone, "archive");
  await move(caller, paused, "PAUSED");
  const item = (entry: Json, date: string, years: number | null) => ({
    date,
    what: entry.value.what,
    label: entry.label,
    personId: entry.personId,
    personName: entry.personId === known.personId ? "Lena" : "Ana",
    detailId: entry.detailId,
    years,
  });
  const onOneDay = [item(yearless, "2027-06-01", null), item(death, "2027-06-01", 0)]
    .toSorted((left, right) => left.detailId < right.detailId ? -1 : 1);
  assertEquals(await datesOf(caller, "2026-02-28", "2028-05-01"), [
    item(leap, "2026-02-28", 42),
    item(yearless, "2026-06-01", null),
    item(leap, "2027-02-28", 43),
    ...onOneDay,
    item(leap, "2028-02-29", 44),
  ]);
  // Half-open, and not before the stated year.
  assertEquals(await datesOf(caller, "2028-02-28", "2028-02-29"), []);
  assertEquals(await datesOf(caller, "1983-01-01", "1984-02-29"), [
    item(yearless, "1983-06-01", null),
  ]);
  assertEquals((await datesOf(caller, "2028-02-29", "2028-03-01")).length, 1);
});

Deno.test("SECRET dates are for readers with the permission", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const plain = await dateOf(caller, known, "BIRTHDAY", "--06-01");
  await dateOf(caller, known, "ANNIVERSARY", "--06-02", { privacy: "SECRET" });
  const other = await withoutSecrets(world(), caller);
  assertEquals((await datesOf(caller, "2026-01-01", "2027-01-01")).length, 2);
  assertEquals((await datesOf(other, "2026-01-01", "2027-01-01")).length, 1);
  await control(caller, plain, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
  assertEquals(await datesOf(other, "2026-01-01", "2027-01-01"), []);
});

Deno.test("The days of a list are checked, and its cursor is for these days", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  await dateOf(caller, known, "BIRTHDAY", "--06-01");
  await dateOf(caller, known, "BIRTHDAY", "--06-02");
  const refusals: readonly [string, string, string[]][] = [
    ["", "field.required", ["from", "to"]],
    ["from=2026-01-01", "field.required", ["to"]],
    ["from=2026-02-30&to=2026-03-01", "field.date", ["from"]],
    ["from=2026-1-1&to=--03-01", "field.date", ["from", "to"]],
    ["from=2026-01-01&to=2025-12-31", "range.order", ["from", "to"]],
    ["from=2026-01-01&to=2028-03-12", "range.length", ["from", "to"]],
  ];
  for (const [query, rule, fields] of refusals) {
    assertInvalid(await caller.call("GET", `${DATES}?${query}`), [rule], fields, query);
  }
  await read(caller, `${DATES}?from=2026-01-01&to=2028-03-11`);
  assertEquals(await datesOf(caller, "2026-06-01", "2026-06-01"), []);
  const { nextCursor } = await read(caller, `${DATES}?from=2026-01-01&to=2027-01-01&limit=1`);
  const other = `${DATES}?from=2026-01-02&to=2027-01-01&limit=1&cursor=${nextCursor}`;
  assertInvalid(await caller.call("GET", other), ["cursor.unknown"], ["cursor"]);
  assertEquals((await read(caller, personPath(known, "/details"))).items.length, 2);
});
