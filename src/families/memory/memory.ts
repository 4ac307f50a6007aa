import { textField } from "../../catalog/field_schema.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import { TIME_PRECISIONS } from "../../catalog/time_precisions.ts";
import {
  type Kind,
  membersOf,
  orNull,
  type RowOf,
  showColumns,
  type ShownOf,
} from "../../kit/columns.ts";
import { ARCHIVED, type RootDeclaration, type RootRowOf } from "../../kit/declaration.ts";
import { choice, clocks, id, longText, numeric, shortText, stamp, time } from "../../kit/kinds.ts";
import { ROOT_MEMBERS, type ShownRoot, showRoot } from "../../kit/root.ts";
import {
  component,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";

/** From least to most private. */
export const PRIVACY_LEVELS = ["NORMAL", "PRIVATE", "SECRET"] as const;

export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];

export type TimePrecision = (typeof TIME_PRECISIONS)[number];

/** States of a draft; only an open one changes. */
export const DRAFT_STATES = ["OPEN", "COMMITTED", "DISCARDED"] as const;

export type DraftState = (typeof DRAFT_STATES)[number];

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

/** A bound of the range. It can be in the future, and no request states it. */
const bound: Kind<Date, string> = { ...stamp, type: "time" };

/**
 * A memory's time, as precise as its owner knows; the range is derived when the memory is written.
 */
const TIME_COLUMNS = {
  occurred_at: orNull(time),
  time_precision: orNull(choice(TIME_PRECISIONS)),
  time_text: orNull(shortText()),
  /** First moment of the range; null if the precision has none. */
  time_from: orNull(bound),
  /** First moment after the range. */
  time_to: orNull(bound),
  clocks,
};
export type MemoryTimeRow = RowOf<typeof TIME_COLUMNS>;

/** Columns of root and revisions. Only the root has the original content. */
export const MEMORY_COLUMNS = {
  title: shortText(),
  summary: shortText(),
  memory_type: shortText(textField(MEMORY, "memoryType").json),
  current_content: longText,
  ...TIME_COLUMNS,
  importance: orNull(numeric("integer", { type: "integer" })),
  ai_draft: orNull(longText),
  ai_draft_provider: orNull(shortText()),
  ai_draft_model: orNull(shortText()),
  privacy_level: choice(PRIVACY_LEVELS),
  ...ARCHIVED,
};

export const MEMORY_ROOT = {
  table: "memories",
  ledger: "memory_revisions",
  fixed: { memory_id: id, original_content: longText },
  fields: MEMORY_COLUMNS,
  state: {},
} satisfies RootDeclaration;

export interface MemoryRow extends RootRowOf<typeof MEMORY_ROOT> {
  /** The memory's current level, in rows of earlier revisions. */
  readonly level_today?: PrivacyLevel;
}

/** A range in UTC, without its end. */
interface MemoryTimeRange {
  readonly from: string;
  readonly to: string;
}

/** A memory as a client sees it (specification, Module fields; memory routes). */
export interface Memory
  extends Omit<ShownOf<typeof MEMORY_COLUMNS>, "timeFrom" | "timeTo">, ShownRoot {
  readonly memoryId: string;
  readonly originalContent: string;
  readonly timeRange: MemoryTimeRange | null;
}

const TIME_RANGE = component<MemoryTimeRange>("MemoryTimeRange", { from: TIME, to: TIME });

const { timeFrom: _from, timeTo: _to, ...MEMBERS } = membersOf(MEMORY_COLUMNS);

export const MEMORY_MEMBERS = {
  memoryId: ULID,
  ...MEMBERS,
  originalContent: TEXT,
  timeRange: nullable(TIME_RANGE),
  ...ROOT_MEMBERS,
} as const satisfies { readonly [Name in keyof Memory]: JsonSchema };

export function toMemory(row: MemoryRow): Memory {
  const { timeFrom: from, timeTo: to, ...shown } = showColumns(MEMORY_COLUMNS, row);
  return {
    memoryId: row.memory_id,
    ...shown,
    originalContent: row.original_content,
    timeRange: from === null || to === null ? null : { from, to },
    ...showRoot(row),
  };
}
