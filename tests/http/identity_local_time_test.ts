/** Local times of profiles, stages, roles and snapshots. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import {
  COMPARISONS,
  introduce,
  PROFILE,
  PROFILE_BODY,
  roleBody,
  ROLES,
  SNAPSHOTS,
  stageBody,
  STAGES,
} from "../families/identity/api.ts";
import { bringIn } from "../families/identity/import.ts";
import { done, post, read } from "../families/memory/api.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import {
  assertCreatesWithClocks,
  assertKeepsClocks,
  assertRejectsBadTimes,
  BOSTON,
  TOKYO,
} from "./local_times.ts";

const world = sharedWorld();

const PERIOD = ["startedAt", "endedAt"];

Deno.test("Profiles, stages and roles keep the clocks of their times", async () => {
  const caller = await world().createCaller();
  const roots = [
    { collection: PROFILE, body: PROFILE_BODY, times: PERIOD, removable: "startedAt" },
    { collection: STAGES, body: stageBody(2000), times: PERIOD, removable: "endedAt" },
  ];
  for (const root of roots) {
    await assertKeepsClocks(world(), caller, { ...root, isArchivable: root.collection === STAGES });
  }
  const role = { collection: ROLES, body: roleBody(2000), times: ["changedAt"] };
  const { data, assertRepeats } = await assertCreatesWithClocks(world(), caller, role);
  await assertRepeats();
  assertEquals((await read(caller, ROLES)).items, [data]);
  assertEquals((await read(caller, PROFILE)).localTimes, { endedAt: BOSTON.local });
});

Deno.test("A snapshot has its own clocks, or those of the profile that it freezes", async () => {
  const caller = await world().createCaller();
  const period = { startedAt: TOKYO.sent, endedAt: BOSTON.sent };
  await introduce(caller, { ...PROFILE_BODY, ...period });
  const label = "Then";
  const send = (body: JsonObject) => post(caller, SNAPSHOTS, { label, ...body });
  await assertRejectsBadTimes(world(), ["asOf"], send);
  await assertRejectsBadTimes(world(), PERIOD, (fields) => send({ fields }));

  const local = { startedAt: TOKYO.local, endedAt: BOSTON.local };
  const cases: [JsonObject, JsonObject][] = [
    [{}, local],
    [{ asOf: TOKYO.sent }, { asOf: TOKYO.local, ...local }],
    [{ asOf: BOSTON.sent, fields: { endedAt: TOKYO.sent } }, {
      asOf: BOSTON.local,
      endedAt: TOKYO.local,
    }],
    [{ asOf: BOSTON.utc, fields: { tags: [] } }, {}],
  ];
  const snapshots: Json[] = [];
  for (const [body, localTimes] of cases) {
    world().advance(1);
    const snapshot = await done(caller, SNAPSHOTS, { label, ...body });
    assertEquals(snapshot.localTimes, localTimes);
    assertEquals(await read(caller, `${SNAPSHOTS}/${snapshot.snapshotId}`), snapshot);
    snapshots.unshift(snapshot);
  }
  assertEquals((await read(caller, SNAPSHOTS)).items, snapshots);
});

Deno.test("Comparisons compare instants, and show them in UTC", async () => {
  const caller = await world().createCaller();
  const fields = { ...PROFILE_BODY, startedAt: TOKYO.utc };
  await introduce(caller, { ...fields, startedAt: TOKYO.sent });
  const { snapshotId } = await done(caller, SNAPSHOTS, { label: "In UTC", fields });
  const left = { kind: "PROFILE_REVISION", revision: 1 };
  const comparison = await done(caller, COMPARISONS, {
    left,
    right: { kind: "SNAPSHOT", snapshotId },
  });
  const compared = comparison.fields.find(({ field }: Json) => field === "startedAt");
  assertEquals(compared, {
    field: "startedAt",
    left: TOKYO.utc,
    right: TOKYO.utc,
    change: "SAME",
  });
});

Deno.test("An import rejects bad times of each object", async () => {
  const caller = await world().createCaller();
  const profile = PROFILE_BODY;
  const cases: [readonly string[], (members: JsonObject) => JsonObject][] = [
    [PERIOD, (members) => ({ profile: { ...profile, ...members } })],
    [PERIOD, (members) => ({ profile, stages: [{ ...stageBody(2000), ...members }] })],
    [["changedAt"], (members) => ({ profile, roles: [{ ...roleBody(2000), ...members }] })],
    [
      ["asOf"],
      (members) => ({ profile, snapshots: [{ label: "A", fields: profile, ...members }] }),
    ],
    [PERIOD, (fields) => ({ profile, snapshots: [{ label: "A", fields }] })],
  ];
  for (const [names, documentOf] of cases) {
    await assertRejectsBadTimes(world(), names, (members) => bringIn(caller, documentOf(members)));
  }
});
