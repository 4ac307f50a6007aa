/** Merges a file's terms into an existing taxonomy. */

import { newId } from "../../core/ids.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { firstRevision } from "../../kit/root.ts";
import { ALIASES_BESIDE_NAME, areDistinct, comparedForm, DISTINCT_ALIASES } from "./name.ts";
import { assertCategoryCount, depthExceeded, MAX_LEVELS, NAME_CONFLICTS } from "./term_rules.ts";
import type { FileTerm, TaxonomyImportBody } from "./taxonomy_schema.ts";
import { type TermRow, type TermType, writeAliases } from "./term.ts";

export type PresentCategory = Pick<TermRow, "term_id" | "parent_id" | "deactivated_at">;

export interface PresentTerms {
  /** Existing terms that have a name in the file, by kind and compared name. */
  readonly names: Readonly<Record<TermType, ReadonlyMap<string, string>>>;
  readonly categories: readonly PresentCategory[];
}

export interface ImportPlan {
  readonly created: readonly TermRow[];
  readonly skipped: number;
}

interface ComparedTerm {
  readonly term: FileTerm;
  readonly name: string;
  readonly aliases: readonly string[];
  /** The parent's name; null at the top. */
  readonly parent: string | null;
}

/**
 * Checks that need no taxonomy.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for a tag with a parent, or a term that has a name twice.
 */
export function checkFile({ terms }: TaxonomyImportBody): void {
  if (terms.some(({ kind, parent }) => kind === "TAG" && parent !== undefined)) {
    throw payloadInvalid(["taxonomy.parent_id_requires_category"], ["parent", "kind"]);
  }
  if (!terms.every(({ aliases }) => areDistinct(aliases))) {
    throw payloadInvalid([DISTINCT_ALIASES.name], ["aliases"]);
  }
  if (!terms.every(({ name, aliases }) => areDistinct([name, ...aliases]))) {
    throw payloadInvalid([ALIASES_BESIDE_NAME.name], ["name", "aliases"]);
  }
}

export function namesInFile(
  { terms }: TaxonomyImportBody,
): readonly { kind: TermType; compared: string }[] {
  return terms.flatMap(({ kind, name, aliases, parent }) =>
    [name, ...aliases, ...(parent === undefined ? [] : [parent])]
      .map((spelling) => ({ kind, compared: comparedForm(spelling) }))
  );
}

/**
 * Decides an import as a whole.
 *
 * @throws ServiceError `TAXONOMY_STATE_CONFLICT` for too many categories,
 *   `TAXONOMY_CATEGORY_PARENT_INVALID`, `TAXONOMY_CATEGORY_CYCLE`,
 *   `TAXONOMY_CATEGORY_DEPTH_EXCEEDED`, the conflict of a kind's names; in this order.
 */
export function planImport(
  { terms, conflictMode }: TaxonomyImportBody,
  present: PresentTerms,
  now: Date,
): ImportPlan {
  const all = terms.map(compareTerm);
  const given = conflictMode === "REJECT"
    ? all
    : all.filter(({ term: { kind }, name }) => !present.names[kind].has(name));
  const categories = given.filter(({ term }) => term.kind === "CATEGORY");
  assertCategoryCount(present.categories.length + categories.length);
  const parents = findParents(categories, present);
  assertLevels(parents, present.categories);
  assertNamesFree(all, given, present);
  const ids = new Map(given.map((each) => [each, newId(now)]));
  const idOf = (parent: Parent) => "term" in parent ? ids.get(parent) : parent.term_id;
  const created = given.map((each) => {
    const parent = parents.get(each) ?? null;
    return toRow(each.term, ids.get(each) ?? "", parent && (idOf(parent) ?? null), now);
  });
  return { created, skipped: all.length - given.length };
}

function compareTerm(term: FileTerm): ComparedTerm {
  return {
    term,
    name: comparedForm(term.name),
    aliases: term.aliases.map(comparedForm),
    parent: term.parent === undefined ? null : comparedForm(term.parent),
  };
}

type Parent = ComparedTerm | PresentCategory;

/** Parents of new categories; null at the top. Skipped categories are found as existing. */
function findParents(
  categories: readonly ComparedTerm[],
  { names, categories: present }: PresentTerms,
): ReadonlyMap<ComparedTerm, Parent | null> {
  const inFile = new Map(categories.toReversed().map((category) => [category.name, category]));
  const byId = new Map(present.map((category) => [category.term_id, category]));
  return new Map(categories.map((category) => {
    if (category.parent === null) return [category, null];
    const parent = inFile.get(category.parent) ??
      byId.get(names.CATEGORY.get(category.parent) ?? "");
    if (parent === undefined || (category.term.active && !isActive(parent))) {
      throw new ServiceError("TAXONOMY_CATEGORY_PARENT_INVALID");
    }
    return [category, parent];
  }));
}

function isActive(category: Parent): boolean {
  return "term" in category ? category.term.active : category.deactivated_at === null;
}

/** Rejects categories that are their own ancestors, then those on a ninth level. */
function assertLevels(
  parents: ReadonlyMap<ComparedTerm, Parent | null>,
  present: readonly PresentCategory[],
): void {
  const byId = new Map(present.map((category) => [category.term_id, category]));
  const parentOf = (category: Parent): Parent | null =>
    "term" in category ? parents.get(category) ?? null : byId.get(category.parent_id ?? "") ?? null;
  const levels = new Map<Parent, number>();
  const levelOf = (category: Parent): number => {
    const known = levels.get(category);
    if (known === BEING_FOUND) throw new ServiceError("TAXONOMY_CATEGORY_CYCLE");
    if (known !== undefined) return known;
    levels.set(category, BEING_FOUND);
    const parent = parentOf(category);
    const level = parent === null ? 1 : levelOf(parent) + 1;
    levels.set(category, level);
    return level;
  };
  const deepest = [...parents.keys()].reduce((most, each) => Math.max(most, levelOf(each)), 0);
  if (deepest > MAX_LEVELS) throw depthExceeded();
}

/** Marks a category whose ancestors are still being visited. */
const BEING_FOUND = 0;

/** Rejects names that two terms of the file share, and names of new terms that are taken. */
function assertNamesFree(
  all: readonly ComparedTerm[],
  given: readonly ComparedTerm[],
  { names }: PresentTerms,
): void {
  const seen = { TAG: new Set<string>(), CATEGORY: new Set<string>() };
  for (const { term: { kind }, name, aliases } of all) {
    for (const compared of [name, ...aliases]) {
      if (seen[kind].has(compared)) throw new ServiceError(NAME_CONFLICTS[kind]);
      seen[kind].add(compared);
    }
  }
  for (const { term: { kind }, name, aliases } of given) {
    if ([name, ...aliases].some((compared) => names[kind].has(compared))) {
      throw new ServiceError(NAME_CONFLICTS[kind]);
    }
  }
}

function toRow(term: FileTerm, term_id: string, parent_id: string | null, now: Date): TermRow {
  return {
    term_id,
    kind: term.kind,
    ...firstRevision(now),
    name: term.name,
    aliases: writeAliases(term.aliases),
    description: term.description ?? null,
    color: term.color ?? null,
    sort_order: term.sortOrder ?? null,
    parent_id,
    deactivated_at: term.active ? null : now,
    merged_into: null,
  };
}
