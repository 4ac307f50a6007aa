/** What is wrong with a file of terms, word by word as the contract says it. */

import { comparedForm } from "../../../../src/families/taxonomy/name.ts";
import type {
  FileTerm,
  TaxonomyImportBody,
} from "../../../../src/families/taxonomy/taxonomy_schema.ts";
import {
  termNamesOf,
  type TermRow,
  type TermType,
} from "../../../../src/families/taxonomy/term.ts";

/** A category of the file, or one that is there. */
interface Known {
  /** What it lies below: null at the top, undefined where the file names no category. */
  readonly parent: Known | null | undefined;
  readonly isActive: boolean;
}

/** The codes of which one is told; none where the file is imported. */
export function refusalsOf(
  terms: readonly FileTerm[],
  rows: readonly TermRow[],
  mode: TaxonomyImportBody["conflictMode"],
): readonly string[] {
  const made = mode === "REJECT"
    ? terms
    : terms.filter(({ kind, name }) => holderOf(rows, kind, name) === undefined);
  const categories = made.filter(({ kind }) => kind === "CATEGORY");
  const known = categories.map((each) => knownOf(each, categories, rows));
  if (
    known.some(({ parent, isActive }) =>
      parent === undefined || isActive && parent?.isActive === false
    )
  ) {
    return ["TAXONOMY_CATEGORY_PARENT_INVALID"];
  }
  // A category that has more above it than there are is one of them.
  if (known.some((each) => hasAbove(each, rows.length + terms.length))) {
    return ["TAXONOMY_CATEGORY_CYCLE"];
  }
  if (known.some((each) => hasAbove(each, 8))) return ["TAXONOMY_CATEGORY_DEPTH_EXCEEDED"];
  return (["TAG", "CATEGORY"] as const)
    .filter((kind) => hasConflict(kind, terms, made, rows))
    .map((kind) => `TAXONOMY_${kind}_NAME_CONFLICT`);
}

/** The term that has a name, in whatever spelling, as its name or as an alias. */
function holderOf(rows: readonly TermRow[], kind: TermType, name: string): TermRow | undefined {
  return rows.find((row) =>
    row.kind === kind && termNamesOf(row).map(comparedForm).includes(comparedForm(name))
  );
}

/** A category of the file; what it lies below is found when it is asked for, which may be without end. */
function knownOf(
  { parent, active }: FileTerm,
  categories: readonly FileTerm[],
  rows: readonly TermRow[],
): Known {
  return {
    isActive: active,
    get parent() {
      if (parent === undefined) return null;
      const inFile = categories.find(({ name }) => comparedForm(name) === comparedForm(parent));
      if (inFile !== undefined) return knownOf(inFile, categories, rows);
      const there = holderOf(rows, "CATEGORY", parent);
      return there && knownPresent(there, rows);
    },
  };
}

function knownPresent(row: TermRow, rows: readonly TermRow[]): Known {
  const parent = rows.find(({ term_id }) => term_id === row.parent_id);
  return {
    isActive: row.deactivated_at === null,
    parent: parent === undefined ? null : knownPresent(parent, rows),
  };
}

/** Whether at least so many categories are above one. */
function hasAbove({ parent }: Known, count: number): boolean {
  if (count === 0) return true;
  return parent !== null && parent !== undefined && hasAbove(parent, count - 1);
}

/** Whether two terms of the file have one name, or a new one has the name of another. */
function hasConflict(
  kind: TermType,
  terms: readonly FileTerm[],
  made: readonly FileTerm[],
  rows: readonly TermRow[],
): boolean {
  const namesIn = (some: readonly FileTerm[]) =>
    some.filter((each) => each.kind === kind)
      .flatMap(({ name, aliases }) => [name, ...aliases].map(comparedForm));
  const all = namesIn(terms);
  return new Set(all).size < all.length ||
    namesIn(made).some((name) => holderOf(rows, kind, name) !== undefined);
}
