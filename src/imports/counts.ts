/** Counts by name, for the lists `unmapped` and `rules` of a report. */

import { BoundedWords } from "./words.ts";

export interface NameCount {
  readonly name: string;
  readonly count: number;
}

export interface RuleCount {
  readonly rule: string;
  readonly count: number;
}

/** Maximum bytes of separately counted names; further names are counted together. */
const COUNTED_BYTES = 64 * 1024;

export class Counts {
  readonly #counts = new Map<string, number>();
  readonly #names = new BoundedWords(COUNTED_BYTES);

  add(name: string, by = 1): void {
    const counted = this.#names.fit(name);
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + by);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
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
