/** `GET /insight/week`: random lives, compared with a model over list pages. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { decide, decisionPath, DECISIONS, OUTCOME, PREDICTION } from "../families/decision/api.ts";
import { done, remember, TEXTS, withPermissions } from "../families/memory/api.ts";
import {
  contact,
  control,
  createPerson,
  move,
  PEOPLE,
  personPath,
  RETRACTED,
} from "../families/relationship/api.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, fileWorld, type Json, sharedWorld } from "../support/world.ts";
import { assertRefused } from "./access.ts";
import { ACTION, COMMITMENT, ROUTINE } from "./calendar.ts";
import {
  addDays,
  completionsOf,
  dateIn,
  dayOf,
  dayOfMemory,
  ownDayOf,
  tokenOf,
} from "./insight.ts";
import { assertFailure, assertInvalid, HEALTH, pathOf, walkPages } from "./kernel.ts";

/** A world whose clock moves by days. */
const apart = fileWorld();

const world = sharedWorld();

const WEEK = "/api/v2/insight/week";
const STEPS = 100;
const START = "2026-11-23";
const TIMELINE: JsonObject = { eventType: "OTHER", eventTitle: "A", eventDescription: "B" };

/** In ten days around the week and not after `now`; often near midnight. */
function timeBefore(random: Random, now: Date): string {
  const midnight = Date.parse("2026-11-22") + random.integer(0, 10) * DAY_MS;
  const time = midnight + random.pick([0, 1, -1, 10, 14, -9.5, 13.75]) * 3_600_000;
  return withClock(random, Math.min(time, now.getTime()));
}

function withClock(random: Random, time: number): string {
  const utc = new Date(time).toISOString();
  const form = random.integer(0, 5);
  if (form === 0) return `${utc}[Asia/Tokyo]`;
  if (form === 1) return `${utc}[America/Los_Angeles]`;
  return utc;
}

interface Life {
  readonly random: Random;
  readonly caller: Caller;
  readonly time: () => string;
  readonly people: Json[];
  readonly routines: Json[];
}

const KINDS: readonly ((life: Life) => Promise<unknown>)[] = [
  ({ random, caller, time }) => {
    const completionStatus = random.pick(
      "OPEN IN_PROGRESS COMPLETED COMPLETED BROKEN CANCELLED RENEGOTIATED".split(" "),
    );
    return caller.create("commitment", {
      ...COMMITMENT,
      completionStatus,
      ...(random.chance(0.8) && { dueAt: time() }),
      ...(completionStatus === "COMPLETED" && random.chance(0.8) && { completedAt: time() }),
    });
  },
  ({ random, caller, time }) => {
    const actionStatus = random.pick(
      "PLANNED ACTIVE BLOCKED ON_HOLD COMPLETED ABANDONED".split(" "),
    );
    return caller.create("action", { ...ACTION, actionStatus, targetDate: time() });
  },
  ({ random, caller, time }) =>
    caller.create("health", {
      ...HEALTH,
      metricType: random.pick(["MOOD", "WEIGHT", "SLEEP_DURATION"]),
      unit: random.pick(["kg", "lb", "😀", "\uffee"]),
      value: random.integer(-20, 900) / 10,
      measuredAt: time(),
    }),
  ({ random, caller, time }) => {
    const timePrecision = random.pick(["EXACT", "DAY", "MONTH", "UNKNOWN"]);
    const stated = timePrecision === "UNKNOWN" ? {} : { startAt: time() };
    return caller.create("timeline", { ...TIMELINE, timePrecision, ...stated });
  },
  ({ random, caller, time }) => {
    const timePrecision = random.pick(["EXACT", "DAY", "YEAR"]);
    const privacyLevel = random.pick(["NORMAL", "SECRET"]);
    return remember(caller, { occurredAt: time(), timePrecision, privacyLevel });
  },
  async ({ random, caller, time }) => {
    const chosen = random.chance(0.7) && { chosenOption: "Neither", decidedAt: time() };
    const path = decisionPath(await decide(caller, chosen || {}));
    const { predictionId } = await done(caller, `${path}/predictions`, {
      ...PREDICTION,
      dueAt: time(),
    });
    const judged = random.chance(0.5) && { predictionId };
    await done(caller, `${path}/outcomes`, { ...OUTCOME, ...judged, observedAt: time() });
    if (random.chance(0.2)) await done(caller, `${path}/archive`, {});
  },
  async ({ random, caller, time, people }) => {
    if (people.length < 3) people.push(await createPerson(caller));
    const privacy = random.pick(["NORMAL", "NORMAL", "SECRET"]);
    const made = await contact(caller, random.pick(people), { contactedAt: time(), privacy });
    if (random.chance(0.2)) await control(caller, made, RETRACTED);
  },
  async ({ random, caller, time, routines }) => {
    if (routines.length < 3) routines.push(await caller.create("routine", ROUTINE));
    const { recordId } = random.pick(routines);
    const path = `/api/v2/records/routine/${recordId}`;
    const { payload: { lastCompletedAt } } = (await caller.call("GET", path)).body.data;
    await caller.call("PATCH", path, { body: { payload: { lastCompletedAt: time() } } });
    if (random.chance(0.3)) {
      const body = lastCompletedAt === undefined
        ? { payloadRemove: ["lastCompletedAt"] }
        : { payload: { lastCompletedAt } };
      await caller.call("PATCH", path, { body });
    }
  },
];

