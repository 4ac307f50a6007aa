/** MEM-002: slices, which freeze a revision of a memory under a label. */

import type { Caller } from "../../access/identity.ts";
import {
  component,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import type { LocalTimes } from "../../validate/local_time.ts";
import { MEMORY_MEMBERS, type MemoryRow, toMemory } from "./memory.ts";
import { hides } from "./memory_view.ts";

export interface Slice {
  readonly sliceId: string;
  readonly memoryId: string;
  readonly label: string;
  readonly memoryRevision: number;
  readonly title: string;
  readonly summary: string;
  readonly memoryType: string;
  /** Null, like `timeText`, if the reader may not see the memory. */
  readonly currentContent: string | null;
  readonly occurredAt: string | null;
  readonly timePrecision: string | null;
  readonly timeText: string | null;
  readonly localTimes: LocalTimes;
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
  localTimes: MEMORY_MEMBERS.localTimes,
  importance: MEMORY_MEMBERS.importance,
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

export interface SliceRow extends MemoryRow {
  readonly slice_id: string;
  readonly label: string;
  readonly sliced_at: Date;
}

/** Shows a slice; the memory's current level limits it. */
export function showSlice(row: SliceRow, reader: Caller): Slice {
  const memory = toMemory(row);
  const { memoryId, revision, title, summary, memoryType, currentContent } = memory;
  const { occurredAt, timePrecision, timeText, localTimes, importance } = memory;
  return {
    sliceId: row.slice_id,
    memoryId,
    label: row.label,
    memoryRevision: revision,
    title,
    summary,
    memoryType,
    currentContent,
    occurredAt,
    timePrecision,
    timeText,
    localTimes,
    importance,
    createdAt: row.sliced_at.toISOString(),
    ...(hides(row.level_today ?? row.privacy_level, reader, memoryId) && HIDDEN),
  };
}

const HIDDEN = {
  label: "",
  title: "",
  summary: "",
  currentContent: null,
  timeText: null,
  localTimes: {},
  redacted: true,
} as const;
