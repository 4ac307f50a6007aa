/** What a slice is, and what a reader may see of it. No SQL, no HTTP. */

import type { Identity } from "../access/identity.ts";
import {
  component,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { MEMORY_MEMBERS, type MemoryRow, type PrivacyLevel, toMemory } from "./memory.ts";
import type { MemoryRevisionRow } from "./store.ts";
import { isHidden } from "./view.ts";

/** A slice as a client sees it. */
export interface Slice {
  readonly sliceId: string;
  readonly memoryId: string;
  readonly label: string;
  readonly memoryRevision: number;
  readonly title: string;
  readonly summary: string;
  readonly memoryType: string;
  /** Null where the reader may not see the memory, like `timeText`. */
  readonly currentContent: string | null;
  readonly occurredAt: string | null;
  readonly timePrecision: string | null;
  readonly timeText: string | null;
  readonly importance: number | null;
  readonly createdAt: string;
  readonly redacted?: true;
}

export const SLICE_SCHEMA: JsonSchema = component<Slice>("MemorySlice", {
  sliceId: ULID,
  memoryId: ULID,
  label: TEXT,
  memoryRevision: REVISION,
  title: TEXT,
  summary: TEXT,
  memoryType: MEMORY_MEMBERS.memoryType,
  currentContent: nullable(TEXT),
  occurredAt: nullable(TIME),
  timePrecision: MEMORY_MEMBERS.timePrecision,
  timeText: nullable(TEXT),
  importance: MEMORY_MEMBERS.importance,
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

/** A slice's own columns. */
export interface SliceColumns {
  readonly slice_id: string;
  readonly label: string;
  readonly sliced_at: Date;
}

/** A slice with the revision that it froze. */
export type SliceRow = MemoryRevisionRow & SliceColumns;

/** A slice as far as its memory's level of today lets the reader see. */
export function showSlice(
  row: MemoryRow & SliceColumns,
  reader: Identity,
  levelToday: PrivacyLevel,
): Slice {
  const memory = toMemory(row);
  const { memoryId, revision, title, summary, memoryType, currentContent } = memory;
  const { occurredAt, timePrecision, timeText, importance } = memory;
  return {
    sliceId: row.slice_id,
    memoryId,
    label: row.label,
    memoryRevision: revision,
    ...{ title, summary, memoryType, currentContent },
    ...{ occurredAt, timePrecision, timeText, importance },
    createdAt: row.sliced_at.toISOString(),
    ...(isHidden(levelToday, reader) && HIDDEN),
  };
}

const HIDDEN = {
  label: "",
  title: "",
  summary: "",
  currentContent: null,
  timeText: null,
  redacted: true,
} as const;