async function live(random: Random, steps = STEPS): Promise<Caller> {
  const caller = await apart().createCaller();
  const people: Json[] = [];
  const routines: Json[] = [];
  const time = () => timeBefore(random, apart().now());
  for (let step = 0; step < steps; step++) {
    const made = await random.pick(KINDS)({ random, caller, time, people, routines });
    const isGeneric = typeof made === "object" && made !== null && "moduleCode" in made;
    if (isGeneric && random.chance(0.15)) {
      await caller.call("POST", `${pathOf(made)}/archive`, { body: {} });
    }
    apart().advance(random.integer(0, 4) * 3_600_000);
  }
  if (people[2] !== undefined) await move(caller, people[2], "archive");
  return caller;
}

const itemsOf = async (caller: Caller, path: string, query: Record<string, string> = {}) =>
  (await walkPages(caller, path, { limit: "100", ...query })).flat();

/** The model of one account, for readers of all modules and contacts. */
async function modelOf(caller: Caller, zone: string, withSecrets: boolean): Promise<Json> {
  const isIn = (day: string | null) => day !== null && day >= START && day < addDays(START, 7);
  const live: Record<string, Json[]> = {};
  const written: Json[] = [];
  for (const { code } of CATALOG.modules) {
    const all = await itemsOf(caller, `/api/v2/records/${code}`, { archived: "include" });
    const seen = all.filter(({ redacted }) => redacted === undefined);
    live[code] = seen.filter(({ archivedAt }) => archivedAt === null);
    const count = seen.filter(({ createdAt }) => isIn(dateIn(zone, createdAt))).length;
    if (count > 0) written.push({ moduleCode: code, count });
  }
  const people = await itemsOf(caller, PEOPLE);
  const contacts = (await Promise.all(
    people.map((person) => itemsOf(caller, personPath(person, "/contacts"))),
  )).flat().filter((made) => made.state === "LIVE" && isIn(dayOf(made, "contactedAt", zone)));
  return {
    from: START,
    until: addDays(START, 7),
    zone,
    due: dueOf(live, zone, isIn),
    routines: await routinesOf(caller, live.routine ?? [], zone, isIn),
    lived: await livedOf(caller, live, contacts.length, { zone, withSecrets, isIn }),
    written,
    contacts: {
      people: new Set(contacts.map(({ personId }) => personId)).size,
      contacts: contacts.length,
    },
    measures: measuresOf(
      (live.health ?? []).filter((record) => isIn(dayOf(record, "measuredAt", zone))),
    ),
    decisions: await decisionsOf(caller, zone, isIn),
  };
}

