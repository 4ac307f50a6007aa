/**
 * Runs cases of contacts and calendars. A case is a folder with its inputs and `expected.json`,
 * whose members the tables of checks name here and in `contact_imports.ts`. Any other member fails.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { DAY_MS } from "../../src/core/clock.ts";
import { done } from "../families/memory/api.ts";
import { createPerson, detail, PEOPLE, personPath } from "../families/relationship/api.ts";
import type { Caller, Json, World } from "../support/world.ts";
import { componentsOf, DUE, linesOf, makeFeed, pathOfFeed, readCalendar } from "./calendar.ts";
import { checkEach, checkMembers, type Checks, isPart, refuseOthers } from "./case_checks.ts";
import { runImports } from "./contact_imports.ts";
import { assertFailure, pathOf, walkPages } from "./kernel.ts";

interface Subject {
  readonly world: World;
  readonly caller: Caller;
  readonly folder: URL;
}

/** In the order of their effects. */
const CHECKS: Checks<Subject> = {
  id: () => {},
  title: () => {},
  points: () => {},
  given: checkEach(create),
  refused: checkEach(assertRefused),
  imports: runImports,
  due: checkEach(assertDue),
  feeds: checkEach(assertFeed),
  reads: assertReads,
  changes: checkEach(assertChange),
};

/** Runs a case. The caller's account has no records yet. */
export async function runCase(world: World, caller: Caller, folder: URL): Promise<void> {
  const text = await Deno.readTextFile(new URL("expected.json", folder));
  const expected = fillPlaceholders(JSON.parse(text), world.now());
  await checkMembers(CHECKS, { world, caller, folder }, expected);
}

/** Replaces placeholders by days counted from `now`, and texts like `#4` by their numbers. */
export function fillPlaceholders(value: Json, now: Date): Json {
  if (Array.isArray(value)) return value.map((each) => fillPlaceholders(each, now));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map((
      [name, each],
    ) => [name, fillPlaceholders(each, now)]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== "string") return value;
  const text = value.replaceAll(/\{([^{}]*)\}/g, (whole, inside) => {
    return whole === "{secret}" ? whole : placeholder(inside, now);
  });
  return /^#-?\d+$/.test(text) ? Number(text.slice(1)) : text;
}

function placeholder(inside: string, now: Date): string {
  const match = /^(?:([+-]\d+)(c|md)?|y([+-]\d+)(-\d+)|feb29(c|md|-\d+)?)$/.exec(inside);
  if (match === null) throw new Error(`Unknown placeholder {${inside}}`);
  const [, days, form, yearDays, lessYears, leapForm] = match;
  const distance = days ?? yearDays;
  const day = distance === undefined ? nextLeapDay(now) : dayAfter(now, Number(distance));
  return written(day, form ?? lessYears ?? leapForm ?? "");
}

function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** The next 29 February, or 28 February of a year without one. */
function nextLeapDay(now: Date): string {
  const days = [0, 1].map((more) => {
    // Day 0 of March.
    return new Date(Date.UTC(now.getUTCFullYear() + more, 2, 0)).toISOString().slice(0, 10);
  });
  const [first = "", second = ""] = days;
  return first >= dayAfter(now, 0) ? first : second;
}

/** @param form `c` without hyphens, `md` without the year, `-1990` the year less 1990. */
function written(day: string, form: string): string {
  if (form === "") return day;
  if (form === "c") return day.replaceAll("-", "");
  return form === "md" ? day.slice(5) : `${Number(day.slice(0, 4)) + Number(form)}`;
}

/** Creates a person with details, or a record. Moves the clock, so that identifiers ascend. */
async function create({ world, caller }: Subject, given: Json): Promise<void> {
  refuseOthers(given, ["person", "details", "record"]);
  if (given.person !== undefined) {
    const known = await createPerson(caller, given.person);
    for (const each of given.details ?? []) {
      world.advance(1);
      await detail(caller, known, each);
    }
  }
  if (given.record !== undefined) {
    const [module, body] = given.record;
    await done(caller, `/api/v2/records/${module}`, body);
  }
}

async function assertRefused({ caller }: Subject, refused: Json): Promise<void> {
  refuseOthers(refused, ["detail"]);
  const known = (await walkPages(caller, PEOPLE)).flat()[0] ?? await createPerson(caller);
  const body = { privacy: "PRIVATE", ...refused.detail };
  const path = personPath(known, "/details");
  assertFailure(await caller.call("POST", path, { key: ulid(), body }), "PAYLOAD_INVALID");
}

async function assertDue({ caller }: Subject, expected: Json): Promise<void> {
  refuseOthers(expected, ["until", "only"]);
  const { until, only: { title, items, ...others } } = expected;
  refuseOthers(others, []);
  const range = { until: `${until}T00:00:00Z`, limit: "100" };
  const due = (await walkPages(caller, DUE, range)).flat().filter((item) => item.title === title);
  if (due.length !== items.length) assertEquals(due, items);
  for (const [index, item] of items.entries()) {
    if (!isPart(item, due[index])) assertEquals(due, items);
  }
}

