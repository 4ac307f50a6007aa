/** Random import files against the contract. */

import { assert, assertEquals } from "@std/assert";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import {
  type ImportPlan,
  planImport,
  type PresentTerms,
} from "../../../../src/families/taxonomy/import_rules.ts";
import { comparedForm } from "../../../../src/families/taxonomy/name.ts";
import type {
  FileTerm,
  TaxonomyImportBody,
} from "../../../../src/families/taxonomy/taxonomy_schema.ts";
import { termNamesOf, type TermRow } from "../../../../src/families/taxonomy/term.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { refusalsOf } from "./import_model.ts";
import { category, LATER, makeForest, NOW, term } from "./terms.ts";

type Mode = TaxonomyImportBody["conflictMode"];

function bodyOf(terms: readonly FileTerm[], conflictMode: Mode): TaxonomyImportBody {
  return { format: "prs-taxonomy", version: 1, conflictMode, terms };
}

function presentOf(rows: readonly TermRow[]): PresentTerms {
  const named = (kind: TermRow["kind"]) =>
    new Map(
      rows.filter((row) => row.kind === kind).flatMap((row) =>
        termNamesOf(row).map((name) => [comparedForm(name), row.term_id] as const)
      ),
    );
  return {
    names: { TAG: named("TAG"), CATEGORY: named("CATEGORY") },
    categories: rows.filter(({ kind }) => kind === "CATEGORY"),
  };
}

/** Or the error code. */
function plan(
  terms: readonly FileTerm[],
  rows: readonly TermRow[],
  mode: Mode,
): ImportPlan | string {
  try {
    return planImport(bodyOf(terms, mode), presentOf(rows), LATER);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** Terms with few names, so that they collide. */
function makeFile(random: Random, names: readonly string[]): FileTerm[] {
  const spelt = (name: string) =>
    random.pick([name, name.toUpperCase(), ` ${name.normalize("NFD")}`]);
  return Array.from({ length: random.integer(1, 10) }, () => {
    const kind = random.chance(0.8) ? "CATEGORY" : "TAG";
    return {
      kind,
      name: spelt(random.pick(names)),
      aliases: random.chance(0.1) ? [spelt(random.pick(names))] : [],
      ...(kind === "CATEGORY" && random.chance(0.7) && { parent: spelt(random.pick(names)) }),
      active: random.chance(0.9),
    };
  });
}

Deno.test("Random files are rejected, skipped or imported as the contract says", () => {
  const random = seededRandom(186);
  const seen = new Map<string, number>();
  for (let round = 0; round < 4_000; round++) {
    const rows = makeForest(random, random.integer(0, 8));
    if (random.chance(0.3)) rows.push(term("Tagged", { aliases: ["Tägged"] }));
    const names = [
      ...rows.flatMap(termNamesOf),
      ...Array.from({ length: random.integer(2, 40) }, (_, index) => `new é${index}`),
    ];
    const terms = makeFile(random, names);
    const mode = random.pick(["REJECT", "SKIP"] as const);
    const planned = plan(terms, rows, mode);
    const refusals = refusalsOf(terms, rows, mode);
    const code = typeof planned === "string" ? planned : "imported";
    seen.set(code, (seen.get(code) ?? 0) + 1);
    const expected = refusals.length === 0 ? ["imported"] : refusals;
    assert(expected.includes(code), `${code}, ${expected}: ${JSON.stringify(terms)}`);
    if (typeof planned !== "string") assertPlan(planned, terms, rows);
  }
  for (
    const code of [
      "imported",
      "TAXONOMY_CATEGORY_PARENT_INVALID",
      "TAXONOMY_CATEGORY_CYCLE",
      "TAXONOMY_CATEGORY_NAME_CONFLICT",
      "TAXONOMY_TAG_NAME_CONFLICT",
    ]
  ) {
    assert((seen.get(code) ?? 0) >= 20, `${code}: ${seen.get(code)}`);
  }
});

/** Created under the named parent, or skipped. */
function assertPlan(
  { created, skipped }: ImportPlan,
  terms: readonly FileTerm[],
  rows: readonly TermRow[],
): void {
  assertEquals(created.length + skipped, terms.length);
  const all = [...rows, ...created];
  for (const row of created) {
    const told = terms.find(({ kind, name }) => kind === row.kind && name === row.name);
    assert(told !== undefined);
    assertEquals(termNamesOf(row), [told.name, ...told.aliases]);
    assertEquals(row.deactivated_at === null, told.active);
    const parent = all.find(({ term_id }) => term_id === row.parent_id);
    assertEquals(parent === undefined, told.parent === undefined);
    if (parent === undefined || told.parent === undefined) continue;
    assertEquals(parent.kind, "CATEGORY");
    assert(termNamesOf(parent).map(comparedForm).includes(comparedForm(told.parent)));
  }
}

function told(name: string, parent?: string, active = true): FileTerm {
  return { kind: "CATEGORY", name, aliases: [], active, ...(parent !== undefined && { parent }) };
}

/** Each under the one before. */
function chain(length: number, parent?: string): FileTerm[] {
  return Array.from(
    { length },
    (_, index) => told(`c${index + 1}`, index === 0 ? parent : `c${index}`),
  );
}

Deno.test("A file has at most eight levels, with stored ones", () => {
  const deep = (plan: ImportPlan | string) => typeof plan === "string" ? plan : plan.created.length;
  assertEquals(deep(plan(chain(8), [], "REJECT")), 8);
  assertEquals(deep(plan(chain(9), [], "REJECT")), "TAXONOMY_CATEGORY_DEPTH_EXCEEDED");
  const rows = [category("one"), category("two", { parent_id: "one" })];
  assertEquals(deep(plan(chain(6, "two"), rows, "REJECT")), 6);
  assertEquals(deep(plan(chain(7, "two"), rows, "REJECT")), "TAXONOMY_CATEGORY_DEPTH_EXCEEDED");
  // Skipped categories have the stored ones' levels.
  const under = [...chain(7, "Two"), told("TWO")];
  assertEquals(deep(plan(under, rows, "SKIP")), "TAXONOMY_CATEGORY_DEPTH_EXCEEDED");
  assertEquals(deep(plan(under.slice(1), [category("c1")], "SKIP")), 7);
});

Deno.test("A category of the file precedes a stored one with that alias as parent", () => {
  const rows = [category("there", { aliases: ["Both"] })];
  const planned = plan([told("below", "there"), told("top")], rows, "REJECT");
  assert(typeof planned !== "string");
  assertEquals(planned.created.map(({ parent_id }) => parent_id), ["there", null]);
  const skipping = plan([told("below", "both"), told("both")], rows, "SKIP");
  assert(typeof skipping !== "string");
  assertEquals(skipping.created.map(({ parent_id }) => parent_id), ["there"]);
  assertEquals(skipping.skipped, 1);
});

Deno.test("Categories count together with stored ones, inactive ones too", () => {
  const rows = Array.from(
    { length: 1_999 },
    (_, index) => category(`c${index}`, { deactivated_at: NOW }),
  );
  const one = plan([told("one")], rows, "REJECT");
  assert(typeof one !== "string");
  const two = [told("one"), told("two")];
  assertEquals(plan(two, rows, "REJECT"), "TAXONOMY_STATE_CONFLICT");
  const skipping = plan([told("one"), told("C7")], rows, "SKIP");
  assert(typeof skipping !== "string");
  assertEquals([skipping.created.length, skipping.skipped], [1, 1]);
});
