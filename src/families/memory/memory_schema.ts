import { numberField, textField } from "../../catalog/field_schema.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import { FIELD_LIMITS } from "../../catalog/field_types.ts";
import { TIME_PRECISIONS } from "../../catalog/time_precisions.ts";
import { DAY_MS } from "../../core/clock.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { PAGE_QUERY } from "../../http/page.ts";
import { CURSOR_OF_EITHER_FORM, readSortedQuery } from "../../http/signed_page.ts";
import { RECORD_SUMMARY, RECORD_TITLE } from "../../records/port.ts";
import {
  describeObject,
  identifier,
  type InferObject,
  jsonObject,
  oneOf,
  optional,
  revision,
  type Schema,
  string,
  timestamp,
} from "../../validate/schema.ts";
import { DRAFT_STATES, PRIVACY_LEVELS } from "./memory.ts";

const memoryType = textField(MEMORY, "memoryType");
const currentContent = textField(MEMORY, "currentContent");
const importance = numberField(MEMORY, "importance");
const privacyLevel = oneOf(...PRIVACY_LEVELS);

/** Only `true`: explicit confirmation. */
const confirmation: Schema<true> = {
  check: (value, field, violations) =>
    value === true ? value : violations.add("field.confirmation", field),
  json: { const: true },
};

/** Times as sent, because the offset of `occurredAt` matters. */
const STATED_TIME = {
  occurredAt: optional(textField(MEMORY, "occurredAt")),
  timeText: optional(textField(MEMORY, "timeText")),
};

export const TEXT_BODY = {
  title: RECORD_TITLE,
  summary: optional(RECORD_SUMMARY),
  memoryType,
  originalContent: textField(MEMORY, "originalContent"),
  currentContent: optional(currentContent),
  ...STATED_TIME,
  timePrecision: optional(oneOf(...TIME_PRECISIONS)),
  importance: optional(importance),
  privacyLevel: optional(privacyLevel),
};
export type TextBody = InferObject<typeof TEXT_BODY>;

export const EXPECTATION_BODY = { expectedRevision: revision };
export type ExpectationBody = InferObject<typeof EXPECTATION_BODY>;

export const REVISE_BODY = {
  expectedRevision: revision,
  title: optional(RECORD_TITLE),
  summary: optional(RECORD_SUMMARY),
  memoryType: optional(memoryType),
  currentContent: optional(currentContent),
  importance: optional(importance),
};
export type ReviseBody = InferObject<typeof REVISE_BODY>;

const longText = string({ maximum: FIELD_LIMITS.textareaLength, multiline: true });
const name = string({ maximum: FIELD_LIMITS.textLength });

export const AI_DRAFT_BODY = {
  expectedRevision: revision,
  aiDraft: longText,
  provider: name,
  model: optional(name),
};
export type AiDraftBody = InferObject<typeof AI_DRAFT_BODY>;

export const ADOPT_BODY = { expectedRevision: revision, confirm: confirmation };
export type AdoptBody = InferObject<typeof ADOPT_BODY>;

export const TIME_BODY = {
  expectedRevision: revision,
  timePrecision: oneOf(...TIME_PRECISIONS),
  ...STATED_TIME,
};
export type TimeBody = InferObject<typeof TIME_BODY>;

export const PRIVACY_BODY = { expectedRevision: revision, privacyLevel };
export type PrivacyBody = InferObject<typeof PRIVACY_BODY>;

export const SLICE_BODY = { label: string({ maximum: 200 }) };

export const DRAFT_REVISION = {
  title: optional(RECORD_TITLE),
  summary: optional(RECORD_SUMMARY),
  memoryType: optional(memoryType),
  currentContent: optional(currentContent),
  ...STATED_TIME,
  timePrecision: optional(oneOf(...TIME_PRECISIONS)),
  importance: optional(importance),
};
export type DraftRevision = InferObject<typeof DRAFT_REVISION>;

const unfinishedText = string({
  maximum: FIELD_LIMITS.textareaLength,
  multiline: true,
  blank: true,
});

/** A draft's content: the fields of a creation, which may be missing or empty until the commit. */
export const DRAFT_CONTENT = {
  ...DRAFT_REVISION,
  title: optional(string({ maximum: 200, blank: true })),
  originalContent: optional(unfinishedText),
  currentContent: optional(unfinishedText),
  privacyLevel: optional(privacyLevel),
};

export const DRAFT_BODY = {
  draftVersion: revision,
  memoryId: optional(identifier),
  // The content is stored as sent, and checked after the other members.
  content: { ...jsonObject, json: describeObject(DRAFT_CONTENT) },
};
export type DraftBody = InferObject<typeof DRAFT_BODY>;

export const COMMIT_BODY = { expectedRevision: optional(revision) };

export const DISCARD_BODY = {};

export const DRAFTS_QUERY = { ...PAGE_QUERY, state: optional(oneOf(...DRAFT_STATES)) };

export const MEMORY_FILTER = {
  privacyLevel: optional(privacyLevel),
  memoryType: optional(memoryType),
  from: optional(timestamp),
  to: optional(timestamp),
  archived: optional(oneOf("exclude", "only", "include")),
};
export type MemoryFilter = InferObject<typeof MEMORY_FILTER>;

/** A day of any year. */
export interface AskedDay {
  /** The day's midnight in the reader's time zone. */
  readonly midnight: Date;
  /** `MM-DD`. */
  readonly day: string;
}

/** `day` is the date of the text; of a text in UTC, the UTC date 12 hours later. */
const askedDay: Schema<AskedDay> = {
  check(value, field, violations) {
    const midnight = timestamp.check(value, field, violations);
    if (midnight === undefined) return undefined;
    const isInUtc = /(?:z|-00:00)$/i.test(String(value));
    const noon = new Date(midnight.getTime() + DAY_MS / 2).toISOString();
    const [date = ""] = (isInUtc ? noon : String(value)).split(/t/i);
    return { midnight, day: date.slice(-5) };
  },
  json: timestamp.json,
};

export const MEMORY_LIST_QUERY = {
  limit: PAGE_QUERY.limit,
  cursor: CURSOR_OF_EITHER_FORM,
  /** By the beginning of `timeRange`. By default newest first. */
  sort: optional(oneOf("occurredAt", "-occurredAt")),
  ...MEMORY_FILTER,
  /** Memories of this day in any year, if known to the day. */
  onDay: optional(askedDay),
};
export type MemoryListQuery = InferObject<typeof MEMORY_LIST_QUERY>;
export type MemoryListFilter = Omit<MemoryListQuery, "limit" | "cursor" | "sort">;

/** @throws ServiceError `PAYLOAD_INVALID`, also for a time range that ends before it begins. */
export function readMemoryListQuery(query: URLSearchParams): MemoryListQuery {
  const checked = readSortedQuery(MEMORY_LIST_QUERY, query);
  assertOrdered(checked);
  return checked;
}

/** @throws ServiceError `PAYLOAD_INVALID` unless `from` is before `to`. */
export function assertOrdered({ from, to }: MemoryFilter): void {
  if (from !== undefined && to !== undefined && from >= to) {
    throw payloadInvalid(["range.order"], ["from", "to"]);
  }
}
