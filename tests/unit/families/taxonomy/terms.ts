/** For tests of pure rules. */

import { firstRevision } from "../../../../src/kit/root.ts";
import { type TermRow, writeAliases } from "../../../../src/families/taxonomy/term.ts";
import type { Random } from "../../../support/random.ts";

export const NOW = new Date("2026-11-20T12:00:00.000Z");
export const LATER = new Date("2026-11-20T12:00:01.000Z");

export type Said = Partial<Omit<TermRow, "aliases">> & { readonly aliases?: readonly string[] };

/** By default an active tag. Its identifier is its name. */
export function term(name: string, { aliases = [], ...said }: Said = {}): TermRow {
  return {
    term_id: name,
    kind: "TAG",
    ...firstRevision(NOW),
    name,
    aliases: writeAliases(aliases),
    description: null,
    color: null,
    sort_order: null,
    parent_id: null,
    deactivated_at: null,
    merged_into: null,
    ...said,
  };
}

export function category(name: string, said: Said = {}): TermRow {
  return term(name, { kind: "CATEGORY", ...said });
}

/** Distinct names that sort by case, length and script. */
export function makeNames(random: Random, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${random.text(1, 5)} ${index}`);
}

/** Random, at most eight levels, parents first. */
export function makeForest(random: Random, count: number): TermRow[] {
  const rows: TermRow[] = [];
  const levels = new Map<string | null, number>([[null, 0]]);
  for (const name of makeNames(random, count)) {
    const parents = rows.filter(({ term_id }) => (levels.get(term_id) ?? 0) < 8);
    const parent = random.chance(0.2) || parents.length === 0 ? null : random.pick(parents);
    const isActive = parent?.deactivated_at === null || parent === null;
    const row = category(name, {
      term_id: random.ulid(),
      parent_id: parent?.term_id ?? null,
      sort_order: random.chance(0.4) ? random.integer(0, 3) : null,
      deactivated_at: isActive && random.chance(0.9) ? null : NOW,
      aliases: random.chance(0.3) ? [`${name}, also`] : [],
      description: random.chance(0.2) ? random.text(1, 9) : null,
      color: random.chance(0.2) ? "#2E7d32" : null,
    });
    levels.set(row.term_id, (levels.get(row.parent_id) ?? 0) + 1);
    rows.push(row);
  }
  return rows;
}

export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  return values.map((value) => ({ value, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
