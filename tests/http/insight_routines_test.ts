/** `GET /insight/routines`: random routines, compared with a model over their revisions. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { withPermissions } from "../families/memory/api.ts";
import { completionsOf as completionsOfRevisions } from "../../src/insight/completions.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, fileWorld, type Json, sharedWorld } from "../support/world.ts";
import { assertRefused } from "./access.ts";
import { ROUTINE } from "./calendar.ts";
import { addDays, completionsOf, dateIn, tokenOf, ZONES } from "./insight.ts";
import { assertInvalid, pathOf, readPage, walkPages } from "./kernel.ts";

/** A world whose clock moves by months. */
const apart = fileWorld();

const world = sharedWorld();

const ROUTINES = "/api/v2/insight/routines";
const LIST = "/api/v2/records/routine";
const STEPS = 150;
const HOUR_MS = 3_600_000;
const ZONES_OF_CLOCKS = ["Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"];

const REMOVAL = { payloadRemove: ["lastCompletedAt"] };

async function change(caller: Caller, record: Json, body: JsonObject): Promise<void> {
  const response = await caller.call("PATCH", pathOf(record), { body });
  assertEquals(response.status, 200, response.text);
}

/** A time up to three days ago, in several forms. */
function randomTime(random: Random): string {
  const ago = random.chance(0.7) ? random.integer(0, 60_000) : random.integer(0, 3 * DAY_MS);
  const utc = new Date(apart().now().getTime() - ago).toISOString();
  return random.chance(0.5) ? utc : `${utc}[${random.pick(ZONES_OF_CLOCKS)}]`;
}

/** The change of the button "Done", its undo, and other changes. */
async function changeOnce(random: Random, caller: Caller, { recordId }: Json): Promise<void> {
  const path = `${LIST}/${recordId}`;
  const record = (await caller.call("GET", path)).body.data;
  const { payload, localTimes } = record;
  const before = localTimes.lastCompletedAt ?? payload.lastCompletedAt;
  const done = { payload: { lastCompletedAt: randomTime(random) } };
  const act = random.integer(0, 9);
  if (act < 6) await change(caller, record, done);
  if (act === 4 || act === 5) {
    const undo = before === undefined ? REMOVAL : { payload: { lastCompletedAt: before } };
    await change(caller, record, undo);
  }
  if (act === 6) await change(caller, record, { title: random.text(1, 9) });
  if (act === 7 && before !== undefined) {
    await change(caller, record, REMOVAL);
  }
  if (act === 8) await change(caller, record, { payload: { active: false } });
}

async function modelOf(caller: Caller, zone: string): Promise<Json> {
  const routines = (await walkPages(caller, LIST)).flat();
  const today = dateIn(zone, apart().now().toISOString());
  let monday = today;
  while (new Date(monday).getUTCDay() !== 1) monday = addDays(monday, -1);
  const from = addDays(monday, -77);
  const items = await Promise.all(routines.map(async ({ recordId, title, payload }) => {
    const revisions = (await walkPages(caller, `${LIST}/${recordId}/revisions`)).flat();
    const days: Record<string, number> = {};
    for (const day of completionsOf(revisions.toReversed(), zone)) {
      if (day >= from && day <= today) days[day] = (days[day] ?? 0) + 1;
    }
    return {
      recordId,
      title,
      intervalDays: payload.intervalDays,
      active: payload.active,
      lastCompletedAt: payload.lastCompletedAt ?? null,
      nextDueAt: payload.nextDueAt ?? null,
      complete: true,
      days: Object.keys(days).sort().map((day) => ({ day, count: days[day] })),
    };
  }));
  return { from, until: addDays(today, 1), zone, items };
}

