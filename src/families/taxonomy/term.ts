/** A tag or a category as it is stored, and as a client sees it: one shape for both. */

import type { FieldSet } from "../../catalog/module.ts";
import { TAXONOMY } from "../../catalog/modules/taxonomy.ts";
import { type KeptFields, present, presentFields } from "../kit/fields.ts";
import { revisionSchema } from "../kit/list_routes.ts";
import { ROOT_MEMBERS, type RootRow, type ShownRoot, showRoot } from "../kit/root.ts";
import { RawJson, serialiseJson } from "../../validate/json_output.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  TEXT,
  ULID,
} from "../../validate/json_schema.ts";
import { ALIASES_BESIDE_NAME, DISTINCT_ALIASES } from "./name.ts";

/** The two kinds of terms. */
export const TERM_TYPES = ["TAG", "CATEGORY"] as const;
export type TermType = (typeof TERM_TYPES)[number];

/** The most aliases of a term. */
export const MAX_ALIASES = 50;

/** What a revision can do to a term besides making it. */
export const TERM_CHANGES = [
  "CHANGED",
  "RENAMED",
  "MOVED",
  "DEACTIVATED",
  "REACTIVATED",
  "MERGED",
] as const;
export type TermChange = (typeof TERM_CHANGES)[number];

/** What the body of a creation holds, as columns. */
export interface TermColumns {
  readonly name: string;
  /** The text of a list. */
  readonly aliases: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly sort_order: number | null;
}

/** A term, or one of its revisions, as read from the database. */
export interface TermRow extends RootRow, TermColumns {
  readonly term_id: string;
  readonly kind: TermType;
  /** Null for a tag, and for a category at the top. */
  readonly parent_id: string | null;
  /** Null while the term is active. */
  readonly deactivated_at: Date | null;
  /** The tag that took over this one's names and records; null for any other. */
  readonly merged_into: string | null;
}

/** A term as a client sees it. */
export interface Term extends ShownRoot {
  readonly termId: string;
  readonly kind: TermType;
  readonly name: string;
  readonly aliases: RawJson;
  readonly description: string | null;
  readonly color: string | null;
  readonly sortOrder: number | null;
  readonly parentId: string | null;
  readonly active: boolean;
  readonly mergedInto: string | null;
}

/** The schema of each member. */
export const TERM_MEMBERS = {
  termId: ULID,
  kind: enumOf(TERM_TYPES),
  name: TEXT,
  aliases: listOf(TEXT),
  description: nullable(TEXT),
  color: nullable(TEXT),
  sortOrder: nullable({ type: "integer", minimum: 0, maximum: 1_000_000 }),
  parentId: nullable(ULID),
  active: { type: "boolean" },
  mergedInto: nullable(ULID),
  ...ROOT_MEMBERS,
} as const satisfies { readonly [Name in keyof Term]: JsonSchema };

export const TERM_SCHEMA: JsonSchema = component<Term>("TaxonomyTerm", TERM_MEMBERS);

export const TERM_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "TaxonomyTermRevision",
  TERM_MEMBERS,
  ["CREATED", ...TERM_CHANGES],
);

/** The public form of a term. */
export function showTerm(row: TermRow): Term {
  return {
    termId: row.term_id,
    kind: row.kind,
    name: row.name,
    aliases: new RawJson(row.aliases),
    description: row.description,
    color: row.color,
    sortOrder: row.sort_order,
    parentId: row.parent_id,
    active: row.deactivated_at === null,
    mergedInto: row.merged_into,
    ...showRoot(row),
  };
}

/** The aliases of a term, in their order. */
export function aliasesOf({ aliases }: Pick<TermRow, "aliases">): readonly string[] {
  return JSON.parse(aliases);
}

/** Every name that a term is known by: its name, then its aliases. A merged tag has none. */
export function termNamesOf(row: TermRow): readonly string[] {
  return row.merged_into === null ? [row.name, ...aliasesOf(row)] : [];
}

/** The list of aliases as it is stored. */
export function writeAliases(aliases: readonly string[]): string {
  return serialiseJson(aliases);
}

/** What the body of a creation holds, for both kinds. */
const TERM_FIELDS: FieldSet = partOfModule("name", "aliases", "description", "color", "sortOrder");

/** What a PATCH can change. */
export const PATCH_FIELDS: FieldSet = partOfModule("aliases", "description", "color", "sortOrder");

/** Some fields of the module, with those rules that concern no other field. */
function partOfModule(...names: readonly string[]): FieldSet {
  const rules = [...TAXONOMY.rules, DISTINCT_ALIASES, ALIASES_BESIDE_NAME];
  return {
    fields: TAXONOMY.fields.filter(({ name }) => names.includes(name)),
    rules: rules.filter(({ fields }) => fields.every((name) => names.includes(name))),
  };
}

/** Its fields, each in a column of its own. */
export const KEPT_FIELDS: KeptFields<TermRow, TermColumns> = {
  fields: TERM_FIELDS,
  read: (row) =>
    presentFields({
      name: row.name,
      aliases: JSON.parse(row.aliases),
      description: row.description,
      color: row.color,
      sortOrder: row.sort_order,
    }),
  columns: (fields) => ({
    name: present(fields.text("name")),
    aliases: writeAliases(fields.list("aliases") ?? []),
    description: fields.text("description") ?? null,
    color: fields.text("color") ?? null,
    sort_order: fields.number("sortOrder") ?? null,
  }),
};
