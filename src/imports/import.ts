/** An import as it is stored, and as a client sees it. */

import type { JsonObject } from "../core/json.ts";
import {
  ANY_OBJECT,
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";

/** The states of an import. */
export const IMPORT_STATES = [
  "RECEIVED",
  "READING",
  "REFUSED",
  "PLANNED",
  "RUNNING",
  "STOPPED",
  "DONE",
  "WITHDRAWING",
  "WITHDRAWN",
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** The states in which the service works on an import, one at a time an account. */
export const STATES_AT_WORK: readonly ImportState[] = [
  "RECEIVED",
  "READING",
  "RUNNING",
  "WITHDRAWING",
];

/** Outcomes of an item, planned or final. */
export const OUTCOMES = ["NEW", "UNCHANGED", "CHANGED", "REFUSED", "POSSIBLE_DUPLICATE"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How many items of a target have each outcome. */
export interface OutcomeCounts {
  readonly new: number;
  readonly unchanged: number;
  readonly changed: number;
  readonly refused: number;
  /** Only in formats that compare people. */
  readonly possibleDuplicate?: number;
}

/** Outcomes by target; `unknown` for items of an unknown target. */
export type TargetCounts = Readonly<Record<string, OutcomeCounts>>;

/** The files that items name: how many are new, there already, or missing. */
export interface FileCounts {
  readonly new: number;
  readonly unchanged: number;
  readonly missing: number;
}

export interface RuleCount {
  readonly rule: string;
  readonly count: number;
}

export interface NameCount {
  readonly name: string;
  readonly count: number;
}

/** Why a file was refused, and where. */
export interface Refusal {
  readonly rule: string;
  readonly place: number;
}

/** Counts of a withdrawal. */
export interface Withdrawal {
  readonly archived: number;
  readonly left: readonly RuleCount[];
}

/** The members of a new import. */
export interface NewImport {
  readonly importId: string;
  readonly format: string;
  readonly name: string | null;
  readonly source: string | null;
  readonly size: number;
  readonly sha256: string;
  readonly state: ImportState;
  readonly createdAt: string;
}

/** An import as a client sees it. */
export interface Import extends NewImport {
  readonly updatedAt: string;
  readonly mapping: JsonObject | null;
  readonly columns: readonly string[] | null;
  readonly counts: TargetCounts;
  readonly attachments: FileCounts;
  readonly unmapped: readonly NameCount[];
  readonly rules: readonly RuleCount[];
  readonly plan: string | null;
  readonly done: number;
  readonly total: number;
  readonly refusal: Refusal | null;
  readonly originalAttachmentId: string | null;
  readonly withdrawn: Withdrawal | null;
}

/** An import as read from the database; JSON as text. */
export interface ImportRow {
  readonly import_id: string;
  readonly owner_id: string;
  readonly format: string;
  readonly name: string | null;
  readonly source: string | null;
  readonly size: number;
  readonly sha256: string;
  readonly keep_original: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly state: ImportState;
  readonly mapping: string | null;
  readonly columns: string | null;
  readonly counts: string;
  readonly attachments: string;
  readonly unmapped: string;
  readonly rules: string;
  /** Names of the permissions that a token needs for the run. */
  readonly needs: string;
  readonly plan: string | null;
  readonly done: number;
  readonly total: number;
  readonly refusal: string | null;
  readonly original_attachment_id: string | null;
  readonly withdrawn: string | null;
}

const NEW_MEMBERS = {
  importId: ULID,
  format: TEXT,
  name: nullable(TEXT),
  source: nullable(TEXT),
  size: COUNT,
  sha256: SHA256,
  state: enumOf(IMPORT_STATES),
  createdAt: TIME,
};

const OUTCOME_COUNTS = component<OutcomeCounts>("ImportOutcomes", {
  new: COUNT,
  unchanged: COUNT,
  changed: COUNT,
  refused: COUNT,
  possibleDuplicate: COUNT,
}, ["possibleDuplicate"]);
const FILE_COUNTS = component<FileCounts>("ImportFiles", {
  new: COUNT,
  unchanged: COUNT,
  missing: COUNT,
});
const RULE_COUNTS = listOf(objectOf({ rule: TEXT, count: COUNT }));

export const NEW_IMPORT_SCHEMA: JsonSchema = component<NewImport>("NewImport", NEW_MEMBERS);

export const IMPORT_SCHEMA: JsonSchema = component<Import>("Import", {
  ...NEW_MEMBERS,
  updatedAt: TIME,
  mapping: nullable(ANY_OBJECT),
  columns: nullable(listOf(TEXT)),
  counts: { type: "object", additionalProperties: OUTCOME_COUNTS },
  attachments: FILE_COUNTS,
  unmapped: listOf(objectOf({ name: TEXT, count: COUNT })),
  rules: RULE_COUNTS,
  plan: nullable(SHA256),
  done: COUNT,
  total: COUNT,
  refusal: nullable(objectOf({ rule: TEXT, place: COUNT })),
  originalAttachmentId: nullable(ULID),
  withdrawn: nullable(objectOf({ archived: COUNT, left: RULE_COUNTS })),
});

/** The first members of an import. */
export function showNewImport(row: ImportRow): NewImport {
  return {
    importId: row.import_id,
    format: row.format,
    name: row.name,
    source: row.source,
    size: row.size,
    sha256: row.sha256,
    state: row.state,
    createdAt: row.created_at.toISOString(),
  };
}

/** The public form of an import. */
export function showImport(row: ImportRow): Import {
  const orNull = (text: string | null) => text === null ? null : JSON.parse(text);
  return {
    ...showNewImport(row),
    updatedAt: row.updated_at.toISOString(),
    mapping: orNull(row.mapping),
    columns: orNull(row.columns),
    counts: JSON.parse(row.counts),
    attachments: JSON.parse(row.attachments),
    unmapped: JSON.parse(row.unmapped),
    rules: JSON.parse(row.rules),
    plan: row.plan,
    done: row.done,
    total: row.total,
    refusal: orNull(row.refusal),
    originalAttachmentId: row.original_attachment_id,
    withdrawn: orNull(row.withdrawn),
  };
}

/** Nothing was planned. */
export const NO_PLAN = {
  counts: "{}",
  attachments: JSON.stringify({ new: 0, unchanged: 0, missing: 0 } satisfies FileCounts),
  unmapped: "[]",
  rules: "[]",
  needs: "[]",
  plan: null,
  done: 0,
  total: 0,
} as const;
