/** Local times of profiles, stages, roles and snapshots, also through exports and imports. */

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
import { bringIn, exportedText, EXPORTS, imported } from "../families/identity/import.ts";
import { done, post, read } from "../families/memory/api.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
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

/** Each kind of object with its times as local times, as an export writes them. */
const LIFE: JsonObject = {
  profile: { ...PROFILE_BODY, currentRole: "Role of 2000", startedAt: TOKYO.local },
  stages: [{ ...stageBody(2000), startedAt: TOKYO.local, endedAt: BOSTON.local }],
  roles: [{ ...roleBody(2000), changedAt: BOSTON.local }],
  snapshots: [
    { label: "A", asOf: TOKYO.local, fields: { startedAt: BOSTON.local, endedAt: BOSTON.utc } },
  ],
};

Deno.test("An export writes local times, and its import gives the same clocks and bytes", async () => {
  const caller = await world().createCaller();
  await imported(caller, LIFE, "REJECT");
  const text = await exportedText(caller);
  assertEquals(text, JSON.stringify({ version: 1, ...LIFE }));
  assertEquals(await clocksOf(caller), [
    { startedAt: TOKYO.local },
    { startedAt: TOKYO.local, endedAt: BOSTON.local },
    { changedAt: BOSTON.local },
    { asOf: TOKYO.local, startedAt: BOSTON.local },
  ]);
  const other = await world().createCaller();
  await imported(other, LIFE, "REJECT");
  assertEquals([await exportedText(other), await clocksOf(other)], [text, await clocksOf(caller)]);
  const { content } = await read(caller, `${EXPORTS}?format=csv`);
  assertEquals(content.split("\r\n").slice(1, -1), [
    "profile,displayName,Ada,,",
    "profile,currentRole,Role of 2000,,",
    `profile,startedAt,${TOKYO.local},,`,
    `stage,From 2000,ADULTHOOD,${TOKYO.local},${BOSTON.local}`,
    `role,Role of 2000,,${BOSTON.local},`,
    `snapshot,A,,${TOKYO.local},`,
  ]);

  // Equal instants are skipped, so a repeated import replaces only the profile.
  const inUtc = JSON.parse(JSON.stringify(LIFE).replaceAll(TOKYO.local, TOKYO.utc));
  const { skipped } = await imported(other, inUtc);
  assertEquals(skipped, { stages: 1, roles: 1, snapshots: 1 });
  const frozen = { startedAt: TOKYO.local };
  const [, stage, role] = await clocksOf(caller);
  assertEquals(await clocksOf(other), [{}, stage, role, frozen]);
});

/** The local times of the profile and of the newest stage, role and snapshot. */
async function clocksOf(caller: Caller): Promise<Json[]> {
  const shown = [await read(caller, PROFILE)];
  for (const list of [STAGES, ROLES, SNAPSHOTS]) shown.push((await read(caller, list)).items[0]);
  return shown.map(({ localTimes }) => localTimes);
}

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
