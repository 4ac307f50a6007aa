// engines: postgres
/** Plans of identity statements: all use an index. */

import { assert, assertEquals } from "@std/assert";
import type { Statement } from "../../src/database/statement.ts";
import { readSides } from "../../src/families/identity/comparison_store.ts";
import { PROFILES } from "../../src/families/identity/profile_store.ts";
import { readPresentRoles } from "../../src/families/identity/role_store.ts";
import { STAGES as STAGE_ROOTS } from "../../src/families/identity/stage_store.ts";
import { COMPARISONS, PROFILE, ROLES, SNAPSHOTS, STAGES } from "../families/identity/api.ts";
import { type Caller, callerOf, createWorld, type World } from "../support/world.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

const COUNT = 1_200;

function idOf(number: number): string {
  return `01KA${String(number).padStart(22, "0")}`;
}

const FIELDS =
  "display_name, role, role_id, life_stage, started_at, ended_at, biography, public_summary, tags";

/** Many revisions, stages, roles, snapshots and comparisons. */
function livesOf({ accountId: owner }: Caller): string {
  return `
    create temporary table numbers on commit drop as
      select i, '01KA' || lpad(i::text, 22, '0') as id,
             timestamptz '1950-01-01 00:00:00Z' + i * interval '24 hours' as moment,
             timestamptz '2026-11-20 12:00:00Z' as now
        from generate_series(1, ${COUNT}) i;
    insert into identity_profiles (owner_id, profile_id, revision, revision_id, created_at, updated_at,
                                   display_name, role, role_id)
      select '${owner}', id, i, id, now, now, 'Ada', 'A role', id from numbers where i = ${COUNT};
    insert into identity_profile_revisions (owner_id, profile_id, revision, revision_id, change,
                                            created_at, ${FIELDS})
      select owner_id, profile_id, i, id, case when i = 1 then 'CREATED' else 'MODIFIED' end, now,
             ${FIELDS} from identity_profiles, numbers where owner_id = '${owner}';
    insert into identity_roles (owner_id, role_id, role, changed_at, created_at)
      select '${owner}', id, 'A role', moment, now from numbers;
    insert into identity_stages (owner_id, stage_id, revision, revision_id, created_at, updated_at,
                                 archived_at, life_stage, title, started_at, ended_at)
      select '${owner}', id, 1, id, now, now, case when i % 3 = 0 then now end, 'OTHER', 'A', moment,
             moment + interval '24 hours' from numbers;
    insert into identity_stage_revisions (owner_id, stage_id, revision, revision_id, change, created_at,
                                          archived_at, life_stage, title, started_at, ended_at)
      select owner_id, stage_id, 1, revision_id, 'CREATED', updated_at, archived_at, life_stage, title,
             started_at, ended_at from identity_stages where owner_id = '${owner}';
    insert into identity_snapshots (owner_id, snapshot_id, label, profile_revision, display_name,
                                    created_at)
      select '${owner}', id, 'A', case when i % 2 = 0 then i end, case when i % 2 = 1 then 'Ada' end, now
        from numbers;
    insert into executions (owner_id, execution_id, module_code, feature_id, strategy, status, output,
                            created_at)
      select '${owner}', id, 'identity', 'IDN-005', 'compare', 'SUCCEEDED', '{}', now from numbers;
    insert into identity_comparisons (owner_id, comparison_id, left_revision, right_snapshot_id,
                                      created_at)
      select '${owner}', id, i, id, now from numbers;`;
}

Deno.test("Every identity statement uses an index at any size", async () => {
  await using world = await createWorld();
  const [owner, other] = [await world.createCaller(), await world.createCaller()];
  for (const each of [owner, other]) await world.raw(livesOf(each));
  await world.raw("analyze");
  await assertReadsWalk(world, owner);
  await assertWritesSeek(world, owner.accountId);
});

async function assertReadsWalk(world: World, owner: Caller): Promise<void> {
  const recording = createRecordingDatabase(world.database);
  const caller = callerOf(world.again({ database: recording.database }), owner);
  const paths = [
    PROFILE,
    `${PROFILE}?revision=7`,
    `${PROFILE}/revisions`,
    `${PROFILE}/revisions?cursor=${idOf(1_000)}`,
    ...["exclude", "only", "include"].flatMap((archived) => [
      `${STAGES}?archived=${archived}`,
      `${STAGES}?archived=${archived}&cursor=${idOf(1_000)}`,
    ]),
    `${STAGES}/${idOf(7)}`,
    `${STAGES}/${idOf(7)}/revisions`,
    ...[ROLES, SNAPSHOTS, COMPARISONS].flatMap((list) => [
      list,
      `${list}?cursor=${idOf(1_000)}`,
      `${list}/${idOf(7)}`,
    ]),
  ];
  for (const path of paths) {
    const sent = await recording.during(async () => {
      const response = await caller.call("GET", path);
      assertEquals(response.status, 200, `${path}: ${response.text}`);
    });
    const own = sent.filter(({ text }) => /\bidentity_/.test(text));
    assert(own.length >= 1, path);
    for (const statement of own) {
      for (const plan of await plansOf(world, statement)) assertWalks(plan, statement.text);
    }
  }
}

/** Locks and checks of a write. */
async function assertWritesSeek(world: World, owner: string): Promise<void> {
  const stage = { stageId: idOf(7) };
  const locks = await world.database.read((sql) => {
    const statements = [
      PROFILES.lock(sql, owner, {}),
      PROFILES.lockRevision(sql, owner, {}, COUNT),
      STAGE_ROOTS.root.lock(sql, owner, stage),
      STAGE_ROOTS.root.lockRevision(sql, owner, stage, 1),
    ] as unknown as Statement<object>[];
    return Promise.resolve(statements.map((statement) => statement.compose()));
  });
  const recording = createRecordingDatabase(world.database);
  const questions = await recording.during(() =>
    recording.database.read(async (sql) => {
      await readPresentRoles(sql, owner, idOf(COUNT));
      await readSides(sql, owner, {
        left_revision: 7,
        left_snapshot_id: null,
        right_revision: null,
        right_snapshot_id: idOf(8),
      });
    })
  );
  assertEquals(questions.length, 2);
  const composed = locks.map(({ text, parameters }) => ({
    text,
    parameters: parameters.map(String),
  }));
  for (const statement of [...composed, ...questions]) {
    for (const plan of await plansOf(world, statement)) assertSeeks(plan, statement.text);
  }
}
