/**
 * Roots whose content is a set of catalog fields (a module, part of one, or a family's own list):
 * flat bodies, and patches `{ set, remove }`.
 */

import { describeField } from "../catalog/describe_field.ts";
import type { FieldSet, PolicyContext } from "../catalog/module.ts";
import { isPayloadTooLarge } from "../catalog/payload_size.ts";
import { PayloadView } from "../catalog/payload_view.ts";
import { applyFieldPolicy, checkPatch, mergeFields } from "../catalog/policy.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { enumOf, objectOf } from "../validate/json_schema.ts";
import { joinLocalTimes, parseClocks, type SplitTimes } from "../validate/local_time.ts";
import {
  distinctStrings,
  jsonObject,
  type ObjectSchema,
  optional,
  revision,
  type Schema,
} from "../validate/schema.ts";
import { nextRevision, type NextRow, type RootRow } from "./root.ts";

/** Body of a creation: all required fields, no undeclared one. The policy checks the values. */
export function fieldsBody({ fields }: FieldSet): Readonly<Record<string, Schema<JsonValue>>> {
  return Object.fromEntries(fields.map((field) => {
    const schema: Schema<JsonValue> = { check: (value) => value, json: describeField(field) };
    return [field.name, field.required ? schema : optional(schema)];
  }));
}

/** `checkFieldPatch` checks the values. */
export function patchBody({ fields }: FieldSet): typeof PATCH_BODY {
  const names = fields.map(({ name }) => name);
  const members = Object.fromEntries(fields.map((field) => [field.name, describeField(field)]));
  const removable = fields.filter(({ required }) => !required).map(({ name }) => name);
  return {
    ...PATCH_BODY,
    set: { ...PATCH_BODY.set, json: objectOf(members, names) },
    remove: {
      ...PATCH_BODY.remove,
      json: {
        ...PATCH_BODY.remove.json,
        ...(removable.length === 0 ? { maxItems: 0 } : { items: enumOf(removable) }),
      },
    },
  };
}

const PATCH_BODY = {
  expectedRevision: revision,
  set: optional(jsonObject),
  remove: optional(distinctStrings(64, 128)),
} as const satisfies ObjectSchema;

export interface FieldPatch {
  readonly set?: JsonObject;
  readonly remove?: readonly string[];
}

/**
 * Checks a patch without the stored fields. Rejects an empty patch, undeclared fields, fields both
 * set and removed, removal of a required field, and values that the field or a rule about it alone
 * rejects.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function checkFieldPatch(
  fields: FieldSet,
  { set = {}, remove = [] }: FieldPatch,
  context: Omit<PolicyContext, "set">,
): void {
  if (Object.keys(set).length + remove.length === 0) throw payloadInvalid(["change.required"]);
  checkPatch(fields, set, remove, context);
}

/**
 * Returns the fields after a patch, normalised and checked as a whole. A creation is a patch of
 * `{}`.
 *
 * @param stored Every field that has a value, as `storedFields` returns them, and no other member.
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function patchFields(
  fields: FieldSet,
  stored: JsonObject,
  { set = {}, remove = [] }: FieldPatch,
  context: Omit<PolicyContext, "set">,
): SplitTimes {
  const { fields: merged, ...stated } = mergeFields(fields, stored, set, remove);
  return applyFieldPolicy(fields, merged, { ...context, ...stated });
}

/** How the columns of a root store a set of fields. */
export interface KeptFields<Row, Columns> {
  readonly fields: FieldSet;
  /**
   * True if generic reads show all of them as the record's payload, whose size limit then applies.
   */
  readonly isPayload?: boolean;
  /** The fields with a value; times are in UTC. */
  readonly read: (row: Row) => JsonObject;
  /** Columns of normalised fields; null without a value. */
  readonly columns: (fields: PayloadView) => Columns;
}

/** The value of a required field, which the policy guarantees. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("A policy has let a required field be absent");
  return value;
}

/** Fields of the columns that are not null. */
export function presentFields(
  columns: Readonly<Record<string, JsonValue | Date>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(columns)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
}

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function newColumns<Columns>(
  kept: Pick<KeptFields<never, Columns>, "fields" | "isPayload" | "columns">,
  body: JsonObject,
  context: Omit<PolicyContext, "set">,
): Columns {
  return patchColumns(kept, {}, { set: body }, context);
}

/**
 * Returns the columns after a patch of the stored fields.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function patchColumns<Columns>(
  { fields, isPayload, columns }: Pick<
    KeptFields<never, Columns>,
    "fields" | "isPayload" | "columns"
  >,
  stored: JsonObject,
  patch: FieldPatch,
  context: Omit<PolicyContext, "set">,
): Columns {
  const next = patchFields(fields, stored, patch, context);
  if (isPayload && isPayloadTooLarge(next.fields)) throw payloadInvalid(["payload.bytes"]);
  return columns(new PayloadView(next.fields, next.clocks));
}

/** The fields of a row that have a value, with times as their clocks show them. */
function storedFields<Row>(
  { read }: Pick<KeptFields<Row, unknown>, "read">,
  row: Row & { readonly clocks?: string | null },
): JsonObject {
  return joinLocalTimes(read(row), parseClocks(row.clocks ?? null));
}

export interface PatchRoute<Row extends RootRow> {
  readonly body: typeof PATCH_BODY;
  readonly check: (patch: FieldPatch, now: Date) => void;
  readonly decide: (row: Row, patch: FieldPatch, now: Date) => NextRow<Row, "MODIFIED">;
}

/** PATCH of a root's fields: `{ expectedRevision, set?, remove? }`. */
export function patchRoute<
  Row extends RootRow,
  Columns extends Partial<Omit<Row, keyof RootRow>>,
>(
  idOf: (row: Row) => string,
  kept: KeptFields<Row, Columns>,
): PatchRoute<Row> {
  return {
    body: patchBody(kept.fields),
    check: (patch, now) => checkFieldPatch(kept.fields, patch, { now, recordId: "" }),
    decide(row, patch, now) {
      const columns = patchColumns(kept, storedFields(kept, row), patch, {
        now,
        recordId: idOf(row),
      });
      return nextRevision(row, "MODIFIED", now, columns);
    },
  };
}
