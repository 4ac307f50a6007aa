/** Comparisons of two states of the profile, field by field. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
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
import {
  checkObject,
  describeObject,
  identifier,
  oneOf,
  revision,
  type Schema,
} from "../../validate/schema.ts";
import { FIELD_MEMBERS, FIELD_NAMES, type FieldName, type IdentityFields } from "./fields.ts";

const REVISION_SIDE = { kind: oneOf("PROFILE_REVISION"), revision };
const SNAPSHOT_SIDE = { kind: oneOf("SNAPSHOT"), snapshotId: identifier };

type Side =
  | { readonly kind: "PROFILE_REVISION"; readonly revision: number }
  | { readonly kind: "SNAPSHOT"; readonly snapshotId: string };

/** One side of a request: a revision or a snapshot, never both. */
const side: Schema<Side> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    switch (value.kind) {
      case "PROFILE_REVISION":
        return checkObject(REVISION_SIDE, value, violations);
      case "SNAPSHOT":
        return checkObject(SNAPSHOT_SIDE, value, violations);
      default:
        return violations.add("field.option", "kind");
    }
  },
  json: { anyOf: [describeObject(REVISION_SIDE), describeObject(SNAPSHOT_SIDE)] },
};

export const COMPARISON_BODY = { left: side, right: side };

/** Per side, only the column of its kind has a value. */
export interface SideColumns {
  readonly left_revision: number | null;
  readonly left_snapshot_id: string | null;
  readonly right_revision: number | null;
  readonly right_snapshot_id: string | null;
}

/** The texts are JSON of `IdentityFields`. */
export interface ComparisonRow extends SideColumns {
  readonly comparison_id: string;
  readonly left_fields: string;
  readonly right_fields: string;
  readonly created_at: Date;
}

const CHANGES = ["SAME", "CHANGED", "ADDED", "REMOVED"] as const;

type FieldValue = IdentityFields[FieldName];

interface ComparedField {
  readonly field: FieldName;
  readonly left: FieldValue;
  readonly right: FieldValue;
  readonly change: (typeof CHANGES)[number];
}

export interface Comparison {
  readonly comparisonId: string;
  readonly left: Side;
  readonly right: Side;
  readonly fields: readonly ComparedField[];
  readonly createdAt: string;
}

const SIDE_SCHEMA: JsonSchema = {
  anyOf: [
    objectOf({ kind: enumOf(["PROFILE_REVISION"]), revision: REVISION }),
    objectOf({ kind: enumOf(["SNAPSHOT"]), snapshotId: ULID }),
  ],
};

const VALUE_SCHEMA: JsonSchema = { anyOf: [FIELD_MEMBERS.displayName, FIELD_MEMBERS.tags] };

export const COMPARISON_SCHEMA: JsonSchema = component<Comparison>("Comparison", {
  comparisonId: ULID,
  left: SIDE_SCHEMA,
  right: SIDE_SCHEMA,
  fields: listOf(objectOf({
    field: enumOf(FIELD_NAMES),
    left: VALUE_SCHEMA,
    right: VALUE_SCHEMA,
    change: enumOf(CHANGES),
  })),
  createdAt: TIME,
});

/** In the order of the catalog. Lists are equal only in the same order. */
export function compareFields(left: IdentityFields, right: IdentityFields): ComparedField[] {
  return FIELD_NAMES.map((field) => ({
    field,
    left: left[field],
    right: right[field],
    change: changeOf(left[field], right[field]),
  }));
}

function changeOf(left: FieldValue, right: FieldValue): ComparedField["change"] {
  if (JSON.stringify(left) === JSON.stringify(right)) return "SAME";
  if (left === null) return "ADDED";
  return right === null ? "REMOVED" : "CHANGED";
}

export function showComparison(row: ComparisonRow): Comparison {
  return {
    comparisonId: row.comparison_id,
    left: toSide(row.left_revision, row.left_snapshot_id),
    right: toSide(row.right_revision, row.right_snapshot_id),
    fields: compareFields(JSON.parse(row.left_fields), JSON.parse(row.right_fields)),
    createdAt: row.created_at.toISOString(),
  };
}

export function sideColumns({ left, right }: Pick<Comparison, "left" | "right">): SideColumns {
  return {
    left_revision: left.kind === "PROFILE_REVISION" ? left.revision : null,
    left_snapshot_id: left.kind === "SNAPSHOT" ? left.snapshotId : null,
    right_revision: right.kind === "PROFILE_REVISION" ? right.revision : null,
    right_snapshot_id: right.kind === "SNAPSHOT" ? right.snapshotId : null,
  };
}

function toSide(revision: number | null, snapshotId: string | null): Side {
  if (revision !== null) return { kind: "PROFILE_REVISION", revision };
  if (snapshotId !== null) return { kind: "SNAPSHOT", snapshotId };
  throw new Error("A comparison lacks a side");
}

/** Output of the execution: references and names of differing fields, no values. */
export function comparisonOutput({ left, right, fields }: Comparison): JsonObject {
  const differing = fields.filter(({ change }) => change !== "SAME").map(({ field }) => field);
  return { left: { ...left }, right: { ...right }, differing };
}
