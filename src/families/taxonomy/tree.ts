/** The tree of an owner's categories. */

import { component, type JsonSchema, listOf } from "../../validate/json_schema.ts";
import { sortKey } from "./name.ts";
import { MAX_LEVELS } from "./term_rules.ts";
import { showTerm, type Term, TERM_MEMBERS, type TermRow } from "./term.ts";

export interface TreeNode extends Term {
  /** The level: 1 at the top. */
  readonly depth: number;
  readonly children: readonly TreeNode[];
}

const NODE = "TaxonomyTreeNode";

export const TREE_NODE_SCHEMA: JsonSchema = component<TreeNode>(NODE, {
  ...TERM_MEMBERS,
  depth: { type: "integer", minimum: 1, maximum: MAX_LEVELS },
  children: listOf({ reference: NODE }),
});

type Placed = Pick<TermRow, "term_id" | "name" | "sort_order" | "parent_id">;

/** Sorts by `sortOrder`, missing ones last; then by name. */
function inSiblingOrder<Row extends Placed>(rows: readonly Row[]): readonly Row[] {
  return inOrder(rows, ({ sort_order }) => sort_order ?? Infinity);
}

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

/**
 * Returns the children of each parent in sibling order; the key null is the top, also of a category
 * whose parent was erased.
 */
export function childrenOf<Row extends Placed>(
  rows: readonly Row[],
): ReadonlyMap<string | null, readonly Row[]> {
  const present = new Set(rows.map(({ term_id }) => term_id));
  return Map.groupBy(
    inSiblingOrder(rows),
    ({ parent_id }) => parent_id !== null && present.has(parent_id) ? parent_id : null,
  );
}

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