async function assertFeed(subject: Subject, expected: Json): Promise<void> {
  const { body = {}, query = "", has = [], hasNot = [], ...others } = expected;
  refuseOthers(others, []);
  const lines = linesOf(await readFeed(subject, await makeCaseFeed(subject, body), query));
  assertLines(lines, has, hasNot);
}

async function makeCaseFeed({ world, caller }: Subject, body: Json = {}): Promise<Json> {
  return await makeFeed(world, caller, { timeZone: "Europe/Berlin", ...body });
}

function readFeed({ world }: Subject, feed: Json, query = ""): Promise<string> {
  return readCalendar(world, feed, query);
}

/** An expected line that ends in `*` is the beginning of one. */
function assertLines(lines: readonly string[], has: string[], hasNot: string[]): void {
  const isOneOf = (expected: string) =>
    lines.some((line) =>
      expected.endsWith("*") ? line.startsWith(expected.slice(0, -1)) : line === expected
    );
  for (const line of has) assert(isOneOf(line), `no line ${line} in\n${lines.join("\n")}`);
  for (const line of hasNot) assert(!isOneOf(line), `a line ${line} in\n${lines.join("\n")}`);
}

async function assertReads(subject: Subject, { name, address, reads, ...others }: Json) {
  refuseOthers(others, []);
  const path = pathOfFeed(await makeCaseFeed(subject, { name }));
  const [secret = ""] = /prs_c_[\w-]+/.exec(path) ?? [];
  assertEquals(path.replace(secret, "{secret}"), address);
  await checkEach(async ({ world }: Subject, expected: Json) => {
    const { path = address, query = "", headers = [], method = "GET", ...results } = expected;
    const { status, has = [], hasNot = [], ...unknown } = results;
    refuseOthers(unknown, []);
    const sent = headers.map((line: string) => /^([^:]+): *(.*)$/.exec(line)?.slice(1) ?? []);
    const url = `${path.replace("{secret}", secret)}${query}`;
    const response = await world.call(method, url, { headers: Object.fromEntries(sent) });
    if (status !== undefined) assertEquals(response.status, status, `${method} ${path}${query}`);
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`.toLowerCase());
    assertLines(lines, has, hasNot);
  })(subject, reads);
}

/** Compares an entry before and after a change. The clock moves between the two. */
async function assertChange(subject: Subject, expected: Json): Promise<void> {
  const { before, rename, patch, detail, after, ...compared } = expected;
  const feed = await makeCaseFeed(subject);
  const first = entryOf(await readFeed(subject, feed), before);
  subject.world.advance(2000);
  await change(subject.caller, { rename, patch, detail });
  const second = entryOf(await readFeed(subject, feed), after);
  await checkMembers(COMPARISONS, [first, second], compared);
}

/** The lines of the entry with a SUMMARY. */
function entryOf(calendar: string, summary: string): string[] {
  const entries = componentsOf(calendar, "VEVENT");
  const found = entries.find((lines) => lines.includes(`SUMMARY:${summary}`));
  const titles = linesOf(calendar).filter((line) => line.startsWith("SUMMARY"));
  assert(found !== undefined, `no entry ${summary} among\n${titles.join("\n")}`);
  return found;
}

async function change(caller: Caller, { rename, patch, detail: added }: Json): Promise<void> {
  const send = async (path: string, body: Json) => {
    const { status, text } = await caller.call("PATCH", path, { body, key: ulid() });
    assertEquals(status, 200, text);
  };
  if (rename !== undefined) {
    const [name, personName] = rename;
    const known = await personNamed(caller, name);
    const { revision: expectedRevision } = known;
    await send(personPath(known), { expectedRevision, set: { personName }, remove: [] });
  }
  if (patch !== undefined) {
    const [module, title, body] = patch;
    const records = (await walkPages(caller, `/api/v2/records/${module}`)).flat();
    await send(pathOf(records.find((record) => record.title === title)), body);
  }
  if (added !== undefined) await detail(caller, await personNamed(caller, added[0]), added[1]);
}

async function personNamed(caller: Caller, name: string): Promise<Json> {
  const people = (await walkPages(caller, PEOPLE)).flat();
  return people.find(({ personName }) => personName === name);
}

type Entries = readonly [readonly string[], readonly string[]];

/** The value of a property, after its parameters. */
function valueOf(lines: readonly string[], property: string): string {
  const line = lines.find((line) =>
    line.startsWith(`${property}:`) || line.startsWith(`${property};`)
  );
  assert(line !== undefined, `no ${property} in\n${lines.join("\n")}`);
  return line.slice(line.indexOf(":") + 1);
}

function compareValues(holds: (before: string, after: string) => boolean) {
  return ([first, second]: Entries, properties: readonly string[]) => {
    for (const property of properties) {
      const [before, after] = [valueOf(first, property), valueOf(second, property)];
      assert(holds(before, after), `${property}: ${before}, then ${after}`);
    }
  };
}

const COMPARISONS: Checks<Entries> = {
  same: compareValues((before, after) => before === after),
  higher: compareValues((before, after) => Number(before) < Number(after)),
  later: compareValues((before, after) => before < after),
  values: ([, second], expected) => {
    const actual = Object.keys(expected).map((property) => [property, valueOf(second, property)]);
    assertEquals(Object.fromEntries(actual), expected);
  },
};
