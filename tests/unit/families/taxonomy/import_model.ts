/** Errors of an import file of terms, directly from the contract. */

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

/** In the file, or stored. */
interface Known {
  /** Null at the top; undefined if the file names no category. */
  readonly parent: Known | null | undefined;
  readonly isActive: boolean;
}

/** The reported codes; empty if the file is imported. */
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
  // More ancestors than categories: it is in a cycle.
  if (known.some((each) => hasAbove(each, rows.length + terms.length))) {
    return ["TAXONOMY_CATEGORY_CYCLE"];
  }
  if (known.some((each) => hasAbove(each, 8))) return ["TAXONOMY_CATEGORY_DEPTH_EXCEEDED"];
  return (["TAG", "CATEGORY"] as const)
    .filter((kind) => hasConflict(kind, terms, made, rows))
    .map((kind) => `TAXONOMY_${kind}_NAME_CONFLICT`);
}

/** By name or alias in any spelling. */
function holderOf(rows: readonly TermRow[], kind: TermType, name: string): TermRow | undefined {
  return rows.find((row) =>
    row.kind === kind && termNamesOf(row).map(comparedForm).includes(comparedForm(name))
  );
}

/** Parents are found lazily: there may be cycles. */
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

/** At least `count` ancestors. */
function hasAbove({ parent }: Known, count: number): boolean {
  if (count === 0) return true;
  return parent !== null && parent !== undefined && hasAbove(parent, count - 1);
}

/** Two terms of the file share a name, or a new one has an existing name. */
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
