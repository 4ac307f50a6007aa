/**
 * Drills of the release plan: names of the fields that would be released, without values. A drill
 * changes and delivers nothing.
 */

import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  objectOf,
  REVISION,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { oneOf } from "../../validate/schema.ts";
import { joinNames, splitNames } from "./field_names.ts";
import { FIELD_NAMES, type FieldName, showFields } from "./fields.ts";
import { DELIVERY, type LegacyPlanRow } from "./release_plan.ts";
import type { ProfileRow } from "./profile.ts";

/** The client must repeat a sentence, to show that it was read. */
export const DRILL_BODY = { confirmation: oneOf("I understand nothing is delivered") };

/** Drills never change. */
export interface DrillRow {
  readonly drill_id: string;
  readonly plan_id: string;
  readonly plan_revision: number;
  readonly profile_revision: number;
  /** The plan's fields, separated by spaces. */
  readonly fields: string;
  /** The fields of all eight that have a value in the profile, in the same form. */
  readonly present: string;
  readonly created_at: Date;
}

export interface Drill {
  readonly drillId: string;
  readonly planId: string;
  readonly planRevision: number;
  readonly profileRevision: number;
  readonly delivery: typeof DELIVERY;
  readonly fields: readonly { readonly field: FieldName; readonly present: boolean }[];
  readonly createdAt: string;
}

export const DRILL_SCHEMA: JsonSchema = component<Drill>("LegacyDrill", {
  drillId: ULID,
  planId: ULID,
  planRevision: REVISION,
  profileRevision: REVISION,
  delivery: { const: DELIVERY },
  fields: listOf(objectOf({ field: enumOf(FIELD_NAMES), present: { type: "boolean" } })),
  createdAt: TIME,
});

export function showDrill(row: DrillRow): Drill {
  const present = new Set(splitNames<FieldName>(row.present));
  return {
    drillId: row.drill_id,
    planId: row.plan_id,
    planRevision: row.plan_revision,
    profileRevision: row.profile_revision,
    delivery: DELIVERY,
    fields: splitNames<FieldName>(row.fields).map((field) => ({
      field,
      present: present.has(field),
    })),
    createdAt: row.created_at.toISOString(),
  };
}

export function decideDrill(
  { plan_id, revision, fields }: LegacyPlanRow,
  profile: ProfileRow,
  now: Date,
): DrillRow {
  const values = showFields(profile);
  return {
    drill_id: newId(now),
    plan_id,
    plan_revision: revision,
    profile_revision: profile.revision,
    fields,
    present: joinNames(FIELD_NAMES.filter((name) => values[name] !== null)),
    created_at: now,
  };
}

export function drillOutput(row: DrillRow): JsonObject {
  const { planId, planRevision, profileRevision, fields } = showDrill(row);
  return {
    planId,
    planRevision,
    profileRevision,
    fields: fields.map(({ field }) => field),
    present: fields.filter(({ present }) => present).map(({ field }) => field),
  };
}
