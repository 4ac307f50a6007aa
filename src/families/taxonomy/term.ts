/** A tag or a category as it is stored, and as a client sees it: one shape for both. */

import type { FieldSet } from "../../catalog/module.ts";
import { TAXONOMY } from "../../catalog/modules/taxonomy.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { membersOf, orNull, showColumns } from "../kit/columns.ts";
import {
  keptFields,
  type RootDeclaration,
  type RootRowOf,
  type ShownRootOf,
} from "../kit/declaration.ts";
import { choice, id, integer, json, longText, shortText, stamp } from "../kit/kinds.ts";
import { ROOT_MEMBERS, showRoot } from "../kit/root.ts";
import { revisionSchema } from "../kit/list_routes.ts";
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

/** The two kinds of terms. */
export const TERM_TYPES = ["TAG", "CATEGORY"] as const;
export type TermType = (typeof TERM_TYPES)[number];

/** Maximum number of aliases of a term. */
export const MAX_ALIASES = 50;

/** The kinds of revisions of a term, besides its creation. */
export const TERM_CHANGES = [
  "CHANGED",
  "RENAMED",
  "MOVED",
  "DEACTIVATED",
  "REACTIVATED",
  "MERGED",
] as const;
export type TermChange = (typeof TERM_CHANGES)[number];

/** The columns of a term. */
export const TERM = {
  table: "taxonomy_terms",
  ledger: "taxonomy_term_revisions",
  fixed: { term_id: id, kind: choice(TERM_TYPES) },
  fields: {
    name: shortText(),
    /** A term without aliases has an empty list. */
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
    /** Null while the term is active. */
    deactivated_at: orNull(stamp),
    /** The tag that this one was merged into; null for others. */
    merged_into: orNull(id),
  },
} satisfies RootDeclaration;

/** A term, or one of its revisions, as read from the database. */
export type TermRow = RootRowOf<typeof TERM>;

/** A term as a client sees it. */
export type Term = Omit<ShownRootOf<typeof TERM>, "deactivatedAt"> & { readonly active: boolean };

/** The schema of each member. */
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

/** The public form of a term. */
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

/** The aliases of a term, in their order. */
export function aliasesOf({ aliases }: Pick<TermRow, "aliases">): readonly string[] {
  return JSON.parse(aliases);
}

/** Every name of a term: its name, then its aliases. A merged tag has none. */
export function termNamesOf(row: TermRow): readonly string[] {
  return row.merged_into === null ? [row.name, ...aliasesOf(row)] : [];
}

/** The list of aliases as it is stored. */
export function writeAliases(aliases: readonly string[]): string {
  return serialiseJson(aliases);
}

/** The fields of a creation, for both kinds. */
const TERM_FIELDS: FieldSet = partOfModule("name", "aliases", "description", "color", "sortOrder");

/** The fields of a PATCH. */
export const PATCH_FIELDS: FieldSet = partOfModule("aliases", "description", "color", "sortOrder");

/** Some fields of the module, with those rules that concern no other field. */
function partOfModule(...names: readonly string[]): FieldSet {
  const rules = [...TAXONOMY.rules, DISTINCT_ALIASES, ALIASES_BESIDE_NAME];
  return {
    fields: TAXONOMY.fields.filter(({ name }) => names.includes(name)),
    rules: rules.filter(({ fields }) => fields.every((name) => names.includes(name))),
  };
}

export const KEPT_FIELDS = keptFields(TERM.fields, TERM_FIELDS);
