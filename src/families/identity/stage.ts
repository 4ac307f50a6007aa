/** Stages of a life: periods that do not overlap, of which one may be open. No SQL, no HTTP. */

import { datetime, select, text, textarea } from "../../catalog/fields.ts";
import { IDENTITY } from "../../catalog/modules/identity.ts";
import { rule, strictlyOrdered } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { type KeptFields, newColumns, presentFields } from "../kit/fields.ts";
import { revisionSchema } from "../kit/list_routes.ts";
import { type ArchivableRow, firstRevision, showRoot } from "../kit/root.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";

/** The fields of a stage as columns. */
export interface StageColumns {
  readonly life_stage: string;
  readonly title: string;
  readonly started_at: Date;
  /** The first moment after the stage; null while it is open. */
  readonly ended_at: Date | null;
  readonly note: string | null;
}

/** A stage, or one of its revisions, as read from the database. */
export interface StageRow extends ArchivableRow, StageColumns {
  readonly stage_id: string;
}

/** A stage as a client sees it. */
export interface Stage {
  readonly stageId: string;
  readonly lifeStage: string;
  readonly title: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly note: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
}

const LIFE_STAGES = IDENTITY.fields.find(({ name }) => name === "lifeStage")?.options ?? [];

/** The schema of each member. */
const STAGE_MEMBERS = {
  stageId: ULID,
  lifeStage: enumOf(LIFE_STAGES),
  title: TEXT,
  startedAt: TIME,
  endedAt: nullable(TIME),
  note: nullable(TEXT),
  revision: REVISION,
  createdAt: TIME,
  updatedAt: TIME,
  archivedAt: nullable(TIME),
} as const satisfies { readonly [Name in keyof Stage]: JsonSchema };

export const STAGE_SCHEMA: JsonSchema = component<Stage>("Stage", STAGE_MEMBERS);

export const STAGE_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "StageRevision",
  STAGE_MEMBERS,
  ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"],
);

/** What a stage is made of. That stages do not overlap is for the database to keep. */
export const STAGE_FIELDS: KeptFields<StageRow, StageColumns> = {
  fields: {
    fields: [
      select("lifeStage", LIFE_STAGES, { required: true }),
      text("title", { required: true, maximumLength: 200 }),
      datetime("startedAt", { required: true }),
      datetime("endedAt"),
      textarea("note"),
    ],
    rules: [
      rule(
        "identity.stage_begins_before_it_ends",
        "startedAt < endedAt when endedAt is set",
        strictlyOrdered("startedAt", "endedAt"),
      ),
    ],
  },
  read: ({ life_stage, title, started_at, ended_at, note }) =>
    presentFields({
      lifeStage: life_stage,
      title,
      startedAt: started_at,
      endedAt: ended_at,
      note,
    }),
  columns: (fields) => ({
    life_stage: fields.text("lifeStage") ?? "",
    title: fields.text("title") ?? "",
    started_at: fields.date("startedAt") ?? new Date(0),
    ended_at: fields.date("endedAt") ?? null,
    note: fields.text("note") ?? null,
  }),
};

/** The public form of a stage. */
export function showStage(row: StageRow): Stage {
  return {
    stageId: row.stage_id,
    lifeStage: row.life_stage,
    title: row.title,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    note: row.note,
    ...showRoot(row),
    archivedAt: row.archived_at?.toISOString() ?? null,
  };
}

/**
 * Decides a creation.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for fields that are wrong in themselves.
 */
export function decideStage(body: JsonObject, now: Date): StageRow {
  const stage_id = newId(now);
  const columns = newColumns(STAGE_FIELDS, body, { now, recordId: stage_id });
  return { stage_id, ...firstRevision(now), archived_at: null, ...columns };
}
