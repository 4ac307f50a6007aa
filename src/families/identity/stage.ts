/** Stages of a life: periods that do not overlap; one may be open. */

import { IDENTITY } from "../../catalog/modules/identity.ts";
import { rule, strictlyOrdered } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { orNull, type RowOf } from "../../kit/columns.ts";
import {
  ARCHIVED,
  fieldsOf,
  keptFields,
  type RootDeclaration,
  rootMembers,
  type RootRowOf,
  type ShownRootOf,
} from "../../kit/declaration.ts";
import { newColumns } from "../../kit/fields.ts";
import { choice, clocks, id, line, longText, time } from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { firstRevision } from "../../kit/root.ts";
import { component, type JsonSchema } from "../../validate/json_schema.ts";

const LIFE_STAGES = IDENTITY.fields.find(({ name }) => name === "lifeStage")?.options ?? [];

export const STAGE = {
  table: "identity_stages",
  ledger: "identity_stage_revisions",
  fixed: { stage_id: id },
  fields: {
    life_stage: choice(LIFE_STAGES),
    title: line(200),
    started_at: time,
    /** The first moment after the stage; null while open. */
    ended_at: orNull(time),
    note: orNull(longText),
    clocks,
  },
  state: ARCHIVED,
} satisfies RootDeclaration;

export type StageRow = RootRowOf<typeof STAGE>;

export type StageColumns = RowOf<typeof STAGE.fields>;

export type Stage = ShownRootOf<typeof STAGE>;

const MEMBERS = rootMembers(STAGE);

export const STAGE_SCHEMA: JsonSchema = component("Stage", MEMBERS);

export const STAGE_REVISION_SCHEMA: JsonSchema = revisionSchema("StageRevision", MEMBERS, [
  "CREATED",
  "MODIFIED",
  "ARCHIVED",
  "RESTORED",
]);

/** The database rejects overlapping stages. */
export const STAGE_FIELDS = keptFields(
  STAGE.fields,
  fieldsOf(STAGE.fields, [
    rule(
      "identity.stage_begins_before_it_ends",
      "startedAt < endedAt when endedAt is set",
      strictlyOrdered("startedAt", "endedAt"),
    ),
  ]),
);

/** @throws ServiceError `PAYLOAD_INVALID` for invalid fields. */
export function decideStage(body: JsonObject, now: Date): StageRow {
  const stage_id = newId(now);
  const columns = newColumns(STAGE_FIELDS, body, { now, recordId: stage_id });
  return { stage_id, ...firstRevision(now), archived_at: null, ...columns };
}
