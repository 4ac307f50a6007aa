/** Concurrent requests about one identity, at two applications. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import {
  changed,
  introduce,
  LEGACY_PLAN,
  patch,
  PLAN_BODY,
  PROFILE,
  PROFILE_BODY,
  roleBody,
  ROLES,
  SNAPSHOTS,
  stageBody,
  stagePath,
  STAGES,
} from "../families/identity/api.ts";
import { done, post, read } from "../families/memory/api.ts";
import {
  type Caller,
  ENGINE,
  type Json,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";
import { race, type Request, twoProcesses } from "./holding.ts";

const world = sharedWorld();

function outcomes(responses: readonly TestResponse[]): string[] {
  return responses.map(({ status, body }) => body.error?.code ?? String(status)).sort();
}

Deno.test("Of concurrent creations of the profile one wins", async () => {
  for (let round = 0; round < 5; round++) {
    const [here, there] = await twoProcesses(world());
    const responses = await Promise.all(
      [here, there, here, there].map((caller, at) =>
        post(caller, PROFILE, { displayName: `Ada ${at}` })
      ),
    );
    const refused = Array.from({ length: 3 }, () => "IDENTITY_STATE_CONFLICT");
    assertEquals(outcomes(responses), ["201", ...refused]);
    const made = responses.find(({ status }) => status === 201);
    assertEquals(await read(here, PROFILE), made?.body.data);
  }
});

Deno.test("Of concurrent overlapping stages one stays, and all that touch do", async () => {
  for (let round = 0; round < 5; round++) {
    const [here, there] = await twoProcesses(world());
    await introduce(here);
    const bodies = [stageBody(2000, 2010), stageBody(2005, 2015), stageBody(2009), stageBody(1990)];
    const responses = await Promise.all(
      bodies.map((body, at) => post(at % 2 === 0 ? here : there, STAGES, body)),
    );
    const stored = (await read(here, STAGES)).items;
    assertEquals(stored.length, responses.filter(({ status }) => status === 201).length);
    assertEquals(stored.length >= 1 && isWithoutOverlap(stored), true);
    const [near, far] = await twoProcesses(world());
    await introduce(near);
    const touching = [2000, 2001, 2002, 2003].map((year) => stageBody(year, year + 1));
    const all = await Promise.all(
      touching.map((body, at) => post(at % 2 === 0 ? near : far, STAGES, body)),
    );
    assertEquals(outcomes(all), ["201", "201", "201", "201"]);
  }
});

function isWithoutOverlap(stages: readonly Json[]): boolean {
  const ordered = stages.toSorted((one, other) => one.startedAt < other.startedAt ? -1 : 1);
  return ordered.every(({ endedAt }, at) =>
    at + 1 === ordered.length || (endedAt !== null && endedAt <= ordered[at + 1].startedAt)
  );
}

Deno.test("Of concurrent roles the newest is the profile's, one revision each", async () => {
  for (let round = 0; round < 5; round++) {
    const [here, there] = await twoProcesses(world());
    await introduce(here);
    const years = [2011, 2014, 2012, 2014];
    const responses = await Promise.all(
      years.map((year, at) =>
        post(at % 2 === 0 ? here : there, ROLES, roleBody(year, `${year} ${at}`))
      ),
    );
    assertEquals(outcomes(responses), ["201", "201", "201", "201"]);
    const roles = (await read(here, ROLES)).items;
    const profile = await read(here, PROFILE);
    assertEquals([roles.length, profile.currentRole], [4, roles[0].role]);
    const taken = roles.map(({ profileRevision }: Json) => profileRevision)
      .filter((revision: number | null) => revision !== null);
    const expected = Array.from({ length: profile.revision - 1 }, (_, at) => profile.revision - at);
    assertEquals(taken, expected);
  }
});

Deno.test("Of concurrent first plans one is created, and replaced only with its revision", async () => {
  for (let round = 0; round < 3; round++) {
    const [here, there] = await twoProcesses(world());
    await introduce(here);
    const keep = (body: JsonObject) =>
      Promise.all(
        [here, there, here, there].map((caller, at) =>
          post(caller, LEGACY_PLAN, { ...PLAN_BODY, ...body, instructions: `${at}` })
        ),
      );
    const refused = (code: string) => Array.from({ length: 3 }, () => code);
    assertEquals(outcomes(await keep({})), ["201", ...refused("IDENTITY_STATE_CONFLICT")]);
    const replaced = await keep({ expectedRevision: 1 });
    assertEquals(outcomes(replaced), ["200", ...refused("REVISION_CONFLICT")]);
    const kept = replaced.find(({ status }) => status === 200);
    assertEquals(await read(here, LEGACY_PLAN), kept?.body.data);
  }
});

/** The embedded engine has no concurrent sessions. */
function onServer(name: string, fn: (caller: Caller) => Promise<void>): void {
  const run = async () => {
    const caller = await world().createCaller();
    await introduce(caller, { ...PROFILE_BODY, currentRole: "Poet" });
    await fn(caller);
  };
  Deno.test({ name, fn: run, ignore: ENGINE === "embedded" });
}

