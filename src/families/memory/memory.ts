import { textField } from "../../catalog/field_schema.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import { TIME_PRECISIONS } from "../../catalog/time_precisions.ts";
import type { ArchivableRow } from "../kit/root.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";

/** Who may see a memory, from the least guarded to the most. */
export const PRIVACY_LEVELS = ["NORMAL", "PRIVATE", "SECRET"] as const;

export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];

export type TimePrecision = (typeof TIME_PRECISIONS)[number];

/** What has become of a draft; only an open one changes. */
export const DRAFT_STATES = ["OPEN", "COMMITTED", "DISCARDED"] as const;

export type DraftState = (typeof DRAFT_STATES)[number];

/** What a revision did to its memory. */
export const MEMORY_CHANGES = [
  "CREATED",
  "REVISED",
  "RECOVERED",
  "AI_DRAFTED",
  "AI_DRAFT_ADOPTED",
  "AI_DRAFT_REJECTED",
  "TIME_CHANGED",
  "PRIVACY_CHANGED",
  "ARCHIVED",
  "RESTORED",
] as const;

export type MemoryChange = (typeof MEMORY_CHANGES)[number];

/** When a memory happened, as precisely as its owner knows; the range is derived at write. */
export interface MemoryTimeRow {
  readonly occurred_at: Date | null;
  readonly time_precision: TimePrecision | null;
  readonly time_text: string | null;
  /** The first moment of the range; null where the precision has none. */
  readonly time_from: Date | null;
  /** The first moment after the range. */
  readonly time_to: Date | null;
}

/** A memory, or one of its revisions, as read from the database. */
export interface MemoryRow extends MemoryTimeRow, ArchivableRow {
  readonly memory_id: string;
  readonly title: string;
  readonly summary: string;
  readonly memory_type: string;
  readonly original_content: string;
  readonly current_content: string;
  readonly importance: number | null;
  readonly ai_draft: string | null;
  readonly ai_draft_provider: string | null;
  readonly ai_draft_model: string | null;
  readonly privacy_level: PrivacyLevel;
  /** Of an earlier revision: how private the memory is today. */
  readonly level_today?: PrivacyLevel;
}

/** A half-open range of moments, in UTC. */
export interface MemoryTimeRange {
  readonly from: string;
  readonly to: string;
}

/** A memory as a client sees it (specification, Module fields; memory routes). */
export interface Memory {
  readonly memoryId: string;
  readonly title: string;
  readonly summary: string;
  readonly memoryType: string;
  readonly originalContent: string;
  readonly currentContent: string;
  readonly occurredAt: string | null;
  readonly timePrecision: TimePrecision | null;
  readonly timeText: string | null;
  readonly timeRange: MemoryTimeRange | null;
  readonly importance: number | null;
  readonly aiDraft: string | null;
  readonly aiDraftProvider: string | null;
  readonly aiDraftModel: string | null;
  readonly privacyLevel: PrivacyLevel;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
}

const TIME_RANGE = component<MemoryTimeRange>("MemoryTimeRange", { from: TIME, to: TIME });

/** The schema of each member. */
export const MEMORY_MEMBERS = {
  memoryId: ULID,
  title: TEXT,
  summary: TEXT,
  memoryType: textField(MEMORY, "memoryType").json,
  originalContent: TEXT,
  currentContent: TEXT,
  occurredAt: nullable(TIME),
  timePrecision: nullable(enumOf(TIME_PRECISIONS)),
  timeText: nullable(TEXT),
  timeRange: nullable(TIME_RANGE),
  importance: nullable({ type: "integer" }),
  aiDraft: nullable(TEXT),
  aiDraftProvider: nullable(TEXT),
  aiDraftModel: nullable(TEXT),
  privacyLevel: enumOf(PRIVACY_LEVELS),
  revision: REVISION,
  createdAt: TIME,
  updatedAt: TIME,
  archivedAt: nullable(TIME),
} as const satisfies { readonly [Name in keyof Memory]: JsonSchema };

/** The public form of a row, nothing left out. */
export function toMemory(row: MemoryRow): Memory {
  const { time_from: from, time_to: to } = row;
  return {
    memoryId: row.memory_id,
    title: row.title,
    summary: row.summary,
    memoryType: row.memory_type,
    originalContent: row.original_content,
    currentContent: row.current_content,
    occurredAt: row.occurred_at?.toISOString() ?? null,
    timePrecision: row.time_precision,
    timeText: row.time_text,
    timeRange: from && to && { from: from.toISOString(), to: to.toISOString() },
    importance: row.importance,
    aiDraft: row.ai_draft,
    aiDraftProvider: row.ai_draft_provider,
    aiDraftModel: row.ai_draft_model,
    privacyLevel: row.privacy_level,
    revision: row.revision,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    archivedAt: row.archived_at?.toISOString() ?? null,
  };
}
