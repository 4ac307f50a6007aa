/** The tree of an owner's categories. No SQL, no HTTP. */

import { component, type JsonSchema, listOf } from "../../validate/json_schema.ts";
import { sortKey } from "./name.ts";
import { MAX_LEVELS } from "./term_rules.ts";
import { showTerm, type Term, TERM_MEMBERS, type TermRow } from "./term.ts";

/** A category with all below it. */
export interface TreeNode extends Term {
  /** 1 at the top. */
  readonly depth: number;
  readonly children: readonly TreeNode[];
}

const NODE = "TaxonomyTreeNode";

export const TREE_NODE_SCHEMA: JsonSchema = component<TreeNode>(NODE, {
  ...TERM_MEMBERS,
  depth: { type: "integer", minimum: 1, maximum: MAX_LEVELS },
  children: listOf({ reference: NODE }),
});

/** A term as far as its place among others is concerned. */
type Placed = Pick<TermRow, "term_id" | "name" | "sort_order" | "parent_id">;

/** Terms in the order of siblings: by `sortOrder`, those without one last; then by name. */
function inSiblingOrder<Row extends Placed>(rows: readonly Row[]): readonly Row[] {
  return inOrder(rows, ({ sort_order }) => sort_order ?? Infinity);
}

/** Terms in the order of their names. */
export function inNameOrder<Row extends Placed>(rows: readonly Row[]): readonly Row[] {
  return inOrder(rows, () => 0);
}

function inOrder<Row extends Placed>(
  rows: readonly Row[],
  placeOf: (row: Row) => number,
): readonly Row[] {
  return rows
    .map((row) => ({ row, place: placeOf(row), name: sortKey(row.name), id: row.term_id }))
    .sort((one, other) =>
      compare(one.place, other.place) || compare(one.name, other.name) || compare(one.id, other.id)
    )
    .map(({ row }) => row);
}

function compare<Key extends number | string>(one: Key, other: Key): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The children of each category, and those at the top under null, each in the order of siblings. */
export function childrenOf<Row extends Placed>(
  rows: readonly Row[],
): ReadonlyMap<string | null, readonly Row[]> {
  return Map.groupBy(inSiblingOrder(rows), ({ parent_id }) => parent_id);
}

/** Builds the tree of categories. */
export function buildTree(rows: readonly TermRow[]): readonly TreeNode[] {
  const children = childrenOf(rows);
  const nodesBelow = (parent: string | null, depth: number): TreeNode[] =>
    (children.get(parent) ?? []).map((row) => ({
      ...showTerm(row),
      depth,
      children: nodesBelow(row.term_id, depth + 1),
    }));
  return nodesBelow(null, 1);
}
