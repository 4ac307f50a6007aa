/** The groups of a file, such as notebooks or devices, and the series of values in them. */

import { COUNT, type JsonSchema, listOf, objectOf, TEXT } from "../validate/json_schema.ts";
import type { ImportFolder } from "./folder.ts";
import { entryBytes, type ReadingBudget } from "./reading_budget.ts";
import { reportWord } from "./words.ts";

/** Groups, and series, that are shown. */
const MAX_SHOWN = 1_000;

interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** The values of one type, and the groups that have any. */
interface Series extends NamedCount {
  readonly groups: readonly string[];
}

/** Each list by name. */
export interface ShownGroups {
  readonly groups: readonly NamedCount[];
  readonly series: readonly Series[];
}

/** The groups of the last reading; none for an import of an earlier release. */
export async function readGroups(
  folder: Pick<ImportFolder, "read">,
  importId: string,
): Promise<ShownGroups> {
  return JSON.parse(await folder.read(importId, "groups") ?? '{"groups":[],"series":[]}');
}

export const GROUPS_MEMBERS: Readonly<Record<keyof ShownGroups, JsonSchema>> = {
  groups: listOf(objectOf({ name: TEXT, count: COUNT })),
  series: listOf(objectOf({ name: TEXT, count: COUNT, groups: listOf(TEXT) })),
};

export class SampleGroups {
  readonly #groups: BoundedCounts;
  readonly #series: BoundedCounts;
  readonly #groupsOf = new Map<string, Set<string>>();
  readonly #budget: ReadingBudget;

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
    this.#groups = new BoundedCounts(budget);
    this.#series = new BoundedCounts(budget);
  }

  add(name: string, count = 1): void {
    this.#groups.add(reportWord(name), count);
  }

  addSeries(name: string, group: string, count = 1): void {
    const shown = reportWord(name);
    if (!this.#series.add(shown, count)) return;
    const groups = this.#groupsOf.getOrInsertComputed(shown, () => new Set());
    const shownGroup = reportWord(group);
    if (groups.size === MAX_SHOWN || groups.has(shownGroup)) return;
    this.#budget.hold(entryBytes(shownGroup), 0);
    groups.add(shownGroup);
  }

  get shown(): ShownGroups {
    return {
      groups: this.#groups.sorted(),
      series: this.#series.sorted().map(({ name, count }) => {
        return { name, count, groups: [...this.#groupsOf.get(name) ?? []].toSorted() };
      }),
    };
  }
}

/** Counts the first names that fit. */
class BoundedCounts {
  readonly #counts = new Map<string, number>();
  readonly #budget: ReadingBudget;

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  /** False for a further name beyond the limit, which is not counted. */
  add(name: string, count: number): boolean {
    const known = this.#counts.get(name);
    if (known === undefined) {
      if (this.#counts.size === MAX_SHOWN) return false;
      this.#budget.hold(entryBytes(name), 0);
    }
    this.#counts.set(name, (known ?? 0) + count);
    return true;
  }

  sorted(): NamedCount[] {
    return Array.from(this.#counts, ([name, count]) => ({ name, count }))
      .toSorted((one, other) => one.name < other.name ? -1 : 1);
  }
}
