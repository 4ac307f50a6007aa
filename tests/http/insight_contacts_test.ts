/** `GET /insight/contacts`: random people, compared with a model over list pages and due items. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import {
  contact,
  control,
  createPerson,
  detail,
  move,
  PEOPLE,
  reclassified,
  RETRACTED,
} from "../families/relationship/api.ts";
import { withPermissions } from "../families/memory/api.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertRefused } from "./access.ts";
import { DUE } from "./calendar.ts";
import { dateIn, dayOf, daysFrom, tokenOf, ZONES } from "./insight.ts";
import { assertInvalid, readPage, walkPages } from "./kernel.ts";

const world = sharedWorld();

const CONTACTS = "/api/v2/insight/contacts";
const PEOPLE_COUNT = 16;

/** Around midnight of several zones, and with or without a clock. */
function randomTime(random: Random): string {
  const day = `2026-${random.pick(["03-29", "08-01", "10-25", "11-01", "11-18"])}`;
  const time = random.pick(["00:10:00", "02:30:00", "12:00:00", "23:50:00"]);
  return `${day}T${time}${random.pick(["Z", "+09:00[Asia/Tokyo]", "-10:00", "+00:00"])}`;
}

async function makePerson(random: Random, caller: Caller): Promise<void> {
  const person = await createPerson(caller, {
    personName: random.text(1, 12),
    ...(random.chance(0.85) && { desiredContactIntervalDays: random.pick([1, 1, 30, 200, 300]) }),
    ...(random.chance(0.3) && { lastContactAt: randomTime(random) }),
  });
  for (let count = random.integer(0, 2); count > 0; count--) {
    const privacy = random.pick(["NORMAL", "SECRET"]);
    const made = await contact(caller, person, { contactedAt: randomTime(random), privacy });
    if (random.chance(0.3)) await control(caller, made, RETRACTED);
  }
  if (random.chance(0.3)) {
    const date = random.pick(["2020", "2026-11-20", "2027-01-01", "--05-01", "2040-01-01"]);
    const made = await detail(caller, person, {
      kind: "DATE",
      value: { what: "DEATH", date },
      privacy: "NORMAL",
    });
    if (random.chance(0.3)) await control(caller, made, reclassified("SECRET"));
    if (random.chance(0.3)) await control(caller, made, RETRACTED);
  }
  const status = random.pick(
    ["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED", "archive", "SEALED"] as const,
  );
  if (status !== "ACTIVE") await move(caller, person, status);
}

async function modelOf(caller: Caller, zone: string): Promise<Json[]> {
  const people = (await walkPages(caller, PEOPLE)).flat();
  const until = new Date(world().now().getTime() + 399 * DAY_MS).toISOString();
  const due = (await walkPages(caller, DUE, { kinds: "CONTACT", until })).flat();
  const today = dateIn(zone, world().now().toISOString());
  return due.map(({ recordId, at }) => {
    const person = people.find(({ personId }) => personId === recordId);
    const { personId, personName, desiredContactIntervalDays, lastContactAt } = person;
    const last = lastContactAt === null
      ? dateIn(zone, person.createdAt)
      : dayOf(person, "lastContactAt", zone);
    const nextDay = dateIn(zone, at);
    return {
      personId,
      personName,
      desiredContactIntervalDays,
      lastContactAt,
      daysSince: daysFrom(last, today),
      nextDay,
      daysOver: daysFrom(nextDay, today),
    };
  });
}

Deno.test("Contacts of random people equal the list of people and due items in each zone", async () => {
  const random = seededRandom(2_700);
  const caller = await world().createCaller();
  await createPerson(await world().createCaller(), { desiredContactIntervalDays: 1 });
  for (let count = 0; count < PEOPLE_COUNT; count++) await makePerson(random, caller);
  for (const zone of ZONES) {
    const limit = String(random.integer(1, 7));
    const found = (await walkPages(caller, CONTACTS, { zone, limit })).flat();
    assert(found.length > 4);
    assertEquals(found, await modelOf(caller, zone), zone);
  }
});

Deno.test("A cursor of contacts is bound to owner, list and zone", async () => {
  const caller = await world().createCaller();
  const stranger = await world().createCaller();
  for (let count = 0; count < 3; count++) {
    await createPerson(caller, { desiredContactIntervalDays: 30 });
  }
  const zone = "Europe/Berlin";
  const first = await readPage(caller, CONTACTS, { zone, limit: "1" });
  const cursor = first.nextCursor ?? "";
  const rest = await readPage(caller, CONTACTS, { zone, limit: "9", cursor });
  assertEquals(new Set([...first.items, ...rest.items].map(({ personId }) => personId)).size, 3);
  const refused = async (reader: Caller, path: string, query: Record<string, string>) => {
    const response = await reader.call("GET", `${path}?${new URLSearchParams(query)}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  };
  await refused(stranger, CONTACTS, { zone, cursor });
  await refused(caller, CONTACTS, { zone: "Europe/Paris", cursor });
  await refused(caller, CONTACTS, { zone, cursor: `${cursor.slice(0, -2)}AA` });
  await refused(caller, PEOPLE, { cursor });
});

Deno.test("Contacts refuse bad zones, and readers who may not read people", async () => {
  const caller = await world().createCaller();
  const ask = (query: string) => caller.call("GET", `${CONTACTS}${query}`);
  assertInvalid(await ask(""), ["field.required"], ["zone"]);
  for (const zone of ["%2B02:00", "CET%2B1x", "JST", "Mars/Olympus", "", "UTC%00"]) {
    const details = (await ask(`?zone=${zone}`)).body.error.details;
    assert(details.rules.includes("field.time_zone"), zone);
  }
  assertInvalid(await ask("?zone=UTC&sort=name"), ["undeclared_field"], ["sort"]);
  assertInvalid(await ask("?zone=UTC&zone=UTC"), ["query.repeated"], ["zone"]);
  assertInvalid(await ask("?zone=UTC&limit=101"), ["field.range"], ["limit"]);
  const blind = await withPermissions(world(), caller, "record.read", "relationship.ledger.read");
  assertRefused(await blind.call("GET", `${CONTACTS}?zone=UTC`), "FORBIDDEN");
  const apart = await tokenOf(world(), caller, { modules: ["routine"] });
  assertRefused(await apart.call("GET", `${CONTACTS}?zone=UTC`), "FORBIDDEN");
});
