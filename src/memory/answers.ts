/** JSON Schemas of what the memory routes return. */

import { textField } from "../catalog/field_schema.ts";
import { MEMORY } from "../catalog/modules/memory.ts";
import { TIME_PRECISIONS } from "../catalog/time_precisions.ts";
import {
  ANY_OBJECT,
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  nullable,
  objectOf,
  REVISION,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import type { ShownDraft } from "./draft.ts";
import { EXPORT_FORMATS } from "./export_format.ts";
import type { ExportAnswer, ListedExport } from "./exports.ts";
import {
  DRAFT_STATES,
  type Memory,
  MEMORY_CHANGES,
  type MemoryTimeRange,
  PRIVACY_LEVELS,
} from "./memory.ts";
import type { RedactedMemory } from "./privacy.ts";
import type { Slice } from "./slices.ts";

const REDACTED: JsonSchema = { const: true };
const NOTHING: JsonSchema = { type: "null" };
const NO_WORDS: JsonSchema = { const: "" };
const MEMORY_TYPE = textField(MEMORY, "memoryType").json;
const IMPORTANCE = nullable({ type: "integer" });
const PRECISION = nullable(enumOf(TIME_PRECISIONS));

const TIME_RANGE = component<MemoryTimeRange>("MemoryTimeRange", { from: TIME, to: TIME });

const MEMORY_MEMBERS = {
  memoryId: ULID,
  title: TEXT,
  summary: TEXT,
  memoryType: MEMORY_TYPE,
  originalContent: TEXT,
  currentContent: TEXT,
  occurredAt: nullable(TIME),
  timePrecision: PRECISION,
  timeText: nullable(TEXT),
  timeRange: nullable(TIME_RANGE),
  importance: IMPORTANCE,
  aiDraft: nullable(TEXT),
  aiDraftProvider: nullable(TEXT),
  aiDraftModel: nullable(TEXT),
  privacyLevel: enumOf(PRIVACY_LEVELS),
  revision: REVISION,
  createdAt: TIME,
  updatedAt: TIME,
  archivedAt: nullable(TIME),
} as const;

/** What stands in place of the words that a reader may not see. */
const HIDDEN_MEMBERS = {
  title: NO_WORDS,
  summary: NO_WORDS,
  originalContent: NOTHING,
  currentContent: NOTHING,
  timeText: NOTHING,
  aiDraft: NOTHING,
  aiDraftProvider: NOTHING,
  aiDraftModel: NOTHING,
  redacted: REDACTED,
} as const;

/** A memory, or what is left of it for a reader without `memory.secret`. */
export const MEMORY_SCHEMA: JsonSchema = {
  anyOf: [
    component<Memory>("Memory", MEMORY_MEMBERS),
    component<RedactedMemory>("RedactedMemory", { ...MEMORY_MEMBERS, ...HIDDEN_MEMBERS }),
  ],
};

const REVISION_MEMBERS = { revisionId: ULID, change: enumOf(MEMORY_CHANGES) } as const;

/** A memory as it was at a revision, in the same two forms. */
export const MEMORY_REVISION_SCHEMA: JsonSchema = {
  anyOf: [
    { component: "MemoryRevision", ...objectOf({ ...MEMORY_MEMBERS, ...REVISION_MEMBERS }) },
    {
      component: "RedactedMemoryRevision",
      ...objectOf({ ...MEMORY_MEMBERS, ...HIDDEN_MEMBERS, ...REVISION_MEMBERS }),
    },
  ],
};

export const SLICE_SCHEMA: JsonSchema = component<Slice>("MemorySlice", {
  sliceId: ULID,
  memoryId: ULID,
  label: TEXT,
  memoryRevision: REVISION,
  title: TEXT,
  summary: TEXT,
  memoryType: MEMORY_TYPE,
  currentContent: nullable(TEXT),
  occurredAt: nullable(TIME),
  timePrecision: PRECISION,
  timeText: nullable(TEXT),
  importance: IMPORTANCE,
  createdAt: TIME,
  redacted: REDACTED,
}, ["redacted"]);

export const DRAFT_SCHEMA: JsonSchema = component<ShownDraft>("MemoryDraft", {
  draftId: ULID,
  memoryId: nullable(ULID),
  draftVersion: REVISION,
  content: nullable(ANY_OBJECT),
  state: enumOf(DRAFT_STATES),
  committedMemoryId: nullable(ULID),
  committedRevision: nullable(REVISION),
  createdAt: TIME,
  updatedAt: TIME,
  redacted: REDACTED,
}, ["redacted"]);

const EXPORT_MEMBERS = {
  executionId: ULID,
  format: enumOf(EXPORT_FORMATS),
  filename: TEXT,
  mediaType: TEXT,
  sha256: SHA256,
  count: COUNT,
} as const;

/** A part of an export; content and cursor are null in a replay. */
export const EXPORT_SCHEMA: JsonSchema = component<ExportAnswer>("MemoryExport", {
  ...EXPORT_MEMBERS,
  content: nullable(TEXT),
  nextCursor: nullable(TEXT),
});

export const LISTED_EXPORT_SCHEMA: JsonSchema = component<ListedExport>("ListedMemoryExport", {
  ...EXPORT_MEMBERS,
  createdAt: TIME,
});