type IsIn = (day: string | null) => boolean;

const STATES: Record<string, string> = { BROKEN: "broken", CANCELLED: "dropped" };
Object.assign(STATES, { ON_HOLD: "dropped", ABANDONED: "dropped" });

function dueOf(live: Record<string, Json[]>, zone: string, isIn: IsIn): Json[] {
  return [["commitment", "dueAt", "completionStatus"], ["action", "targetDate", "actionStatus"]]
    .map(([moduleCode = "", time = "", status = ""]) => {
      const counts = { met: 0, late: 0, untimed: 0, missed: 0, ahead: 0, broken: 0, dropped: 0 };
      for (const record of live[moduleCode] ?? []) {
        const { payload } = record;
        if (payload[time] === undefined || !isIn(dayOf(record, time, zone))) continue;
        const isPast = payload[time] < apart().now().toISOString();
        const isOnTime = payload.completedAt !== undefined &&
          dayOf(record, "completedAt", zone) <= dayOf(record, time, zone);
        const state = payload[status] === "COMPLETED"
          ? payload.completedAt === undefined ? "untimed" : isOnTime ? "met" : "late"
          : STATES[payload[status]] ?? (isPast ? "missed" : "ahead");
        counts[state as keyof typeof counts]++;
      }
      return { moduleCode, ...counts };
    });
}

async function routinesOf(
  caller: Caller,
  live: readonly Json[],
  zone: string,
  isIn: IsIn,
): Promise<Json> {
  const counts = await Promise.all(live.map(async (record) => {
    const revisions = await itemsOf(caller, `${pathOf(record)}/revisions`);
    return completionsOf(revisions.toReversed(), zone).filter(isIn).length;
  }));
  return {
    routines: counts.filter((count) => count > 0).length,
    completions: counts.reduce((sum, count) => sum + count, 0),
    complete: true,
  };
}

async function livedOf(
  caller: Caller,
  live: Record<string, Json[]>,
  contacts: number,
  { zone, withSecrets, isIn }: { zone: string; withSecrets: boolean; isIn: IsIn },
): Promise<Json[]> {
  const memories = (await itemsOf(caller, TEXTS)).filter((memory) =>
    (withSecrets || memory.redacted === undefined) &&
    ["EXACT", "DAY"].includes(memory.timePrecision) && isIn(dayOfMemory(memory, zone))
  );
  return CATALOG.modules.flatMap(({ code }) => {
    if (code === "routine") return [];
    const own = (live[code] ?? []).filter((record) => {
      const isOnADay = code !== "timeline" ||
        ["EXACT", "DAY"].includes(record.payload.timePrecision);
      return isOnADay && isIn(ownDayOf(record, zone));
    });
    const count = { memory: memories.length, relationship: contacts }[code as string] ?? own.length;
    return count === 0 ? [] : [{ moduleCode: code, count }];
  });
}

/** In whole tenths. */
function measuresOf(records: readonly Json[]): Json[] {
  return ["SLEEP_DURATION", "WEIGHT", "MOOD"].flatMap((kind) =>
    ["kg", "lb", "\uffee", "😀"].flatMap((unit) => {
      const values = records.map(({ payload }) => payload)
        .filter(({ metricType, unit: of }) => metricType === kind && of === unit)
        .map(({ value }) => Math.round(value * 10)).sort((one, other) => one - other);
      const count = values.length;
      const [low = 0, high = 0] = [values[(count - 1) >> 1], values[count >> 1]];
      return count === 0 ? [] : [{
        kind,
        unit,
        count,
        minimum: (values[0] ?? 0) / 10,
        median: (low + high) / 20,
        maximum: (values[count - 1] ?? 0) / 10,
        mean: values.reduce((sum, value) => sum + value, 0) / (10 * count),
      }];
    })
  );
}

