import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule, PolicyContext } from "../catalog/module.ts";
import {
  applyPolicy,
  type AttachmentReference,
  checkPatch,
  mergeFields,
} from "../catalog/policy.ts";
import { newId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import {
  archived,
  assertRevision,
  firstRevision,
  nextRevision,
  type NextRow,
  restored,
} from "../kit/root.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { joinLocalTimes, parseClocks, serialiseClocks } from "../validate/local_time.ts";
import { withinModule } from "./module_access.ts";
import type { Change, RecordRow, SourceType } from "./record.ts";
import type { CreateBody, ModifyBody } from "./record_schema.ts";
import type { IndexContent } from "./search_index/index_store.ts";
import { orderEntry } from "./search_index/order_entry.ts";
import { indexedTexts } from "./search_index/texts.ts";

/** The next state, its words and order, and the attachments that must exist. */
export interface NextRecord extends NextRow<RecordRow, Change> {
  readonly indexed: IndexContent;
  readonly references: readonly AttachmentReference[];
}

/** @throws ServiceError `PAYLOAD_INVALID` by the module's policy. */
export function decideCreate(
  module: CatalogModule,
  body: CreateBody,
  now: Date,
  sourceType: SourceType = "USER_INPUT",
): NextRecord {
  const recordId = newId(now);
  const set = new Set(Object.keys(body.payload));
  const context = { now, recordId, set };
  const { payload, clocks, references } = applyPolicy(module, body.payload, context);
  const row = {
    record_id: recordId,
    module_code: module.code,
    ...firstRevision(now),
    source_type: sourceType,
    recorded_at: now,
    archived_at: null,
    title: body.title,
    summary: body.summary ?? "",
    payload: JSON.stringify(payload),
    clocks: serialiseClocks(clocks),
    guard: null,
  };
  return { row, change: "CREATED", indexed: toIndex(module, row, payload), references };
}

/**
 * Checks that need no stored record.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function checkModify(
  module: CatalogModule,
  body: ModifyBody,
  context: Omit<PolicyContext, "set">,
): void {
  const { payload = {}, payloadRemove = [] } = body;
  const namesNone = body.title === undefined && body.summary === undefined &&
    Object.keys(payload).length === 0 && payloadRemove.length === 0;
  if (namesNone) throw payloadInvalid(["change.required"]);
  checkPatch(module, payload, payloadRemove, context);
}

/**
 * Merges a modification into the locked record, then applies the policy to the whole.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`, `PAYLOAD_INVALID`, `REVISION_CONFLICT`, in this order.
 */
export function decideModify(
  catalog: Catalog,
  module: CatalogModule,
  root: RecordRow | null,
  body: ModifyBody,
  now: Date,
): NextRecord {
  const before = withinModule(catalog, module, root);
  const stored: JsonObject = JSON.parse(before.payload);
  const local = joinLocalTimes(stored, parseClocks(before.clocks));
  const { payload: patch = {}, payloadRemove = [] } = body;
  const { fields, ...stated } = mergeFields(module, local, patch, payloadRemove);
  const context = { now, recordId: before.record_id, ...stated };
  const { payload, clocks, references } = applyPolicy(module, fields, context);
  assertRevision(before, body.expectedRevision);
  const isSamePayload = canonicalJson(payload) === canonicalJson(stored);
  const next = nextRevision(before, "MODIFIED", now, {
    title: body.title ?? before.title,
    summary: body.summary ?? before.summary,
    payload: isSamePayload ? before.payload : JSON.stringify(payload),
    clocks: serialiseClocks(clocks),
  });
  return {
    ...next,
    indexed: toIndex(module, next.row, payload),
    references: next.change === null ? [] : references,
  };
}

/**
 * Archives or restores a record; does nothing if it is already archived or restored.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`, `REVISION_CONFLICT`.
 */
export function decideMove(
  catalog: Catalog,
  module: CatalogModule,
  root: RecordRow | null,
  change: "ARCHIVED" | "RESTORED",
  expectedRevision: number | undefined,
  now: Date,
): NextRecord {
  const before = withinModule(catalog, module, root);
  assertRevision(before, expectedRevision);
  const next = change === "ARCHIVED" ? archived(before, now) : restored(before, now);
  const indexed = toIndex(module, next.row, JSON.parse(before.payload));
  return { ...next, indexed, references: [] };
}

/** Words and order of a record without fields that only its family shows. */
export function toIndex(module: CatalogModule, row: RecordRow, payload: JsonObject): IndexContent {
  const { title, summary } = row;
  const texts = indexedTexts(module, { title, summary, fields: payload });
  return { title, texts, order: orderEntry(module, row, payload) };
}
