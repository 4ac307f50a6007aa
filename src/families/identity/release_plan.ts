/**
 * The release plan: which fields to release one day, to whom and when, in words for people. No part
 * of the service delivers anything.
 */

import { textField } from "../../catalog/field_schema.ts";
import { textarea } from "../../catalog/fields.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import {
  appendRevision,
  assertRevision,
  firstRevision,
  type RootRow,
  showRoot,
} from "../../kit/root.ts";
import {
  component,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { type InferObject, optional, revision } from "../../validate/schema.ts";
import { fieldNamesOf, joinNames, someOf, splitNames } from "./field_names.ts";
import { FIELD_NAMES, type FieldName } from "./fields.ts";

const TEXTS = {
  code: "identity",
  fields: [
    textarea("recipientDescription", { required: true, sensitive: true }),
    textarea("releaseCondition", { required: true, sensitive: true }),
    textarea("instructions", { sensitive: true }),
  ],
};

/** The body always contains the whole plan. */
export const LEGACY_PLAN_BODY = {
  recipientDescription: textField(TEXTS, "recipientDescription"),
  releaseCondition: textField(TEXTS, "releaseCondition"),
  instructions: optional(textField(TEXTS, "instructions")),
  fields: someOf(FIELD_NAMES),
  expectedRevision: optional(revision),
};

type LegacyPlanBody = InferObject<typeof LEGACY_PLAN_BODY>;

/** The only state of delivery. */
export const DELIVERY = "BLOCKED";

export interface LegacyPlanRow extends RootRow {
  readonly plan_id: string;
  readonly recipient_description: string;
  readonly release_condition: string;
  readonly instructions: string | null;
  /** The fields to release, separated by spaces. */
  readonly fields: string;
  /** Time of the newest drill; in a revision, of the newest one before it. */
  readonly last_drill_at: Date | null;
}

export interface LegacyPlan {
  readonly planId: string;
  readonly recipientDescription: string;
  readonly releaseCondition: string;
  readonly instructions: string | null;
  readonly fields: readonly FieldName[];
  readonly delivery: typeof DELIVERY;
  readonly lastDrillAt: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const LEGACY_PLAN_SCHEMA: JsonSchema = component<LegacyPlan>("LegacyPlan", {
  planId: ULID,
  recipientDescription: TEXT,
  releaseCondition: TEXT,
  instructions: nullable(TEXT),
  fields: fieldNamesOf(FIELD_NAMES),
  delivery: { const: DELIVERY },
  lastDrillAt: nullable(TIME),
  revision: REVISION,
  createdAt: TIME,
  updatedAt: TIME,
});

export function showLegacyPlan(row: LegacyPlanRow): LegacyPlan {
  return {
    planId: row.plan_id,
    recipientDescription: row.recipient_description,
    releaseCondition: row.release_condition,
    instructions: row.instructions,
    fields: splitNames(row.fields),
    delivery: DELIVERY,
    lastDrillAt: row.last_drill_at?.toISOString() ?? null,
    ...showRoot(row),
  };
}

export interface NextLegacyPlan {
  readonly row: LegacyPlanRow;
  readonly change: "CREATED" | "REPLACED";
}

/**
 * Decides the first plan, or one that replaces it as a whole, even if it is equal.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` if a revision is expected of a plan that does not exist;
 *   `IDENTITY_STATE_CONFLICT` if a plan exists and no revision is expected; `REVISION_CONFLICT`.
 */
export function decideLegacyPlan(
  present: LegacyPlanRow | undefined,
  { expectedRevision, ...body }: LegacyPlanBody,
  now: Date,
): NextLegacyPlan {
  const columns = {
    recipient_description: body.recipientDescription,
    release_condition: body.releaseCondition,
    instructions: body.instructions ?? null,
    fields: joinNames(body.fields),
  };
  if (present === undefined) {
    if (expectedRevision !== undefined) throw new ServiceError("RECORD_NOT_FOUND");
    const row = { plan_id: newId(now), ...firstRevision(now), ...columns, last_drill_at: null };
    return { row, change: "CREATED" };
  }
  if (expectedRevision === undefined) throw new ServiceError("IDENTITY_STATE_CONFLICT");
  assertRevision(present, expectedRevision);
  return appendRevision(present, "REPLACED", now, columns);
}