onServer("A profile that is being created makes the second creation wait, and fail", async () => {
  const caller = await world().createCaller();
  const create: Request = (caller) => post(caller, PROFILE, PROFILE_BODY);
  assertEquals(outcomes(await race(world(), caller, [create, create])), [
    "201",
    "IDENTITY_STATE_CONFLICT",
  ]);
});

onServer("A role that waited for another one counts it", async (caller) => {
  const enter = (year: number): Request => (caller) => post(caller, ROLES, roleBody(year));
  const [newer, older] = await race(world(), caller, [enter(2015), enter(2010)]);
  assertEquals([newer.body.data.profileRevision, older.body.data.profileRevision], [2, null]);
  const [, newest] = await race(world(), caller, [enter(2020), enter(2020)]);
  assertEquals(newest.body.data.profileRevision, 4);
  const profile = await read(caller, PROFILE);
  assertEquals([profile.revision, profile.currentRole], [4, "Role of 2020"]);
});

onServer(
  "A patch of the current role that waited for the first role is refused",
  async (caller) => {
    const set = { currentRole: "Painter" };
    const [entered, refused] = await race(world(), caller, [
      (caller) => post(caller, ROLES, roleBody(2015)),
      (caller) => patch(caller, PROFILE, { expectedRevision: 1, set }),
    ]);
    assertEquals([entered.status, refused.body.error.code], [201, "REVISION_CONFLICT"]);
  },
);

onServer(
  "A stage that waited for one at the same time is refused, however both came",
  async (caller) => {
    const body = stageBody(2000, 2010);
    const create = (of: JsonObject): Request => (caller) => post(caller, STAGES, of);
    const [made, refused] = await race(world(), caller, [create(body), create(stageBody(2009))]);
    assertEquals(outcomes([made, refused]), ["201", "IDENTITY_STATE_CONFLICT"]);
    const stage = made.body.data;
    const longer = { expectedRevision: 1, set: { endedAt: "2020-01-01T00:00:00Z" } };
    const lengthen: Request = (caller) => patch(caller, stagePath(stage), longer);
    const afterChange = await race(world(), caller, [lengthen, create(stageBody(2015))]);
    assertEquals(outcomes(afterChange), ["200", "IDENTITY_STATE_CONFLICT"]);
    await done(caller, stagePath(stage, "/archive"), {});
    const restore: Request = (caller) => post(caller, stagePath(stage, "/restore"), {});
    const afterCreation = await race(world(), caller, [create(stageBody(2015)), restore]);
    assertEquals(outcomes(afterCreation), ["201", "IDENTITY_STATE_CONFLICT"]);
  },
);

onServer(
  "A change of a stage waits for every other write of the owner's identity",
  async (caller) => {
    const stage = await done(caller, STAGES, stageBody(2000, 2010));
    const key = ulid();
    const rename: Request = (caller) =>
      caller.call("PATCH", stagePath(stage), {
        key,
        body: { expectedRevision: 1, set: { title: "Renamed" } },
      });
    const responses = await race(world(), caller, [
      (caller) => post(caller, SNAPSHOTS, { label: "Today" }),
      rename,
    ]);
    assertEquals(outcomes(responses), ["200", "201"]);
    const stale = await race(world(), caller, [
      (caller) => post(caller, stagePath(stage, "/archive"), {}),
      (caller) => patch(caller, stagePath(stage), { expectedRevision: 2, set: { title: "Again" } }),
    ]);
    assertEquals(outcomes(stale), ["200", "REVISION_CONFLICT"]);
    const snapshot = await race(world(), caller, [
      (caller) => patch(caller, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } }),
      (caller) => post(caller, SNAPSHOTS, { label: "Then" }),
    ]);
    assertEquals(snapshot[1].body.data.fields.displayName, "Eda");
    assertEquals(snapshot[1].body.data.profileRevision, 2);
    await changed(caller, PROFILE, { expectedRevision: 2, set: { displayName: "Ida" } });
  },
);