Deno.test("Routines of random changes equal the stack of their revisions in each zone", async () => {
  const random = seededRandom(2_900);
  const caller = await tokenOf(apart(), await apart().createCaller());
  await (await apart().createCaller()).create("routine", ROUTINE);
  const made: Json[] = [];
  for (let step = 0; step < STEPS; step++) {
    if (made.length < 5 && random.chance(0.3)) {
      const title = random.pick(["Bins", "bins", "Wash", "water the plants"]);
      const done = random.chance(0.3) && { lastCompletedAt: randomTime(random) };
      made.push(await caller.create("routine", { ...ROUTINE, ...done }, title));
    } else if (made.length > 0) {
      await changeOnce(random, caller, random.pick(made));
    }
    apart().advance(random.integer(1, 36) * HOUR_MS);
  }
  await caller.call("POST", `${pathOf(made[0])}/archive`, { body: {} });
  for (const zone of ZONES) {
    const expected = await modelOf(caller, zone);
    const byId = (items: readonly Json[]) =>
      items.toSorted((one, other) => one.recordId < other.recordId ? -1 : 1);
    const response = await caller.call("GET", `${ROUTINES}?zone=${zone}`);
    const { nextCursor, ...found } = response.body.data;
    assertEquals(nextCursor, null);
    assertEquals({ ...found, items: byId(found.items) }, {
      ...expected,
      items: byId(expected.items),
    });
    assert(found.items.some(({ days }: Json) => days.length > 2));
  }
});

Deno.test("Routines come by title, page by page", async () => {
  const caller = await world().createCaller();
  for (const title of ["Zoo", "bins", "Äpfel", "Bin", "42"]) {
    await caller.create("routine", ROUTINE, title);
  }
  const zone = "Europe/Berlin";
  const pages: Json[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { zone, limit: "2", ...(cursor && { cursor }) };
    const response = await caller.call("GET", `${ROUTINES}?${new URLSearchParams(query)}`);
    assertEquals(response.status, 200, response.text);
    const { data } = response.body;
    pages.push(...data.items);
    cursor = data.nextCursor;
  } while (cursor !== null);
  assertEquals(pages.map(({ title }) => title), ["42", "Äpfel", "Bin", "bins", "Zoo"]);

  const first = await caller.call("GET", `${ROUTINES}?zone=${zone}&limit=2`);
  const bound = { zone, cursor: first.body.data.nextCursor };
  const stranger = await world().createCaller();
  for (
    const [reader, path, query] of [
      [stranger, ROUTINES, bound],
      [caller, ROUTINES, { ...bound, zone: "UTC" }],
      [caller, "/api/v2/insight/contacts", bound],
    ] as const
  ) {
    const response = await reader.call("GET", `${path}?${new URLSearchParams(query)}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("Routines refuse a bad query, and readers who may not read the module", async () => {
  const caller = await world().createCaller();
  const ask = (reader: Caller, query: string) => reader.call("GET", `${ROUTINES}${query}`);
  assertInvalid(await ask(caller, ""), ["field.required"], ["zone"]);
  assertInvalid(await ask(caller, "?zone=CET%2B1x"), ["field.time_zone"], ["zone"]);
  assertInvalid(await ask(caller, "?zone=UTC&limit=0"), ["field.range"], ["limit"]);
  assertInvalid(await ask(caller, "?zone=UTC&from=2026-01-01"), ["undeclared_field"], ["from"]);
  const blind = await withPermissions(world(), caller, "memory.read");
  assertRefused(await ask(blind, "?zone=UTC"), "FORBIDDEN");
  const elsewhere = await tokenOf(world(), caller, { modules: ["memory"] });
  assertRefused(await ask(elsewhere, "?zone=UTC"), "FORBIDDEN");
  const reader = await tokenOf(world(), caller, { modules: ["routine"] });
  assertEquals((await readPage(caller, LIST)).items, []);
  assertEquals((await ask(reader, "?zone=UTC")).body.data.items, []);
});

Deno.test("A completion that comes back is the same one, with the clock it had", () => {
  const [first, second] = ["2026-11-01T10:00:00.000Z", "2026-11-02T10:00:00.000Z"];
  const done = { time: first, clock: "+09:00[Asia/Tokyo]" };
  const revisions = [
    done,
    { time: second, clock: null },
    { time: null, clock: null },
    { time: first, clock: null },
  ];
  assertEquals(completionsOfRevisions(revisions), [done]);
});
