/** Stored and public form of an import. */

import type { Caller } from "../access/identity.ts";
import type { JsonObject } from "../core/json.ts";
import { ServiceError } from "../errors/service_error.ts";
import { choice, flag, id, json, numeric, shortText, stamp } from "../kit/kinds.ts";
import {
  type Kind,
  membersOf,
  orNull,
  type RowOf,
  showColumns,
  type ShownOf,
} from "../kit/columns.ts";
import {
  ANY_OBJECT,
  component,
  COUNT,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  SHA256,
  TEXT,
} from "../validate/json_schema.ts";
import type { FileRefusal } from "./refusal.ts";
import { Counts, type NameCount, type RuleCount } from "./counts.ts";

const IMPORT_STATES = [
  "RECEIVED",
  "READING",
  "REFUSED",
  "PLANNED",
  "DISCARDED",
  "RUNNING",
  "STOPPED",
  "DONE",
  "WITHDRAWING",
  "WITHDRAWN",
] as const;

/** States of imports that the service works on; an account has one. */
export const AT_WORK = ["RECEIVED", "READING", "RUNNING", "WITHDRAWING"] as const;

/** Outcomes of an item, planned or final. */
export const OUTCOMES = ["NEW", "UNCHANGED", "CHANGED", "REFUSED", "POSSIBLE_DUPLICATE"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Number of items of a target by outcome. */
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

const OUTCOME_COUNTS = component<OutcomeCounts>("ImportOutcomes", {
  new: COUNT,
  unchanged: COUNT,
  changed: COUNT,
  refused: COUNT,
  possibleDuplicate: COUNT,
}, ["possibleDuplicate"]);
/** Number of the files that items name: new, stored, and missing ones. */
const FILE_COUNTS = component("ImportFiles", { new: COUNT, unchanged: COUNT, missing: COUNT });
const RULE_COUNTS = listOf(objectOf({ rule: TEXT, count: COUNT }));

/** JSON, stored as its text. */
function parsed<Value>(schema: JsonSchema): Kind<string, Value> {
  return { ...json(schema), show: (text) => JSON.parse(text) };
}

const NAME_COUNTS = parsed<readonly NameCount[]>(listOf(objectOf({ name: TEXT, count: COUNT })));
/** Bounded again, because earlier releases stored longer lists. */
const UNMAPPED: typeof NAME_COUNTS = {
  ...NAME_COUNTS,
  show(text) {
    const counts = new Counts();
    for (const { name, count } of NAME_COUNTS.show(text)) counts.add(name, count);
    return counts.names();
  },
};

/** Earlier releases stored no entry. */
const REFUSAL: Kind<string, JsonObject> = {
  ...json(objectOf({ rule: TEXT, place: COUNT, entry: nullable(TEXT) })),
  show: (text) => ({ entry: null, ...JSON.parse(text) }),
};

/** Facts of a file of tables. */
export interface TableFacts {
  /** Paths of the tables in the archive; empty for a bare file. */
  readonly tables: readonly string[];
  readonly encoding: string;
  /** Columns whose cells tell the rows apart; empty if no column does. */
  readonly suggestedKey: readonly string[];
}

/** The facts as members of an import; null for formats without tables. */
type ShownTableFacts = { readonly [Name in keyof TableFacts]: TableFacts[Name] | null };

/** Names; null for none. */
const NAMES: Kind<string | null, readonly string[]> = {
  ...json(listOf(TEXT)),
  show: (text) => text === null ? [] : JSON.parse(text),
};

const text = shortText();
const count = numeric("integer", COUNT);

const NEW_COLUMNS = {
  import_id: id,
  format: text,
  name: orNull(text),
  source: orNull(text),
  size: numeric("bigInteger", COUNT),
  /** Hex. */
  sha256: shortText(SHA256),
  state: choice(IMPORT_STATES),
  created_at: stamp,
};

const COLUMNS = {
  ...NEW_COLUMNS,
  looks_like: NAMES,
  presets: NAMES,
  updated_at: stamp,
  mapping: orNull(parsed<JsonObject>(ANY_OBJECT)),
  columns: orNull(parsed<readonly string[]>(listOf(TEXT))),
  counts: parsed<TargetCounts>({ type: "object", additionalProperties: OUTCOME_COUNTS }),
  attachments: parsed<JsonObject>(FILE_COUNTS),
  unmapped: UNMAPPED,
  rules: parsed<readonly RuleCount[]>(RULE_COUNTS),
  plan: orNull(shortText(SHA256)),
  done: count,
  total: count,
  refusal: orNull(REFUSAL),
  original_attachment_id: orNull(id),
  withdrawn: orNull(parsed<JsonObject>(objectOf({ archived: COUNT, left: RULE_COUNTS }))),
};

/** The columns of `imports` that are read and written without conversion. */
export const STORED_COLUMNS = {
  ...COLUMNS,
  keep_original: flag,
  /** Names of the permissions that a token needs for the run. */
  needs: json(ANY_OBJECT),
  /** Tries of reading that have begun; null before the first. */
  tries: orNull(count),
  /** Names of the permissions to read by which a plan compares items; null for none. */
  reads: orNull(json(ANY_OBJECT)),
  filename: orNull(text),
  /** The `TableFacts`; null for formats without tables. */
  table_facts: orNull(json(ANY_OBJECT)),
};

export type NewItemImport = ShownOf<typeof NEW_COLUMNS>;
/** An import as a client sees it. */
export type ItemImport = ShownOf<typeof COLUMNS> & ShownTableFacts;
/** A row of `imports`, with JSON as text. */
export type ImportRow = RowOf<typeof STORED_COLUMNS> & { readonly owner_id: string };

/** Columns that a change of state sets; a trigger keeps the others. */
export type ImportPatch = Partial<ImportRow>;

export const NEW_IMPORT_SCHEMA: JsonSchema = component<NewItemImport>(
  "NewImport",
  membersOf(NEW_COLUMNS),
);
export const IMPORT_SCHEMA: JsonSchema = component<ItemImport>("Import", {
  ...membersOf(COLUMNS),
  tables: nullable(listOf(TEXT)),
  encoding: nullable(TEXT),
  suggestedKey: nullable(listOf(TEXT)),
});

export function showNewImport(row: ImportRow): NewItemImport {
  return showColumns(NEW_COLUMNS, row);
}

export function showImport(row: ImportRow): ItemImport {
  const facts: ShownTableFacts = JSON.parse(row.table_facts ?? "{}");
  const { tables = null, encoding = null, suggestedKey = null } = facts;
  return { ...showColumns(COLUMNS, row), tables, encoding, suggestedKey };
}

/** Permissions to compare details of people, tags and files. */
const COMPARING = ["relationship.ledger.read", "taxonomy.read", "attachment.read"] as const;
export type Comparing = (typeof COMPARING)[number];

/** Value of the column `reads`: the caller's permissions to compare. */
export function readsOf({ permissions }: Pick<Caller, "permissions">): string {
  return JSON.stringify(COMPARING.filter((name) => permissions.has(name)));
}

/** Rules by which the state of an import, or the number of planned ones, forbids an operation. */
type StateRule = `import.${"state" | "plan" | "mapping" | "expired" | "planned"}`;

export function importConflict(rule: StateRule): ServiceError {
  return new ServiceError("IMPORT_STATE_CONFLICT", { details: { rules: [rule] } });
}

export function refusedState({ rule, place, entry }: FileRefusal): ImportPatch {
  return { ...NO_PLAN, state: "REFUSED", refusal: JSON.stringify({ rule, place, entry }) };
}

/** Columns of an import without a plan. */
export const NO_PLAN = {
  counts: "{}",
  attachments: JSON.stringify({ new: 0, unchanged: 0, missing: 0 }),
  unmapped: "[]",
  rules: "[]",
  needs: "[]",
  plan: null,
  done: 0,
  total: 0,
} as const;
