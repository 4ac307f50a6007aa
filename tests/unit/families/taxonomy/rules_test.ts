/** Rules for terms; the storage enforces them too. */

import { assertEquals } from "@std/assert";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import { comparedForm } from "../../../../src/families/taxonomy/name.ts";
import {
  type Ancestor,
  assertFits,
  decideDeactivate,
  decideMerge,
  decideMove,
  decidePatch,
  decideReactivate,
  decideRename,
  type TreePosition,
} from "../../../../src/families/taxonomy/term_rules.ts";
import { aliasesOf, termNamesOf, type TermRow } from "../../../../src/families/taxonomy/term.ts";
import { seededRandom } from "../../../support/random.ts";
import { category, LATER, makeNames, NOW, term } from "./terms.ts";

/** Or the error code. */
function outcome<T>(decide: () => T): T | string {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const STATE = "TAXONOMY_STATE_CONFLICT";
const PARENT = "TAXONOMY_CATEGORY_PARENT_INVALID";
const CYCLE = "TAXONOMY_CATEGORY_CYCLE";
const DEPTH = "TAXONOMY_CATEGORY_DEPTH_EXCEEDED";

const INACTIVE = { deactivated_at: NOW } as const;
const MERGED = { deactivated_at: NOW, merged_into: "other" } as const;

Deno.test("Inactive and merged terms reject patches, renames and moves", () => {
  const place: TreePosition = { above: [], height: 1 };
  for (const said of [INACTIVE, MERGED]) {
    const before = term("a", said);
    const patch = { expectedRevision: 1, set: { color: "#000000" } };
    assertEquals(outcome(() => decidePatch(before, patch, LATER)), STATE);
    assertEquals(outcome(() => decideRename(before, { name: "b" }, LATER)), STATE);
  }
  assertEquals(outcome(() => decideMove(category("a", INACTIVE), null, place, LATER)), STATE);
});

Deno.test("A rename keeps, frees and takes names as requested", () => {
  const renamed = (said: TermRow, name: string, keepAlias?: boolean) => {
    const decided = outcome(() =>
      decideRename(said, { name, ...(keepAlias !== undefined && { keepAlias }) }, LATER)
    );
    if (typeof decided === "string") return decided;
    return [decided.change, decided.row.name, ...aliasesOf(decided.row)].join(" ");
  };
  const before = term("A", { aliases: ["x", "y"] });
  assertEquals(renamed(before, "B"), "RENAMED B x y");
  assertEquals(renamed(before, "B", false), "RENAMED B x y");
  assertEquals(renamed(before, "B", true), "RENAMED B x y A");
  assertEquals(renamed(before, "X"), "RENAMED X y");
  assertEquals(renamed(before, "X", true), "RENAMED X y A");
  assertEquals(renamed(before, "a", true), "RENAMED a x y");
  assertEquals(renamed(before, "A", true), " A x y");
  const full = term("A", { aliases: Array.from({ length: 50 }, (_, index) => `x${index}`) });
  assertEquals(renamed(full, "B", true), STATE);
  assertEquals(renamed(full, "a", true)?.slice(0, 12), "RENAMED a x0");
  assertEquals(renamed(full, "X49", true)?.slice(-5), "x48 A");
});

Deno.test("After any renames a term's names differ, and its former name is free or an alias", () => {
  const random = seededRandom(187);
  const names = makeNames(random, 12).flatMap((name) => [name, name.toUpperCase()]);
  for (let round = 0; round < 500; round++) {
    let row = term(random.pick(names));
    for (let step = 0; step < 12; step++) {
      const [name, keepAlias] = [random.pick(names), random.chance(0.6)];
      const { row: next, change } = decideRename(row, { name, keepAlias }, LATER);
      const forms = termNamesOf(next).map(comparedForm);
      assertEquals(new Set(forms).size, forms.length);
      assertEquals(next.name, name);
      assertEquals(change, name === row.name ? null : "RENAMED");
      const [former, taken] = [comparedForm(row.name), comparedForm(name)];
      assertEquals(forms.includes(former), keepAlias || former === taken);
      const others = termNamesOf(row).map(comparedForm)
        .filter((form) => form !== former && form !== taken);
      assertEquals(others.every((form) => forms.includes(form)), true);
      row = next;
    }
  }
});

/** Parent first. */
function above(...ids: readonly string[]): Ancestor[] {
  return ids.map((term_id) => ({ term_id, deactivated_at: null }));
}

Deno.test("A place is rejected by its parent, by a cycle, then by its depth", () => {
  const fits = (place: TreePosition, parent_id: string | null = "p") =>
    outcome(() => assertFits({ term_id: "me", parent_id }, place)) ?? "fits";
  const levels = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
  assertEquals(fits({ above: [], height: 8 }, null), "fits");
  assertEquals(fits({ above: above("p"), height: 7 }), "fits");
  assertEquals(fits({ above: above("p"), height: 8 }), DEPTH);
  assertEquals(fits({ above: above(...levels(7)), height: 1 }), "fits");
  assertEquals(fits({ above: above(...levels(8)), height: 1 }), DEPTH);
  assertEquals(fits({ above: above(...levels(4)), height: 4 }), "fits");
  assertEquals(fits({ above: above(...levels(4)), height: 5 }), DEPTH);
  assertEquals(fits({ above: [], height: 1 }), PARENT);
  const inactive = [{ term_id: "p", deactivated_at: NOW }, ...above("me", ...levels(8))];
  assertEquals(fits({ above: inactive, height: 1 }), PARENT);
  assertEquals(fits({ above: above("me"), height: 1 }), CYCLE);
  assertEquals(fits({ above: above(...levels(9), "me"), height: 1 }), CYCLE);
});

Deno.test("A move without effect changes nothing, whatever its ancestors", () => {
  const before = category("me", { parent_id: "p" });
  const { row, change } = decideMove(before, "p", { above: [], height: 9 }, LATER);
  assertEquals([row, change], [before, null]);
  const moved = decideMove(before, null, { above: [], height: 1 }, LATER);
  assertEquals([moved.row.parent_id, moved.row.revision, moved.change], [null, 2, "MOVED"]);
});

Deno.test("A term is deactivated and reactivated once, under active categories", () => {
  const ended = (before: TermRow, hasActiveChild = false) => {
    const next = outcome(() => decideDeactivate(before, hasActiveChild, LATER));
    return typeof next === "string" ? next : [next.change, next.row.deactivated_at];
  };
  assertEquals(ended(term("a")), ["DEACTIVATED", LATER]);
  assertEquals(ended(category("a"), true), STATE);
  for (const said of [INACTIVE, MERGED]) assertEquals(ended(term("a", said), true), [null, NOW]);
  // A revision's time never precedes its predecessor's.
  const ahead = new Date(LATER.getTime() + 1);
  assertEquals(ended(term("a", { updated_at: ahead })), ["DEACTIVATED", ahead]);

  const used = (before: TermRow, places: readonly Ancestor[] = []) => {
    const next = outcome(() => decideReactivate(before, places, LATER));
    return typeof next === "string" ? next : [next.change, next.row.deactivated_at];
  };
  assertEquals(used(term("a")), [null, null]);
  assertEquals(used(term("a", INACTIVE)), ["REACTIVATED", null]);
  assertEquals(used(term("a", MERGED)), STATE);
  const below = category("a", { ...INACTIVE, parent_id: "p" });
  assertEquals(used(below, above("p")), ["REACTIVATED", null]);
  assertEquals(used(below, [{ term_id: "p", deactivated_at: NOW }]), PARENT);
});

Deno.test("A merge appends name and aliases to the target's, unless one is invalid", () => {
  const source = term("Source", { aliases: ["s1", "s2"] });
  const target = term("Target", { aliases: ["t1"] });
  const merge = outcome(() => decideMerge(source, target, LATER));
  if (typeof merge === "string") throw new Error(merge);
  assertEquals(aliasesOf(merge.target), ["t1", "Source", "s1", "s2"]);
  assertEquals([merge.target.revision, merge.target.updated_at], [2, LATER]);
  const row = merge.source;
  assertEquals([row.merged_into, row.deactivated_at, row.revision], ["Target", LATER, 2]);
  assertEquals([row.name, aliasesOf(row), termNamesOf(row)], ["Source", ["s1", "s2"], []]);
  const inactive = decideMerge(term("Source", INACTIVE), target, LATER).source;
  assertEquals([inactive.deactivated_at, inactive.updated_at], [NOW, LATER]);

  const full = (count: number) =>
    term("Target", { aliases: Array.from({ length: count }, (_, index) => `t${index}`) });
  assertEquals(typeof outcome(() => decideMerge(source, full(47), LATER)), "object");
  for (
    const [from, into] of [
      [source, full(48)],
      [source, source],
      [source, term("Target", INACTIVE)],
      [source, term("Target", MERGED)],
      [term("Source", MERGED), target],
    ] as const
  ) {
    assertEquals(outcome(() => decideMerge(from, into, LATER)), STATE);
  }
});
