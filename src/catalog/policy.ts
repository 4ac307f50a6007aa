/**
 * Normalisation, then cross-field rules, then field rules (specification, Processing order). Pure,
 * so it may run inside a transaction.
 */

import type { JsonObject } from "../core/json.ts";
import {
  type Clocks,
  keptTimes,
  splitLocalTimes,
  type SplitTimes,
} from "../validate/local_time.ts";
import { Violations } from "../validate/schema.ts";
import { filesOf } from "./attachment_fields.ts";
import { checkRules } from "./check_rules.ts";
import { checkField, normaliseField } from "./field_types.ts";
import type { Field, FieldSet, PolicyContext } from "./module.ts";
import { isPayloadTooLarge } from "./payload_size.ts";
import { PayloadView } from "./payload_view.ts";

export interface AttachmentReference {
  readonly field: string;
  readonly attachmentId: string;
}

interface PolicyResult {
  /** With times in UTC. */
  readonly payload: JsonObject;
  readonly clocks: Clocks;
  /** The transaction checks that they exist. */
  readonly references: readonly AttachmentReference[];
}

/**
 * @param payload Stored times with their clocks, as `joinLocalTimes` returns them.
 * @throws {ServiceError} `PAYLOAD_INVALID` with every violated rule and the declared fields it
 * names.
 */
export function applyPolicy(
  module: FieldSet,
  payload: JsonObject,
  context: PolicyContext,
): PolicyResult {
  const violations = new Violations();
  const { fields, clocks } = checkAll(module, payload, context, violations);
  if (isPayloadTooLarge(fields)) violations.add("payload.bytes");
  violations.throwIfAny();
  return { payload: fields, clocks, references: attachmentReferences(module, fields) };
}

/**
 * As `applyPolicy`, for the fields of a typed root, which have no common size limit.
 *
 * @throws {ServiceError} As `applyPolicy`.
 */
export function applyFieldPolicy(
  fields: FieldSet,
  values: JsonObject,
  context: PolicyContext,
): SplitTimes {
  const violations = new Violations();
  const split = checkAll(fields, values, context, violations);
  violations.throwIfAny();
  return split;
}

/** Names of the fields that are owner's times. */
export function timeNames({ fields }: Pick<FieldSet, "fields">): readonly string[] {
  return fields.filter(({ edit }) => edit === "datetime").map(({ name }) => name);
}

function checkAll(
  module: FieldSet,
  payload: JsonObject,
  context: PolicyContext,
  violations: Violations,
): SplitTimes {
  const normalised = normalise(module, payload, context);
  checkRules(module, normalised, context, violations);
  checkFields(module, normalised, context, violations);
  checkRequired(module, normalised, violations);
  checkDeclared(module, Object.keys(normalised), violations);
  return splitLocalTimes(timeNames(module), normalised);
}

/**
 * Merges a change into stored fields.
 *
 * @param stored Times with their clocks.
 * @param set The fields to set; `remove` the names of those to remove.
 */
export function mergeFields(
  module: Pick<FieldSet, "fields">,
  stored: JsonObject,
  set: JsonObject,
  remove: readonly string[],
): Pick<PolicyContext, "set" | "kept"> & { readonly fields: JsonObject } {
  const kept = keptTimes(timeNames(module), set, stored);
  const fields = { ...stored, ...set };
  for (const name of kept) fields[name] = stored[name] ?? null;
  for (const name of remove) delete fields[name];
  // Removed fields count as set, so that no default is derived for them.
  return { fields, set: new Set([...Object.keys(set), ...remove]), kept: new Set(kept) };
}

/**
 * Rejects a change that no record could accept, before the record is read: invalid values, and
 * violations of rules about a single field.
 *
 * @param patch The fields to set.
 * @param removed The names of the fields to remove.
 * @throws {ServiceError} `PAYLOAD_INVALID`.
 */
export function checkPatch(
  module: FieldSet,
  patch: JsonObject,
  removed: readonly string[],
  context: Omit<PolicyContext, "set">,
): void {
  const violations = new Violations();
  const whole = { ...context, set: new Set([...Object.keys(patch), ...removed]) };
  checkRules(aboutOneOf(module, patch), normalise(module, patch, whole), whole, violations);
  checkFields(module, normaliseFields(module, patch, whole), whole, violations);
  checkDeclared(module, [...Object.keys(patch), ...removed], violations);
  for (const field of module.fields) {
    if (!removed.includes(field.name)) continue;
    if (field.required) violations.add("field.required", field.name);
    if (Object.hasOwn(patch, field.name)) violations.add("payload.set_and_removed", field.name);
  }
  violations.throwIfAny();
}

function aboutOneOf(module: FieldSet, patch: JsonObject): Pick<FieldSet, "rules"> {
  const isAboutOne = ([name, ...others]: readonly string[]) =>
    name !== undefined && others.length === 0 && Object.hasOwn(patch, name);
  return { rules: module.rules.filter(({ fields }) => isAboutOne(fields)) };
}

function normalise(
  module: FieldSet,
  payload: JsonObject,
  context: PolicyContext,
): JsonObject {
  const normalised = normaliseFields(module, payload, context);
  return module.normalise?.(normalised, context) ?? normalised;
}

/** Undeclared names stay, so that they can be rejected, and stored times as they are. */
function normaliseFields(
  module: FieldSet,
  payload: JsonObject,
  context: StatedFields,
): JsonObject {
  const normalised = { ...payload };
  for (const [field, value] of presentFields(module, payload)) {
    if (isStoredTime(field, context)) continue;
    normalised[field.name] = normaliseField(field, value);
  }
  return normalised;
}

type StatedFields = Pick<PolicyContext, "set" | "kept">;

function isStoredTime({ edit, name }: Field, { set, kept }: StatedFields): boolean {
  return edit === "datetime" && (!set.has(name) || kept?.has(name) === true);
}

/** Stored times are not checked again, because the rules of their zones may have changed. */
function checkFields(
  module: FieldSet,
  payload: JsonObject,
  context: StatedFields,
  violations: Violations,
): void {
  for (const [field, value] of presentFields(module, payload)) {
    if (isStoredTime(field, context)) continue;
    const violation = checkField(field, value);
    if (violation !== null) violations.add(violation, field.name);
  }
}

function checkRequired(module: FieldSet, payload: JsonObject, violations: Violations): void {
  for (const field of module.fields) {
    if (field.required && !Object.hasOwn(payload, field.name)) {
      violations.add("field.required", field.name);
    }
  }
}

/** An undeclared name is client text and never repeated. */
function checkDeclared(
  module: FieldSet,
  names: readonly string[],
  violations: Violations,
): void {
  const declared = new Set(module.fields.map((field) => field.name));
  if (names.some((name) => !declared.has(name))) violations.add("undeclared_field");
}

function attachmentReferences(module: FieldSet, payload: JsonObject): AttachmentReference[] {
  const view = new PayloadView(payload);
  return module.fields.flatMap((field) =>
    filesOf(field, view).map((attachmentId) => ({ field: field.name, attachmentId }))
  );
}

function presentFields(module: FieldSet, payload: JsonObject) {
  return module.fields.flatMap((field): [Field, JsonObject[string]][] => {
    const value = Object.hasOwn(payload, field.name) ? payload[field.name] : undefined;
    return value === undefined ? [] : [[field, value]];
  });
}
