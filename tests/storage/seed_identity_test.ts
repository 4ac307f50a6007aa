// engines: postgres

import { assert, assertEquals } from "@std/assert";
import { DEMO_IDENTITY as SAMPLE } from "../../src/operator/seed/demo/samples.ts";
import { lifeAt } from "../../src/operator/seed/sample.ts";
import {
  changed,
  COMPARISONS,
  IDENTITY_BASE,
  introduce,
  patch,
  PROFILE,
  ROLES,
  SNAPSHOTS,
  stagePath,
  STAGES,
} from "../families/identity/api.ts";
import { walkPages } from "../http/kernel.ts";
import { done, post, read } from "../families/memory/api.ts";
import type { Caller, Json } from "../support/world.ts";
import { demoLife } from "./demo_life.ts";

async function listed(caller: Caller, path: string): Promise<Json[]> {
  return (await walkPages(caller, path)).flat();
}

Deno.test("Sample life has an identity without a publication", async () => {
  const { caller } = await demoLife();
  const profile = await read(caller, PROFILE);
  await assertProfile(caller, profile);
  await assertStages(caller);
  await assertComparisons(caller, profile);
  for (const path of ["public", "legacy-release/plan"]) {
    assertEquals((await caller.call("GET", `${IDENTITY_BASE}/${path}`)).status, 404, path);
  }
});

/** Revisions have roles, one entered late, and changes. */
async function assertProfile(caller: Caller, profile: Json): Promise<void> {
  const [newest, ...older] = await listed(caller, ROLES);
  const late = older.filter(({ profileRevision }) => profileRevision === null);
  assertEquals([older.length, late.length], [SAMPLE.roles.length - 1, 1]);
  assert(late[0].changedAt < newest.changedAt);
  assertEquals(profile.currentRole, newest.role);
  const revisions = await listed(caller, `${PROFILE}/revisions`);
  assertEquals(
    revisions.map(({ change }) => change).sort(),
    [
      "CREATED",
      ...SAMPLE.changes.map(() => "MODIFIED"),
      ...SAMPLE.roles.slice(1).map(() => "ROLE_CHANGED"),
    ],
  );
  assertEquals(profile.revision, revisions.length);
}

/** One open, one changed later, one archived. */
async function assertStages(caller: Caller): Promise<void> {
  const live = await listed(caller, STAGES);
  const archived = (await walkPages(caller, STAGES, { archived: "only" })).flat();
  assertEquals([live.length, archived.length], [SAMPLE.stages.length - 1, 1]);
  assertEquals(live.filter(({ endedAt }) => endedAt === null).length, 1);
  assert(live.some(({ revision, endedAt }) => revision > 1 && endedAt !== null));
}

/** Past on the left, present on the right. */
async function assertComparisons(caller: Caller, { revision }: Json): Promise<void> {
  const snapshots = await listed(caller, SNAPSHOTS);
  const past = snapshots.filter(({ profileRevision }) => profileRevision === null);
  const present = snapshots.filter(({ profileRevision }) => profileRevision === revision);
  assertEquals([snapshots.length, past.length, present.length], [2, 1, 1]);
  const comparisons = await listed(caller, COMPARISONS);
  assertEquals(comparisons.length, SAMPLE.comparisons.length);
  const [between] = comparisons.filter(({ left }) => left.snapshotId === past[0].snapshotId);
  assertEquals(between.right.snapshotId, present[0].snapshotId);
  const changes = between.fields.map(({ change }: Json) => change);
  for (const change of ["CHANGED", "ADDED", "REMOVED"]) assert(changes.includes(change), change);
}

Deno.test("Sample identity is accepted by the routes unchanged", async () => {
  const { world, caller: given } = await demoLife();
  const sending = await world.createCaller();
  const ids = new Map<string, string>();
  const life = lifeAt(world.now(), ids);
  await introduce(sending, life.fill(SAMPLE.profile));
  for (const role of SAMPLE.roles) await done(sending, ROLES, life.fill(role));
  for (const change of SAMPLE.changes) {
    const { revision } = await read(sending, PROFILE);
    await changed(sending, PROFILE, { expectedRevision: revision, set: life.fill(change) });
  }
  for (const { stage, changes = [], archived } of SAMPLE.stages) {
    const made = await done(sending, STAGES, life.fill(stage));
    for (const [index, set] of changes.entries()) {
      const body = { expectedRevision: index + 1, set: life.fill(set) };
      assertEquals((await patch(sending, stagePath(made), body)).status, 200);
    }
    if (archived) assertEquals((await post(sending, stagePath(made, "/archive"), {})).status, 200);
  }
  for (const snapshot of SAMPLE.snapshots) {
    const { label, snapshotId } = await done(sending, SNAPSHOTS, life.fill(snapshot));
    ids.set(`snapshot/${label}`, snapshotId);
  }
  for (const comparison of SAMPLE.comparisons) {
    await done(sending, COMPARISONS, life.fill(comparison));
  }
  assertEquals(await wholeOf(given), await wholeOf(sending));
});

/** Export and comparisons, without identifiers. */
async function wholeOf(caller: Caller): Promise<Json> {
  const { content } = await read(caller, `${IDENTITY_BASE}/exports?format=json`);
  const { snapshots, ...rest } = JSON.parse(content);
  const fields = (await listed(caller, COMPARISONS)).map(({ fields }) => fields);
  // Equal times have no order.
  return { ...rest, snapshots: inOrder(snapshots), fields: inOrder(fields) };
}

function inOrder(items: readonly Json[]): string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}
