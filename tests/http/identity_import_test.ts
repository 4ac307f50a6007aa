/** IDN-008: created, skipped and rejected items. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, createWorld, type Json, sharedWorld } from "../support/world.ts";
import {
  changed,
  identityAudit,
  introduce,
  NO_FIELDS,
  PROFILE,
  roleBody,
  ROLES,
  SNAPSHOTS,
  stageBody,
  stagePath,
  STAGES,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { bringIn, imported, IMPORTS } from "../families/identity/import.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read, withPermissions } from "../families/memory/api.ts";

const world = sharedWorld();

const NONE = { stages: 0, roles: 0, snapshots: 0 };

const LIFE: JsonObject = {
  profile: WHOLE_PROFILE,
  stages: [stageBody(2000, 2010), { ...stageBody(2010), note: "Still here" }],
  roles: [{ ...roleBody(2020), reason: "A new firm" }, roleBody(2005)],
  snapshots: [
    { label: "At ten", asOf: "1990-05-05T00:00:00Z", fields: { displayName: "Little Ada" } },
    { label: "At twenty", fields: WHOLE_PROFILE },
  ],
};

async function all(caller: Caller, path: string): Promise<Json[]> {
  return (await walkPages(caller, path)).flat();
}

Deno.test("An import without a profile creates everything, in either mode", async () => {
  for (const mode of ["REJECT", "CREATE_SNAPSHOT"]) {
    const caller = await world().createCaller();
    const now = world().now().toISOString();
    const result = await imported(caller, LIFE, mode);
    assertEquals(result, {
      executionId: result.executionId,
      conflictMode: mode,
      revision: 1,
      snapshotId: null,
      created: { stages: 2, roles: 2, snapshots: 2 },
      skipped: NONE,
      createdAt: now,
    });
    const { profileId, ...profile } = await read(caller, PROFILE);
    assertEquals(profile, {
      ...WHOLE_PROFILE,
      currentRole: "Role of 2020",
      localTimes: {},
      revision: 1,
      createdAt: now,
      updatedAt: now,
    });
    const [newest, older] = await all(caller, ROLES);
    const at = { localTimes: {}, createdAt: now };
    assertEquals(newest, {
      roleId: newest.roleId,
      ...roleBody(2020),
      reason: "A new firm",
      profileRevision: 1,
      ...at,
    });
    assertEquals(older, {
      roleId: older.roleId,
      ...roleBody(2005),
      reason: null,
      profileRevision: null,
      ...at,
    });
    const stages = await all(caller, STAGES);
    const whole = { revision: 1, ...at, updatedAt: now, archivedAt: null };
    assertEquals(stages.map(({ stageId: _, ...stage }) => stage), [
      { ...stageBody(2010), endedAt: null, note: "Still here", ...whole },
      { ...stageBody(2000, 2010), note: null, ...whole },
    ]);
    const snapshots = await all(caller, SNAPSHOTS);
    assertEquals(snapshots.map(({ snapshotId: _, ...snapshot }) => snapshot), [
      { label: "At twenty", asOf: null, fields: WHOLE_PROFILE, profileRevision: null, ...at },
      {
        label: "At ten",
        asOf: "1990-05-05T00:00:00.000Z",
        fields: { ...NO_FIELDS, displayName: "Little Ada" },
        profileRevision: null,
        ...at,
      },
    ]);
    const [{ change }] = await all(caller, `${PROFILE}/revisions`);
    assertEquals(change, "CREATED");
    const [stage] = stages;
    const revisions = await all(caller, stagePath(stage, "/revisions"));
    assertEquals(revisions.map(({ change, title }) => [change, title]), [["CREATED", stage.title]]);
    assertEquals(await identityAudit(caller), [`identity.import.create 1 ${profileId}`]);
    const [execution] = await world().rows(`
      select execution_id, record_id, feature_id, strategy, revision, output::text as output
        from executions where owner_id = '${caller.accountId}'`);
    assertEquals(execution, {
      execution_id: result.executionId,
      record_id: null,
      feature_id: "IDN-008",
      strategy: "import",
      revision: null,
      output: JSON.stringify({
        revision: 1,
        snapshotId: null,
        created: result.created,
        skipped: NONE,
      }),
    });
  }
});

Deno.test("With a profile REJECT rejects, and CREATE_SNAPSHOT freezes and replaces it", async () => {
  const caller = await world().createCaller();
  const before = await introduce(caller, WHOLE_PROFILE);
  await assertWritesNothing(world(), async () => {
    const response = await bringIn(caller, { profile: { displayName: "Eda" } }, "REJECT");
    assertFailure(response, "IDENTITY_STATE_CONFLICT");
  });
  world().advance(1000);
  const result = await imported(caller, { profile: { displayName: "Eda" } });
  const { profileId, createdAt } = before;
  const updatedAt = world().now().toISOString();
  assertEquals([result.revision, result.created, result.skipped], [2, NONE, NONE]);
  assertEquals(await read(caller, PROFILE), {
    profileId,
    ...NO_FIELDS,
    displayName: "Eda",
    localTimes: {},
    revision: 2,
    createdAt,
    updatedAt,
  });
  assertEquals(await read(caller, `${SNAPSHOTS}/${result.snapshotId}`), {
    snapshotId: result.snapshotId,
    label: "Before the import",
    asOf: null,
    fields: WHOLE_PROFILE,
    localTimes: {},
    profileRevision: 1,
    createdAt: updatedAt,
  });
  const revisions = await all(caller, `${PROFILE}/revisions`);
  assertEquals(revisions.map(({ change }) => change), ["IMPORTED", "CREATED"]);
  // Also without differences.
  const again = await imported(caller, { profile: { displayName: "Eda" } });
  assertEquals(again.revision, 3);
  assertNotEquals(again.snapshotId, result.snapshotId);
  assertEquals((await all(caller, SNAPSHOTS)).length, 2);
  assertEquals((await read(caller, `${PROFILE}?revision=3`)).displayName, "Eda");
});

Deno.test("Only items equal to existing ones are skipped", async () => {
  const caller = await world().createCaller();
  await imported(caller, LIFE);
  assertEquals(await imported(caller, LIFE), {
    ...await lastImport(caller),
    conflictMode: "CREATE_SNAPSHOT",
    revision: 2,
    created: NONE,
    skipped: { stages: 2, roles: 2, snapshots: 2 },
  });
  // The frozen profile equals the second of these, except for its label.
  const before = {
    label: "Before the import",
    fields: { ...WHOLE_PROFILE, currentRole: "Role of 2020" },
  };
  const twin = { label: "Twin", fields: { tags: ["a", "b"] } };
  const { created, skipped } = await imported(caller, {
    profile: WHOLE_PROFILE,
    stages: [stageBody(1990, 2000)],
    roles: [roleBody(2005), { ...roleBody(2005), reason: "" }, roleBody(2001), roleBody(2001)],
    snapshots: [before, twin, twin, { label: "Twin", fields: { tags: ["b", "a"] } }],
  });
  assertEquals(created, { stages: 1, roles: 3, snapshots: 3 });
  assertEquals(skipped, { stages: 0, roles: 1, snapshots: 1 });
  const third = await imported(caller, { profile: WHOLE_PROFILE, snapshots: [twin, twin] });
  assertEquals([third.created, third.skipped], [NONE, { ...NONE, snapshots: 2 }]);
});

async function lastImport(caller: Caller): Promise<Json> {
  const [row] = await world().rows(`
    select execution_id, created_at, output::text as output from executions
     where owner_id = '${caller.accountId}' order by (output ->> 'revision')::integer desc limit 1`);
  const { snapshotId } = JSON.parse(row.output);
  return { executionId: row.execution_id, createdAt: row.created_at.toISOString(), snapshotId };
}

Deno.test("Every field distinguishes stages, roles and snapshots", async () => {
  const stage = { ...stageBody(2000, 2010), note: "A" };
  const role = { ...roleBody(2005), reason: "A" };
  const snapshot = { label: "A", asOf: "1990-01-01T00:00:00Z", fields: WHOLE_PROFILE };
  const others: JsonObject = {
    displayName: "Another",
    currentRole: "Another",
    lifeStage: "OTHER",
    startedAt: "2001-02-03T04:05:06.788Z",
    endedAt: "2029-01-01T00:00:00Z",
    biography: "Another",
    publicSummary: "Another",
    tags: ["bread", "rowing"],
  };
  const snapshots = [
    { ...snapshot, label: "B" },
    { ...snapshot, asOf: "1990-01-01T00:00:00.001Z" },
    { label: "A", fields: WHOLE_PROFILE },
    ...Object.entries(others).flatMap(([name, value]) => {
      const { [name]: _, ...without } = WHOLE_PROFILE;
      const fields = [{ ...WHOLE_PROFILE, [name]: value }, without];
      return fields.map((each) => ({ ...snapshot, fields: each }));
    }),
  ];
  const roles = [
    { ...role, role: "Another" },
    { ...role, changedAt: "2005-01-01T00:00:00.001Z" },
    { ...role, reason: "B" },
    roleBody(2005),
  ];
  const caller = await world().createCaller();
  const profile = { displayName: "Ada" };
  await imported(caller, { profile, stages: [stage], roles: [role], snapshots: [snapshot] });
  const all = { stages: [stage], roles: [role, ...roles], snapshots: [snapshot, ...snapshots] };
  const { created, skipped } = await imported(caller, { profile, ...all });
  assertEquals(created, { stages: 0, roles: roles.length, snapshots: snapshots.length });
  assertEquals(skipped, { stages: 1, roles: 1, snapshots: 1 });
  // A stage at the same time with any difference overlaps.
  for (
    const other of [{ lifeStage: "OTHER" }, { title: "Another" }, { note: "B" }, {
      endedAt: "2009-01-01T00:00:00Z",
    }]
  ) {
    const response = await bringIn(caller, { profile, stages: [{ ...stage, ...other }] });
    assertFailure(response, "IDENTITY_STATE_CONFLICT", JSON.stringify(other));
  }
});

Deno.test("An import that overlaps stored stages or itself creates nothing", async () => {
  const caller = await world().createCaller();
  await introduce(caller);
  const stored = await done(caller, STAGES, stageBody(2000, 2010));
  const profile = { displayName: "Eda" };
  const overlapping = [
    [stageBody(2009, 2011)],
    [stageBody(2009)],
    [stageBody(1990)],
    [stageBody(2010, 2020), stageBody(2019, 2021)],
    [stageBody(2010, 2020), stageBody(2010, 2020)],
    [stageBody(2010), stageBody(2020)],
  ];
  await assertWritesNothing(world(), async () => {
    for (const stages of overlapping) {
      const response = await bringIn(caller, { profile, stages, roles: [roleBody(2000)] });
      assertFailure(response, "IDENTITY_STATE_CONFLICT", JSON.stringify(stages));
    }
  });
  assertEquals((await read(caller, PROFILE)).displayName, "Ada");
  await imported(caller, { profile, stages: [stageBody(2010, 2020), stageBody(1990, 2000)] });
  // An archived stage neither equals nor overlaps others.
  await done(caller, stagePath(stored, "/archive"), {});
  const result = await imported(caller, { profile, stages: [stageBody(2000, 2010)] });
  assertEquals([result.created.stages, result.skipped.stages], [1, 0]);
});

Deno.test("The current role is the newest role's, stored or imported", async () => {
  const caller = await world().createCaller();
  const profile = { displayName: "Ada", currentRole: "Something else" };
  await imported(caller, { profile });
  assertEquals((await read(caller, PROFILE)).currentRole, "Something else");
  await done(caller, ROLES, roleBody(2010));
  // An older role changes nothing.
  await imported(caller, { profile, roles: [roleBody(2005)] });
  assertEquals((await read(caller, PROFILE)).currentRole, "Role of 2010");
  // At equal times the role entered last is current.
  const same = roleBody(2010, "The same day");
  const { revision } = await imported(caller, { profile, roles: [same, roleBody(2007)] });
  assertEquals((await read(caller, PROFILE)).currentRole, "The same day");
  const roles = await all(caller, ROLES);
  assertEquals(roles.map(({ role, profileRevision }) => [role, profileRevision]), [
    ["The same day", revision],
    ["Role of 2010", 2],
    ["Role of 2007", null],
    ["Role of 2005", null],
  ]);
  const set = { expectedRevision: revision, set: { currentRole: "Free" } };
  assertFailure(
    await caller.call("PATCH", PROFILE, { key: ulid(), body: set }),
    "IDENTITY_STATE_CONFLICT",
  );
  await imported(caller, { profile: { displayName: "Ada" } });
  assertEquals((await read(caller, PROFILE)).currentRole, "The same day");
  await done(caller, ROLES, roleBody(2010, "The latest of them"));
  assertEquals((await read(caller, PROFILE)).currentRole, "The latest of them");
});

Deno.test("An invalid import is rejected and writes nothing", async () => {
  const caller = await world().createCaller();
  await introduce(caller);
  const profile = { displayName: "Ada" };
  const stage = stageBody(2000, 2010);
  const future = new Date(world().now().getTime() + 3_600_000).toISOString();
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{ version: 2 }, ["field.range"], ["version"]],
    [{ version: "1" }, ["field.type"], ["version"]],
    [{ conflictMode: "MERGE" }, ["field.option"], ["conflictMode"]],
    [{ profile: undefined }, ["field.required"], ["profile"]],
    [{ profile: [] }, ["field.type"], ["profile"]],
    [{ profile: {} }, ["field.required"], ["displayName"]],
    [{ profile: { displayName: " " } }, ["field.blank"], ["displayName"]],
    [{ profile: { ...profile, revision: 1 } }, ["undeclared_field"], []],
    [
      {
        profile: {
          ...profile,
          startedAt: "2002-01-01T00:00:00Z",
          endedAt: "2001-01-01T00:00:00Z",
        },
      },
      ["identity.started_at_not_after_ended_at"],
      ["startedAt", "endedAt"],
    ],
    [{ stages: {} }, ["field.type"], ["stages"]],
    [{ stages: [stage, "x"] }, ["field.type"], ["stages"]],
    [{ stages: [{ ...stage, stageId: ulid() }] }, ["undeclared_field"], []],
    [{ stages: [stage, { ...stage, title: "x".repeat(201) }] }, ["field.length"], ["title"]],
    [
      { stages: [{ ...stage, endedAt: stage.startedAt }] },
      ["identity.stage_begins_before_it_ends"],
      ["startedAt", "endedAt"],
    ],
    [{ roles: [{ role: "x" }] }, ["field.required"], ["changedAt"]],
    [
      { roles: [{ role: "x", changedAt: future }] },
      ["identity.role_changed_at_not_in_the_future"],
      ["changedAt"],
    ],
    [{ snapshots: [{ label: "x" }] }, ["field.required"], ["fields"]],
    [{ snapshots: [{ label: "x", fields: {} }] }, ["change.required"], []],
    [{ snapshots: [{ label: "x", fields: { displayName: "" } }] }, ["field.blank"], [
      "displayName",
    ]],
    [{ snapshots: [{ label: "x", fields: { name: "x" } }] }, ["undeclared_field"], []],
    [
      { snapshots: [{ label: "x", asOf: future, fields: profile }] },
      ["identity.snapshot_as_of_not_in_the_future"],
      ["asOf"],
    ],
    [{ snapshotsLeftOut: 0 }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      const response = await bringIn(caller, { profile, ...wrong } as JsonObject);
      assertInvalid(response, rules, fields, JSON.stringify(wrong));
    }
    // Validation precedes the state.
    const rejected = await bringIn(caller, { profile: {} }, "REJECT");
    assertInvalid(rejected, ["field.required"], ["displayName"]);
  });
});

Deno.test("An import is replayed under its key, and requires one and the write permission", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const body = { version: 1, conflictMode: "CREATE_SNAPSHOT", ...LIFE };
  const first = await caller.call("POST", IMPORTS, { key, body });
  assertEquals(first.status, 200, first.text);
  world().advance(1000);
  await changed(caller, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } });
  await imported(caller, LIFE);
  const again = await caller.call("POST", IMPORTS, { key, body });
  assertEquals([again.status, again.body.data], [200, first.body.data]);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  const other = await caller.call("POST", IMPORTS, { key, body: { ...body, roles: [] } });
  assertFailure(other, "IDEMPOTENCY_KEY_REUSED");
  const keyless = await caller.call("POST", IMPORTS, { body });
  assertFailure(keyless, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
  const reader = await withPermissions(world(), caller, "identity.read");
  assertFailure(await post(reader, IMPORTS, body), "FORBIDDEN");
});

Deno.test("The largest import is accepted as a whole", async () => {
  const caller = await world().createCaller();
  const profile = { displayName: "Ada" };
  // Just below the body limit of 20,000 values.
  const roles = Array.from({ length: 6_660 }, (_, index) => ({
    role: `Role ${index}`,
    changedAt: new Date(Date.UTC(1900, 0, 1) + index * 1000).toISOString(),
  }));
  const result = await imported(caller, { profile, roles });
  assertEquals(result.created.roles, 6_660);
  assertEquals((await read(caller, PROFILE)).currentRole, "Role 6659");
  const again = await imported(caller, { profile, roles });
  assertEquals([again.created, again.skipped.roles], [NONE, 6_660]);
  // With equal labels and small differences.
  const snapshots = Array.from({ length: 4_990 }, (_, index) => ({
    label: "The same label",
    fields: { displayName: `${index}` },
  }));
  assertEquals((await imported(caller, { profile, snapshots })).created.snapshots, 4_990);
  assertEquals((await imported(caller, { profile, snapshots })).skipped.snapshots, 4_990);
});

Deno.test("An import does not touch another owner's identity", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  await imported(other, LIFE);
  const before = await read(other, PROFILE);
  const { created } = await imported(caller, LIFE);
  assertEquals(created, { stages: 2, roles: 2, snapshots: 2 });
  assertEquals(await read(other, PROFILE), before);
  assertEquals((await all(other, SNAPSHOTS)).length, 2);
});

Deno.test("No text of an import is in a ledger, log line or error", async () => {
  await using world = await createWorld();
  const markers = new Markers();
  const mark = (purpose: string) => markers.make(purpose);
  const caller = await world.createCaller();
  const document = () => ({
    profile: { displayName: mark("profile"), biography: mark("profile") },
    stages: [{ ...stageBody(2000), title: mark("stage"), note: mark("stage") }],
    roles: [{ ...roleBody(2000, mark("role")), reason: mark("role") }],
    snapshots: [{ label: mark("snapshot"), fields: { publicSummary: mark("snapshot") } }],
  });
  const first = document();
  const responses = [await bringIn(caller, first), await bringIn(caller, first)];
  for (const response of responses) {
    assertEquals([response.status, markers.inResponse(response)], [200, []], response.text);
  }
  const word = mark("sent");
  const refused: [JsonObject, string][] = [
    [document(), "CREATE_SNAPSHOT"],
    [document(), "REJECT"],
    [document(), word],
    [{ ...document(), [word]: word }, "REJECT"],
    [{ ...document(), roles: [{ role: word, changedAt: word, [word]: 1 }] }, "REJECT"],
  ];
  for (const [body, mode] of refused) {
    markers.assertTellsNothing(await bringIn(caller, body, mode), mode);
  }
  await markers.assertLedgersTellNothing(world);
  const tables = new Set(
    Object.keys(await markers.inDatabase(world)).map((column) => column.split(".")[0]),
  );
  assertEquals([...tables].sort(), [
    "identity_profile_revisions",
    "identity_profiles",
    "identity_roles",
    "identity_snapshots",
    "identity_stage_revisions",
    "identity_stages",
  ]);
});
