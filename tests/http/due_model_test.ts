/** Yearly dates, the dead, and contacts of random people, compared with a slow model. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import {
  control,
  createPerson,
  detail,
  move,
  withoutSecrets,
} from "../families/relationship/api.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { DUE } from "./calendar.ts";
import { walkPages } from "./kernel.ts";

const world = fileWorld();

const ROUNDS = Number(Deno.env.get("DUE_MODEL_ROUNDS") ?? 2);
const PEOPLE = 14;
const DETAILS = 6;
/** Days on which dates meet: leap days, the turn of the year, and neighbours of a death. */
const DAYS = "02-28 02-29 03-01 06-01 12-31 01-01".split(" ");
const YEARS = [1984, 2026, 2027];
const LINES = ["DEATHDATE", "x-deathdate", "X-PRS-DEATHDATE", "X-MONICA-DEAD", "X-DEATH"];
const FIRST = "2026-02-01";
const LAST = "2028-04-01";

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

interface KnownDetail {
  readonly made: Json;
  readonly isLive: boolean;
  readonly isSecret: boolean;
}

interface Known {
  readonly person: Json;
  readonly status: string;
  readonly details: readonly KnownDetail[];
}

function randomDeath(random: Random): JsonObject {
  const date = random.pick(["2026", "2027", "--06-01", "2026-06-01", "2027-03-01"]);
  return {
    kind: "DATE",
    value: { what: "DEATH", date },
    privacy: random.pick(["NORMAL", "SECRET"]),
  };
}

function randomDetail(random: Random): JsonObject {
  const privacy = random.pick(["NORMAL", "NORMAL", "PRIVATE", "SECRET"]);
  if (random.chance(0.04)) {
    return { kind: "OTHER", value: { property: random.pick(LINES), value: "long ago" }, privacy };
  }
  const year = random.pick(YEARS);
  const form = random.integer(0, 7);
  const day = random.pick(DAYS.filter((day) => day !== "02-29" || year === 1984));
  const date = form === 0 ? String(year) : form === 1 ? `--${random.pick(DAYS)}` : `${year}-${day}`;
  const what = random.pick("BIRTHDAY BIRTHDAY ANNIVERSARY MET OTHER OTHER".split(" "));
  const yearly = form > 0 && random.chance(0.3) && { yearly: random.chance(0.5) };
  const label = random.chance(0.5) && { label: "Name day" };
  return { kind: "DATE", value: { what, date, ...yearly }, ...label, privacy };
}

