import type { Query, Sql } from "../../database/sql.ts";
import { rootParts } from "../../kit/declaration.ts";
import { storedRevisions, type StoredRoot, storedRoot } from "../../kit/tables.ts";
import type { WriteOptions } from "../../kit/write.ts";
import { STAGE, type Stage, STAGE_REVISION_SCHEMA, STAGE_SCHEMA, type StageRow } from "./stage.ts";

export interface StageTypes {
  readonly key: { readonly stageId: string };
  readonly row: StageRow;
  readonly change: "MODIFIED";
  readonly shown: Stage;
}

const STORED = storedRoot<StageTypes>({
  module: "identity",
  policy: "identity-stage",
  keyNames: ["stageId"],
  ...rootParts(STAGE),
  schema: STAGE_SCHEMA,
  isNamed: (sql, { stageId }) => sql`stage_id = ${stageId}`,
});

/** Writes lock the profile first, like every write of the family. */
export const STAGES: StoredRoot<StageTypes> = {
  ...STORED,
  root: {
    ...STORED.root,
    lock: (sql, owner, key) => behindProfile(sql, owner, STORED.root.lock(sql, owner, key)),
    lockRevision: (sql, owner, key, revision) =>
      behindProfile(sql, owner, STORED.root.lockRevision(sql, owner, key, revision)),
  },
};

/**
 * Locks the profile, then the row of `lock`. The inner condition keeps this order: without it the
 * planner may lock the row first.
 */
function behindProfile<Row extends object>(
  sql: Sql,
  owner: string,
  lock: Query<Row>,
): Query<Row> {
  return sql<Row>`
    select locked.*
      from (select true as is_held from identity_profiles
             where owner_id = ${owner} for no key update) profile
     cross join lateral (
       select stage.* from (${lock}) stage where profile.is_held offset 0) locked`;
}

/**
 * The owner's stages that are not archived. The inner query prevents a plan that reads all owners'
 * stages by the index of `stages_do_not_overlap`.
 */
export function liveStages(sql: Sql, owner: string): Query<object> {
  return sql`(
    select * from (select * from identity_stages where owner_id = ${owner} offset 0) stage
     where archived_at is null)`;
}

export const STAGE_REVISIONS = storedRevisions<StageTypes>(STAGES, STAGE_REVISION_SCHEMA);

/** The error for overlapping stages, which the database detects under the lock. */
export const WITHOUT_OVERLAP: WriteOptions = {
  constraints: { stages_do_not_overlap: "IDENTITY_STATE_CONFLICT" },
};
