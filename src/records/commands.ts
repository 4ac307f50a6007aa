/** The decisions of the kernel's writes: what a request makes of a record. No SQL, no HTTP. */

import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { applyPolicy, type AttachmentReference, checkPatch } from "../catalog/policy.ts";
import { maxDate } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { canonicalJson } from "../validate/canonical.ts";
import {
  distinctStrings,
  type Infer,
  type InferObject,
  jsonObject,
  optional,
  revision,
} from "../validate/schema.ts";
import { withinModule } from "./module_access.ts";
import { RECORD_SUMMARY, RECORD_TITLE, type RecordRow, type SourceType } from "./record.ts";
import type { Change } from "./store.ts";

/** The body of a creation. */
export const CREATE_BODY = {
  title: RECORD_TITLE,
  summary: optional(RECORD_SUMMARY),
  payload: jsonObject,
};
/** The body of a modification. */
export const MODIFY_BODY = {
  title: optional(RECORD_TITLE),
  summary: optional(RECORD_SUMMARY),
  payload: optional(jsonObject),
  payloadRemove: optional(distinctStrings(64, 128)),
  expectedRevision: optional(revision),
};
/** The body of archive and restore. */
export const MOVE_BODY = { expectedRevision: optional(revision) };

/** The body of a feature's execution. */
export const FEATURE_BODY = {
  input: optional(jsonObject),
  expectedRevision: optional(revision),
};

export type CreateBody = InferObject<typeof CREATE_BODY>;
export type ModifyBody = InferObject<typeof MODIFY_BODY>;
export type MoveBody = InferObject<typeof MOVE_BODY>;
export type ExpectedRevision = Infer<typeof revision> | undefined;

/** A record's next state, and the attachments that must exist for it. */
export interface NextState {
  readonly row: RecordRow;
  /** Null where the request changes nothing: then nothing is written. */
  readonly change: Change | null;
  readonly references: readonly AttachmentReference[];
}

/**
 * Decides a creation.
 *
 * @throws ServiceError `PAYLOAD_INVALID` as the module's policy says.
 */
export function decideCreate(
  module: CatalogModule,
  body: CreateBody,
  now: Date,
  sourceType: SourceType = "USER_INPUT",
): NextState {
  const recordId = newId(now);
  const set = new Set(Object.keys(body.payload));
  const { payload, references } = applyPolicy(module, body.payload, { now, recordId, set });
  const row = {
    record_id: recordId,
    module_code: module.code,
    revision: 1,
    revision_id: newId(now),
    source_type: sourceType,
    recorded_at: now,
    created_at: now,
    updated_at: now,
    archived_at: null,
    title: body.title,
    summary: body.summary ?? "",
    payload: JSON.stringify(payload),
    guard: null,
  };
  return { row, change: "CREATED", references };
}

/**
 * Refuses a modification that no stored record could accept.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function checkModify(module: CatalogModule, body: ModifyBody): void {
  const { payload = {}, payloadRemove = [] } = body;
  const namesNone = body.title === undefined && body.summary === undefined &&
    Object.keys(payload).length === 0 && payloadRemove.length === 0;
  if (namesNone) throw payloadInvalid(["change.required"]);
  checkPatch(module, payload, payloadRemove);
}

/**
 * Decides a modification: merges it into the locked record, then applies the policy to the whole.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`, `PAYLOAD_INVALID`, `REVISION_CONFLICT`, in this order.
 */
export function decideModify(
  catalog: Catalog,
  module: CatalogModule,
  root: RecordRow | null,
  body: ModifyBody,
  now: Date,
): NextState {
  const before = withinModule(catalog, module, root);
  const stored: JsonObject = JSON.parse(before.payload);
  const { payload: patch = {}, payloadRemove = [] } = body;
  const merged = { ...stored, ...patch };
  for (const name of payloadRemove) delete merged[name];
  // A field that the request removes is named as well: nothing is derived in its place.
  const set = new Set([...Object.keys(patch), ...payloadRemove]);
  const { payload, references } = applyPolicy(module, merged, {
    now,
    recordId: before.record_id,
    set,
  });
  assertRevision(before, body.expectedRevision);
  const title = body.title ?? before.title;
  const summary = body.summary ?? before.summary;
  const unchanged = title === before.title && summary === before.summary &&
    canonicalJson(payload) === canonicalJson(stored);
  if (unchanged) return { row: before, change: null, references: [] };
  const row = { ...nextRevision(before, now), title, summary, payload: JSON.stringify(payload) };
  return { row, change: "MODIFIED", references };
}

/**
 * Decides an archival or its undoing. A record that is already there stays as it is.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`, `REVISION_CONFLICT`.
 */
export function decideMove(
  catalog: Catalog,
  module: CatalogModule,
  root: RecordRow | null,
  change: "ARCHIVED" | "RESTORED",
  expectedRevision: ExpectedRevision,
  now: Date,
): NextState {
  const before = withinModule(catalog, module, root);
  assertRevision(before, expectedRevision);
  const archive = change === "ARCHIVED";
  if ((before.archived_at !== null) === archive) {
    return { row: before, change: null, references: [] };
  }
  const next = nextRevision(before, now);
  const row = { ...next, archived_at: archive ? next.updated_at : null };
  return { row, change, references: [] };
}

/** @throws ServiceError `REVISION_CONFLICT` when a revision was expected and it is not the present one. */
export function assertRevision(row: RecordRow, expectedRevision: ExpectedRevision): void {
  if (expectedRevision === undefined || expectedRevision === row.revision) return;
  throw new ServiceError("REVISION_CONFLICT", {
    details: { expectedRevision, currentRevision: row.revision },
  });
}

/** A record's time never runs backwards, even where a clock does. */
function nextRevision(before: RecordRow, now: Date): RecordRow {
  const at = maxDate(now, before.updated_at);
  return { ...before, revision: before.revision + 1, revision_id: newId(at), updated_at: at };
}