async function randomPerson(random: Random, caller: Caller): Promise<Known> {
  const person = await createPerson(caller, {
    personName: random.text(1, 20),
    ...(random.chance(0.8) && {
      desiredContactIntervalDays: random.pick([30, 100, 300, 400]),
      lastContactAt: `2026-${random.pick(["01-01", "03-01", "06-01"])}T23:30:00.000Z`,
    }),
  });
  const details: KnownDetail[] = [];
  for (let count = random.integer(0, DETAILS); count > 0; count--) {
    const body = count === 1 ? randomDeath(random) : randomDetail(random);
    const made = await detail(caller, person, body);
    const isLive = random.chance(0.75);
    if (!isLive) await control(caller, made, { kind: "RETRACTED" });
    const isRaised = isLive && body.privacy !== "SECRET" && random.chance(0.15);
    if (isRaised) {
      await control(caller, made, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
    }
    details.push({ made, isLive, isSecret: isRaised || body.privacy === "SECRET" });
  }
  const status = random.pick(["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED", "archive"] as const);
  if (status !== "ACTIVE") await move(caller, person, status);
  return { person, status, details };
}

/** Whether a person was dead on a day. */
function wasDead({ details }: Known, day: string): boolean {
  return details.some(({ made: { kind, value }, isLive }) => {
    if (!isLive) return false;
    if (kind === "OTHER") return LINES.slice(0, 4).includes(value.property);
    if (value.what !== "DEATH") return false;
    const [, year, monthDay] = /^(\d{4}|-)-?(.*)$/.exec(value.date) ?? [];
    if (year === "-") return true;
    return monthDay === "" ? day >= `${year}-01-01` : day > value.date;
  });
}

function isYearly({ value: { what, date, yearly }, label }: Json): boolean {
  if (/^\d{4}$/.test(date)) return false;
  return yearly ?? (what === "OTHER" ? label !== null : what !== "MET");
}

/** The day `MM-DD` on which a date returns in a year. */
function dayIn(year: number, date: string): string {
  const day = date.slice(-5);
  const isLeap = isoDay(Date.UTC(year, 1, 29)).endsWith("02-29");
  return day === "02-29" && !isLeap ? "02-28" : day;
}

/** The dates of a range of days in the form of `GET /relationship/dates`. */
function modelDates(people: readonly Known[], from: string, to: string, withSecrets: boolean) {
  const found: Json[] = [];
  for (let time = Date.parse(from); isoDay(time) < to; time += DAY_MS) {
    const date = isoDay(time);
    const year = Number(date.slice(0, 4));
    for (const known of people.filter(({ status }) => status !== "archive")) {
      for (const { made, isLive, isSecret } of known.details) {
        const { kind, value, label, detailId } = made;
        if (!isLive || kind !== "DATE" || !isYearly(made)) continue;
        const { what } = value;
        const stated = value.date.startsWith("-") ? null : Number(value.date.slice(0, 4));
        if ((stated ?? 0) > year || dayIn(year, value.date) !== date.slice(5)) continue;
        if (isSecret && (what === "DEATH" || !withSecrets)) continue;
        if (what !== "DEATH" && wasDead(known, date)) continue;
        const { personId, personName } = known.person;
        const years = stated === null ? null : year - stated;
        found.push({ date, what, label, personId, personName, detailId, years });
      }
    }
  }
  return found;
}

/** The people whose contact is due before a time. */
function modelContacts(people: readonly Known[], until: string): Json[] {
  const today = isoDay(world().now().getTime());
  return people.flatMap((known) => {
    const { personId, lastContactAt, desiredContactIntervalDays: days } = known.person;
    if (known.status !== "ACTIVE" || days === null) return [];
    const at = new Date(Date.parse(lastContactAt) + days * DAY_MS).toISOString();
    const day = at.slice(0, 10) > today ? at.slice(0, 10) : today;
    return at < until && !wasDead(known, day) ? [{ personId, at }] : [];
  });
}

const sorted = (items: readonly Json[], ...names: string[]) =>
  items.toSorted((one, other) => {
    const [left, right] = [one, other].map((item) => names.map((name) => item[name]).join());
    return String(left) < String(right) ? -1 : 1;
  });

const toDate = (
  { date, what, label, recordId: personId, title: personName, sourceId: detailId, years }: Json,
) => ({ date, what, label, personId, personName, detailId, years });

for (let round = 0; round < ROUNDS; round++) {
  Deno.test(`Random people have the dates and contacts of the model (${round})`, async () => {
    const random = seededRandom(3_810 + round);
    const caller = await world().createCaller();
    const people: Known[] = [];
    for (let count = 0; count < PEOPLE; count++) people.push(await randomPerson(random, caller));
    const now = world().now();
    const from = isoDay(now.getTime() - 300 * DAY_MS);
    const until = isoDay(now.getTime() + 399 * DAY_MS);
    const limit = String(random.integer(1, 30));
    const blind = await withoutSecrets(world(), caller);
    for (const [reader, withSecrets] of [[caller, true], [blind, false]] as const) {
      const range = { from: FIRST, to: LAST, limit };
      const dates = (await walkPages(reader, "/api/v2/relationship/dates", range)).flat();
      const expected = modelDates(people, FIRST, LAST, withSecrets);
      assert(expected.length > 0);
      assertEquals(dates, sorted(expected, "date", "detailId"));

      const times = { from: `${from}T00:00:00Z`, until: `${until}T00:00:00Z`, limit };
      const due = (await walkPages(reader, DUE, { ...times, kinds: "DATE" })).flat();
      const inRange = modelDates(people, from, until, withSecrets);
      assertEquals(due.map(toDate), sorted(inRange, "date", "personId", "detailId"));
    }
    const asked = { until: `${until}T00:00:00Z`, limit, kinds: "CONTACT" };
    const contacts = (await walkPages(caller, DUE, asked)).flat()
      .map(({ recordId: personId, at }) => ({ personId, at }));
    assertEquals(contacts, sorted(modelContacts(people, until), "at", "personId"));
    const { counts } = (await caller.call("GET", `${DUE}?counts=true&kinds=CONTACT`)).body.data;
    const overdue = sorted(modelContacts(people, now.toISOString()), "at");
    assertEquals(counts, { overdue: overdue.length, oldest: overdue[0]?.at ?? null, more: false });
  });
}
