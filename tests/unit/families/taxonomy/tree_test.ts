/** The tree and the export file, against their definition. */

import { assertEquals } from "@std/assert";
import { toFile } from "../../../../src/families/taxonomy/export_routes.ts";
import { planImport } from "../../../../src/families/taxonomy/import_rules.ts";
import { comparedForm } from "../../../../src/families/taxonomy/name.ts";
import type { TermRow } from "../../../../src/families/taxonomy/term.ts";
import { buildTree, type TreeNode } from "../../../../src/families/taxonomy/tree.ts";
import { serialiseJson } from "../../../../src/validate/json_output.ts";
import { seededRandom } from "../../../support/random.ts";
import { category, LATER, makeForest, makeNames, shuffled, term } from "./terms.ts";

/** Depth first, with levels. */
function walk(nodes: readonly TreeNode[]): (readonly [number, string])[] {
  return nodes.flatMap(({ depth, termId, children }) => [
    [depth, termId] as const,
    ...walk(children),
  ]);
}

function expectedWalk(
  rows: readonly TermRow[],
  parent: string | null = null,
  depth = 1,
): (readonly [number, string])[] {
  const isBefore = (one: TermRow, other: TermRow): boolean => {
    if (one.sort_order !== other.sort_order) {
      return one.sort_order !== null &&
        (other.sort_order === null || one.sort_order < other.sort_order);
    }
    const [left, right] = [comparedForm(one.name), comparedForm(other.name)];
    if (left !== right) return lessByCodePoints(left, right);
    return one.term_id < other.term_id;
  };
  const left = rows.filter(({ parent_id }) => parent_id === parent);
  const walked: (readonly [number, string])[] = [];
  while (left.length > 0) {
    const [first] = left.splice(
      left.findIndex((row) => left.every((other) => other === row || isBefore(row, other))),
      1,
    ) as [TermRow];
    walked.push([depth, first.term_id], ...expectedWalk(rows, first.term_id, depth + 1));
  }
  return walked;
}

function lessByCodePoints(one: string, other: string): boolean {
  const [left, right] = [new TextEncoder().encode(one), new TextEncoder().encode(other)];
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 || (left[at] ?? 0) < (right[at] ?? -1);
}

Deno.test("Tree has every category once, under its parent, siblings in order", () => {
  const random = seededRandom(184);
  for (let round = 0; round < 150; round++) {
    const rows = makeForest(random, random.integer(0, 40));
    const tree = buildTree(shuffled(random, rows));
    assertEquals(walk(tree), expectedWalk(rows));
    assertEquals(tree.length === 0, rows.length === 0);
  }
});

Deno.test("Siblings of equal order are sorted by compared name, by code point", () => {
  const inOrder = ["apple", "Äpple", "Banana", "éclair", "ｚebra", "Ωmega", "שלום", "\ue000", "🙂"];
  const names = inOrder.toSorted((one, other) =>
    lessByCodePoints(comparedForm(one), comparedForm(other)) ? -1 : 1
  );
  const rows = inOrder.map((name) => category(name));
  assertEquals(buildTree(rows).map(({ name }) => name), names);
  const placed = [
    category("c"),
    category("b", { sort_order: 1_000_000 }),
    category("d", { sort_order: 0 }),
    category("a"),
  ];
  assertEquals(buildTree(placed).map(({ name }) => name), ["d", "b", "a", "c"]);
});

Deno.test("Files of equal terms have equal bytes, wherever and whenever they were made", () => {
  const random = seededRandom(185);
  for (let round = 0; round < 100; round++) {
    const tags = makeNames(random, random.integer(0, 10)).map((name) =>
      term(name, { term_id: random.ulid(), aliases: random.chance(0.5) ? [`${name}?`] : [] })
    );
    const rows = [...makeForest(random, random.integer(0, 30)), ...tags];
    const file = toFile(rows);
    assertEquals(file.length, rows.length);
    const bytes = serialiseJson(file);
    assertEquals(serialiseJson(toFile(shuffled(random, rows))), bytes);
    const nothing = { names: { TAG: new Map(), CATEGORY: new Map() }, categories: [] };
    const body = {
      format: "prs-taxonomy",
      version: 1,
      conflictMode: "REJECT",
      terms: shuffled(random, file),
    } as const;
    const { created, skipped } = planImport(body, nothing, LATER);
    assertEquals(skipped, 0);
    assertEquals(serialiseJson(toFile(created)), bytes);
  }
});
