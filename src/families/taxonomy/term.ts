/** Tags and categories, in one shape. */

import type { FieldSet } from "../../catalog/module.ts";
import { TAXONOMY } from "../../catalog/modules/taxonomy.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { membersOf, orNull, showColumns } from "../../kit/columns.ts";
import {
  keptFields,
  type RootDeclaration,
  type RootRowOf,
  type ShownRootOf,
} from "../../kit/declaration.ts";
import { choice, id, integer, json, longText, shortText, stamp } from "../../kit/kinds.ts";
import { ROOT_MEMBERS, showRoot } from "../../kit/root.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { serialiseJson } from "../../validate/json_output.ts";
import {
  component,
  type JsonSchema,
  listOf,
  nullable,
  TEXT,
  ULID,
} from "../../validate/json_schema.ts";
import { ALIASES_BESIDE_NAME, DISTINCT_ALIASES } from "./name.ts";

export const TERM_TYPES = ["TAG", "CATEGORY"] as const;
export type TermType = (typeof TERM_TYPES)[number];

export const MAX_ALIASES = 50;

const TERM_CHANGES = [
  "CHANGED",
  "RENAMED",
  "MOVED",
  "DEACTIVATED",
  "REACTIVATED",
  "MERGED",
] as const;
export type TermChange = (typeof TERM_CHANGES)[number];

export const TERM = {
  table: "taxonomy_terms",
  ledger: "taxonomy_term_revisions",
  fixed: { term_id: id, kind: choice(TERM_TYPES) },
  fields: {
    name: shortText(),
    /** Never null; the list may be empty. */
    aliases: {
      ...json(listOf(TEXT), "texts"),
      take: (fields: PayloadView, name: string) => writeAliases(fields.list(name) ?? []),
    },
    description: orNull(longText),
    color: orNull(shortText()),
    sort_order: orNull(integer(0, 1_000_000)),
  },
  state: {
    /** Null for a tag, and for a category at the top. */
    parent_id: orNull(id),
    /** Null while active. */
    deactivated_at: orNull(stamp),
    /** The tag that this one was merged into. */
    merged_into: orNull(id),
  },
} satisfies RootDeclaration;

export type TermRow = RootRowOf<typeof TERM>;

export type Term = Omit<ShownRootOf<typeof TERM>, "deactivatedAt"> & { readonly active: boolean };

export const TERM_MEMBERS = {
  ...membersOf(TERM.fixed),
  ...membersOf(TERM.fields),
  parentId: nullable(ULID),
  active: { type: "boolean" },
  mergedInto: nullable(ULID),
  ...ROOT_MEMBERS,
} as const;

export const TERM_SCHEMA: JsonSchema = component<Term>("TaxonomyTerm", TERM_MEMBERS);

export const TERM_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "TaxonomyTermRevision",
  TERM_MEMBERS,
  ["CREATED", ...TERM_CHANGES],
);

export function showTerm(row: TermRow): Term {
  return {
    ...showColumns(TERM.fixed, row),
    ...showColumns(TERM.fields, row),
    parentId: row.parent_id,
    active: row.deactivated_at === null,
    mergedInto: row.merged_into,
    ...showRoot(row),
  };
}

export function aliasesOf({ aliases }: Pick<TermRow, "aliases">): readonly string[] {
  return JSON.parse(aliases);
}

/** Returns the name, then the aliases. A merged tag has none. */
export function termNamesOf(row: TermRow): readonly string[] {
  return row.merged_into === null ? [row.name, ...aliasesOf(row)] : [];
}

export function writeAliases(aliases: readonly string[]): string {
  return serialiseJson(aliases);
}

const TERM_FIELDS: FieldSet = partOfModule("name", "aliases", "description", "color", "sortOrder");

export const PATCH_FIELDS: FieldSet = partOfModule("aliases", "description", "color", "sortOrder");

/** Some of the module's fields, with the rules that concern no other field. */
function partOfModule(...names: readonly string[]): FieldSet {
  const rules = [...TAXONOMY.rules, DISTINCT_ALIASES, ALIASES_BESIDE_NAME];
  return {
    fields: TAXONOMY.fields.filter(({ name }) => names.includes(name)),
    rules: rules.filter(({ fields }) => fields.every((name) => names.includes(name))),
  };
}

export const KEPT_FIELDS = keptFields(TERM.fields, TERM_FIELDS);