async function decisionsOf(caller: Caller, zone: string, isIn: IsIn): Promise<Json> {
  const decisions = await itemsOf(caller, DECISIONS);
  const below = async (kind: string, time: string) => {
    const all = await Promise.all(
      decisions.map((decision) => itemsOf(caller, decisionPath(decision, kind))),
    );
    return all.flat().filter((item) => isIn(dayOf(item, time, zone))).length;
  };
  const isDecided = (decision: Json) =>
    decision.decidedAt !== null && isIn(dayOf(decision, "decidedAt", zone));
  return {
    decided: decisions.filter(isDecided).length,
    outcomes: await below("/outcomes", "observedAt"),
    predictionsDue: await below("/predictions", "dueAt"),
  };
}

async function weekOf(caller: Caller, zone: string): Promise<Json> {
  const response = await caller.call("GET", `${WEEK}?start=${START}&zone=${zone}`);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

Deno.test("A week of random records equals the model over list pages, for each reader", async () => {
  await live(seededRandom(31), 8);
  const caller = await live(seededRandom(32));
  for (const zone of ["Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns"]) {
    const week = await weekOf(caller, zone);
    assertEquals(week, await modelOf(caller, zone, true), zone);
    assert(week.lived.length > 5 && week.routines.completions > 0 && week.measures.length > 3);
  }
  const zone = "Europe/Berlin";
  const whole = await weekOf(caller, zone);
  const blind = await withPermissions(
    apart(),
    caller,
    "record.read",
    "memory.read",
    "decision.read",
    "identity.read",
    "resource.read",
    "taxonomy.read",
    "relationship.person.read",
    "relationship.ledger.read",
  );
  assertEquals(await weekOf(blind, zone), await modelOf(blind, zone, false));

  const plain = await weekOf(await withPermissions(apart(), caller, "record.read"), zone);
  const without = (counts: Json[], ...codes: string[]) =>
    counts.filter(({ moduleCode }) => !codes.includes(moduleCode));
  const families = ["memory", "decision", "relationship", "identity", "resource", "taxonomy"];
  assertEquals(plain, {
    ...whole,
    lived: without(whole.lived, ...families),
    written: without(whole.written, ...families),
    contacts: null,
    decisions: null,
  });

  const limited = await weekOf(await tokenOf(apart(), caller, { modules: ["health"] }), zone);
  const ofHealth = (counts: Json[]) => counts.filter(({ moduleCode }) => moduleCode === "health");
  assertEquals(limited, {
    ...whole,
    due: null,
    routines: null,
    lived: ofHealth(whole.lived),
    written: ofHealth(whole.written),
    contacts: null,
    decisions: null,
  });
  const linked = await weekOf(await tokenOf(apart(), caller, { modules: ["resource"] }), zone);
  assertEquals(linked, {
    ...limited,
    lived: [],
    written: [],
    measures: null,
  });
});

/** Each commitment of the week of 5 January, and its state, or null if it is not due in it. */
const DUE_CASES: readonly (readonly [JsonObject, string | null])[] = [
  [{ dueAt: "2026-01-07T10:00:00Z", completedAt: "2026-01-07T23:00:00Z" }, "met"],
  [{ dueAt: "2026-01-07T10:00:00Z", completedAt: "2026-01-07T23:00:00Z[Asia/Tokyo]" }, "late"],
  [{ dueAt: "2026-01-07T10:00:00Z", completedAt: "2026-01-08T00:00:00Z" }, "late"],
  [{ dueAt: "2026-01-11T10:00:00Z" }, "untimed"],
  [{ dueAt: "2026-01-12T00:00:00Z" }, null],
  [{ dueAt: "2026-01-04T23:59:59Z" }, null],
  [{ completedAt: "2026-01-07T10:00:00Z" }, null],
];

Deno.test("A commitment is met until the end of its day, by the clock of its completion", async () => {
  for (const [times, state] of DUE_CASES) {
    const caller = await world().createCaller();
    await caller.create("commitment", { ...COMMITMENT, completionStatus: "COMPLETED", ...times });
    const { body } = await caller.call("GET", `${WEEK}?start=2026-01-05&zone=UTC`);
    const { moduleCode: _, ...counts } = body.data.due[0];
    const counted = Object.entries(counts).filter(([, count]) => count !== 0);
    assertEquals(counted, state === null ? [] : [[state, 1]], JSON.stringify(times));
  }
});

Deno.test("A prediction and an outcome count on the days of their own clocks", async () => {
  const caller = await world().createCaller();
  const path = decisionPath(await decide(caller, {}));
  const time = "2026-01-04T16:00:00Z[Asia/Tokyo]";
  await done(caller, `${path}/predictions`, { ...PREDICTION, dueAt: time });
  await done(caller, `${path}/outcomes`, { ...OUTCOME, observedAt: time });
  const { body } = await caller.call("GET", `${WEEK}?start=2026-01-05&zone=UTC`);
  assertEquals(body.data.decisions, { decided: 0, outcomes: 1, predictionsDue: 1 });
});

Deno.test("A commitment is ahead until its time is past, and archived routines do not count", async () => {
  const caller = await world().createCaller();
  const now = world().now();
  await caller.create("commitment", { ...COMMITMENT, dueAt: now.toISOString() });
  await caller.create("commitment", {
    ...COMMITMENT,
    dueAt: new Date(now.getTime() - 1).toISOString(),
  });
  const done = { ...ROUTINE, lastCompletedAt: now.toISOString() };
  await caller.call("POST", `${pathOf(await caller.create("routine", done))}/archive`);
  await caller.create("routine", done);
  const start = addDays(dateIn("UTC", now.toISOString()), -1);
  const { body } = await caller.call("GET", `${WEEK}?start=${start}&zone=UTC`);
  assertEquals(body.data.routines, { routines: 1, completions: 1, complete: true });
  const { ahead, missed } = body.data.due[0];
  assertEquals({ ahead, missed }, { ahead: 1, missed: 1 });
});

Deno.test("A week refuses a bad query, and readers without record.read", async () => {
  const caller = await world().createCaller();
  const ask = (query: string) => caller.call("GET", `${WEEK}${query}`);
  assertInvalid(await ask(""), ["field.required"], ["start", "zone"]);
  for (
    const start of ["2026-02-30", "2026-1-1", "2026-01-01T00:00:00Z", "0000-01-01", "9999-12-25"]
  ) {
    assertInvalid(await ask(`?start=${start}&zone=UTC`), ["field.date"], ["start"]);
  }
  assertInvalid(await ask("?start=2026-01-01&zone=%2B02:00"), ["field.time_zone"], ["zone"]);
  assertInvalid(await ask("?start=2026-01-01&zone=UTC&until=x"), ["undeclared_field"], ["until"]);
  const blind = await withPermissions(world(), caller, "memory.read");
  assertRefused(await blind.call("GET", `${WEEK}?start=2026-01-01&zone=UTC`), "FORBIDDEN");
  for (const start of ["0001-01-01", "9999-12-24"]) {
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const { routines, decisions } = (await ask(`?start=${start}&zone=${zone}`)).body.data;
      assertEquals(routines, { routines: 0, completions: 0, complete: true });
      assertEquals(decisions, { decided: 0, outcomes: 0, predictionsDue: 0 });
    }
  }
  assertEquals((await ask("?start=2026-01-01&zone=europe/berlin")).body.data.zone, "Europe/Berlin");
});

Deno.test("A week waits for the order of records", async () => {
  const caller = await apart().createCaller();
  await apart().raw("update search_index_build set order_is_complete = false");
  const response = await caller.call("GET", `${WEEK}?start=2026-01-01&zone=UTC`);
  assertFailure(response, "HTTP_503");
  assert(response.headers.has("Retry-After"));
  await apart().raw("update search_index_build set order_is_complete = true");
});
