/** Identity texts in ledgers, executions, log and errors. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import {
  changed,
  COMPARISONS,
  IDENTITY_BASE,
  introduce,
  patch,
  PROFILE,
  PROFILE_BODY,
  roleBody,
  ROLES,
  SNAPSHOTS,
  stageBody,
  stagePath,
  STAGES,
} from "../families/identity/api.ts";
import { done, post } from "../families/memory/api.ts";

const shared = fileWorld();

/** One object of each kind, every text marked. */
async function markedIdentity(caller: Caller, markers: Markers): Promise<Json> {
  const mark = (...purposes: readonly string[]) =>
    Object.fromEntries(purposes.map((purpose) => [purpose, markers.make(purpose)]));
  const texts = ["displayName", "currentRole", "biography", "publicSummary"];
  await introduce(caller, { ...mark(...texts), tags: [markers.make("tags")] });
  const set = { ...mark("displayName", "biography"), tags: [markers.make("tags")] };
  await changed(caller, PROFILE, { expectedRevision: 1, set });
  const stage = await done(caller, STAGES, { ...stageBody(2000, 2010), ...mark("title", "note") });
  await changed(caller, stagePath(stage), { expectedRevision: 1, set: mark("title", "note") });
  await done(caller, stagePath(stage, "/archive"), {});
  await done(caller, ROLES, { ...roleBody(2010), ...mark("role", "reason") });
  const fields = { ...mark(...texts), tags: [markers.make("tags")] };
  const snapshot = await done(caller, SNAPSHOTS, { ...mark("label"), fields });
  await done(caller, SNAPSHOTS, mark("label"));
  const { snapshotId } = snapshot;
  await done(caller, COMPARISONS, {
    left: { kind: "SNAPSHOT", snapshotId },
    right: { kind: "PROFILE_REVISION", revision: 2 },
  });
  return stage;
}

Deno.test("No audit entry, envelope, execution or log line has text of an identity", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  await markedIdentity(caller, markers);
  const columns = Object.keys(await markers.assertLedgersTellNothing(world));
  assertEquals([...new Set(columns.map((column) => column.split(".")[0]))].sort(), [
    "identity_profile_revisions",
    "identity_profiles",
    "identity_roles",
    "identity_snapshots",
    "identity_stage_revisions",
    "identity_stages",
  ]);
});

Deno.test("No identity error repeats what was sent or stored", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const stage = await markedIdentity(caller, markers);
  const word = markers.make("sent");
  const side = { kind: "PROFILE_REVISION", revision: 1 };
  const refusedPosts: [string, JsonObject][] = [
    [PROFILE, { displayName: word }],
    [PROFILE, { ...PROFILE_BODY, lifeStage: word, startedAt: word, [word]: word }],
    [STAGES, { ...stageBody(2000), lifeStage: word }],
    [STAGES, { ...stageBody(2000), title: word.repeat(20), note: 1 }],
    [ROLES, { role: word, changedAt: word }],
    [ROLES, { ...roleBody(2100), role: word, reason: word }],
    [SNAPSHOTS, { label: word, fields: { [word]: word } }],
    [SNAPSHOTS, { label: word, asOf: word, fields: { displayName: word, tags: word } }],
    [COMPARISONS, { left: { kind: word }, right: word }],
    [COMPARISONS, { left: side, right: { kind: "SNAPSHOT", snapshotId: word } }],
  ];
  for (const [path, body] of refusedPosts) {
    markers.assertTellsNothing(await post(caller, path, body), path);
  }
  await done(caller, STAGES, stageBody(2005, 2006));
  markers.assertTellsNothing(await post(caller, stagePath(stage, "/restore"), {}), "an overlap");
  const refusedPatches: [string, JsonObject][] = [
    [PROFILE, { expectedRevision: 3, set: { currentRole: word } }],
    [PROFILE, { expectedRevision: 1, set: { biography: word } }],
    [PROFILE, { expectedRevision: 3, set: { [word]: word }, remove: [word] }],
    [stagePath(stage), { expectedRevision: 9, set: { note: word } }],
    [stagePath(stage), { expectedRevision: 3, set: { startedAt: word } }],
  ];
  for (const [path, body] of refusedPatches) {
    markers.assertTellsNothing(await patch(caller, path, body), path);
  }
  for (const end of [`/stages?archived=${word}`, `/roles?cursor=${word}`, `/stages/${word}`]) {
    markers.assertTellsNothing(await caller.call("GET", `${IDENTITY_BASE}${end}`), end);
  }
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});

Deno.test("No route shows a stranger another's identity", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  await markedIdentity(caller, markers);
  const [stranger, other] = [await world.createCaller(), await world.createCaller()];
  await introduce(other);
  const reads = [
    "/profile",
    "/profile?revision=2",
    "/profile/revisions",
    "/stages?archived=include",
  ];
  const paths = [...reads, "/roles", "/snapshots", "/comparisons"];
  for (const path of paths) {
    assertEquals(
      markers.inResponse(await caller.call("GET", IDENTITY_BASE + path)).length > 0,
      true,
    );
    for (const reader of [stranger, other]) {
      const response = await reader.call("GET", IDENTITY_BASE + path);
      assertEquals(markers.inResponse(response), [], path);
    }
  }
});
