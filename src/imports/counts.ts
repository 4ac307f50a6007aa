import type { NameCount, OutcomeCounts, RuleCount, TargetCounts } from "./import.ts";
import type { ItemReport } from "./item_store.ts";

/** Distinct names that are counted by themselves; further ones are counted together. */
const MAX_NAMES = 1_000;

/** Counts by name. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    const counted = this.#counts.has(name) || this.#counts.size < MAX_NAMES ? name : "other";
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + by);
  }

  /** In the order of the names. */
  names(): NameCount[] {
    return Array.from(this.#counts, ([name, count]) => ({ name, count }))
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => one.name < other.name ? -1 : 1);
  }

  rules(): RuleCount[] {
    return this.names().map(({ name: rule, count }) => ({ rule, count }));
  }
}

/** Counts of outcomes, by target, and of rules. */
export class OutcomeTotals {
  readonly #counts: Map<string, { -readonly [Name in keyof OutcomeCounts]: OutcomeCounts[Name] }>;
  readonly #rules = new Counts();

  constructor(counts: TargetCounts = {}, rules: readonly RuleCount[] = []) {
    this.#counts = new Map(Object.entries(counts).map(([name, count]) => [name, { ...count }]));
    for (const { rule, count } of rules) this.#rules.add(rule, count);
  }

  /** Adds an item, or takes one away. */
  add(
    { target, outcome, rules, matches }: Omit<ItemReport, "place" | "key" | "unmapped">,
    by: 1 | -1 = 1,
  ): void {
    const name = target ?? "unknown";
    const counts = this.#counts.get(name) ?? {
      ...{ new: 0, unchanged: 0, changed: 0, refused: 0 },
      ...(matches !== undefined && { possibleDuplicate: 0 }),
    };
    const counted = outcome === "POSSIBLE_DUPLICATE"
      ? "possibleDuplicate"
      : outcome.toLowerCase() as keyof OutcomeCounts;
    counts[counted] = (counts[counted] ?? 0) + by;
    this.#counts.set(name, counts);
    for (const rule of rules) this.#rules.add(rule, by);
  }

  /** As the columns of an import. */
  get columns(): { readonly counts: string; readonly rules: string } {
    const sorted = [...this.#counts].sort(([one], [other]) => one < other ? -1 : 1);
    return {
      counts: JSON.stringify(Object.fromEntries(sorted)),
      rules: JSON.stringify(this.#rules.rules()),
    };
  }
}
