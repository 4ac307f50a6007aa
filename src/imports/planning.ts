/** The second half of an import's preparation: what is to come of each item. Nothing is written but the plan. */

import { createHash } from "node:crypto";
import type { Permission } from "../access/permissions.ts";
import type { JsonObject } from "../core/json.ts";
import type { Database } from "../database/database.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { BATCH_ITEMS } from "./batch.ts";
import type { ImportFolder } from "./folder.ts";
import type { FileCounts, Outcome, OutcomeCounts, RuleCount } from "./import.ts";
import type { ItemReport } from "./item_store.ts";
import type { Item } from "./item.ts";
import { isUsable, judge, type JudgedBatch, nothingComing } from "./judge.ts";
import type { JudgeContext, Judged } from "./judged.ts";
import { inBatches, readValues } from "./line_reader.ts";

/** A plan. */
export interface Plan {
  readonly counts: Readonly<Record<string, OutcomeCounts>>;
  readonly attachments: FileCounts;
  readonly rules: readonly RuleCount[];
  readonly needs: readonly Permission[];
  readonly digest: string;
  readonly total: number;
}

/** The import to plan. */
export interface Planning extends JudgeContext {
  readonly importId: string;
  readonly assertGoing: () => void;
}

/** Plans the items that were read, and writes a report for each. */
export async function planItems(
  database: Database,
  folder: ImportFolder,
  planning: Planning,
): Promise<Plan> {
  const { importId, mapping, assertGoing } = planning;
  const totals = new PlanTotals(planning, mapping);
  const coming = nothingComing();
  await using reports = await folder.writer(importId, "plan");
  const values = readValues<Item>(folder.path(importId, "items"));
  for await (const items of inBatches(values, BATCH_ITEMS)) {
    assertGoing();
    const batch = await database.read((sql) => judge(sql, planning, items, coming));
    totals.add(batch);
    for (const judged of batch.items) await reports.write(reportOf(judged));
  }
  await reports.end();
  return totals.plan();
}

function reportOf({ item, outcome, rules, matches }: Judged): ItemReport {
  const { place, key, target, unmapped } = item;
  return {
    ...{ place, key, target, outcome, rules, unmapped },
    recordId: null,
    attachmentIds: [],
    ...(item.people !== null && { matches }),
  };
}

/** The name of a target in the counts. */
export function countedTarget(target: string | null): string {
  return target ?? "unknown";
}

/** Counts outcomes and rules. */
export class OutcomeTotals {
  readonly #counts: Map<string, { -readonly [Name in keyof OutcomeCounts]: OutcomeCounts[Name] }>;
  readonly #rules: Map<string, number>;

  constructor(
    counts: Readonly<Record<string, OutcomeCounts>> = {},
    rules: readonly RuleCount[] = [],
  ) {
    this.#counts = new Map(Object.entries(counts).map(([name, count]) => [name, { ...count }]));
    this.#rules = new Map(rules.map(({ rule, count }) => [rule, count]));
  }

  /** Adds an item, or takes one away. */
  add(
    { target, outcome, rules, matches }: Pick<
      ItemReport,
      "target" | "outcome" | "rules" | "matches"
    >,
    sign: 1 | -1 = 1,
  ): void {
    const name = countedTarget(target);
    const counts = this.#counts.get(name) ??
      {
        ...{ new: 0, unchanged: 0, changed: 0, refused: 0 },
        ...(matches !== undefined && { possibleDuplicate: 0 }),
      };
    const counted = nameOf(outcome);
    counts[counted] = (counts[counted] ?? 0) + sign;
    this.#counts.set(name, counts);
    for (const rule of rules) this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + sign);
  }

  get counts(): Readonly<Record<string, OutcomeCounts>> {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => one < other ? -1 : 1));
  }

  get rules(): RuleCount[] {
    return Array.from(this.#rules, ([rule, count]) => ({ rule, count }))
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => one.rule < other.rule ? -1 : 1);
  }
}

function nameOf(outcome: Outcome): keyof OutcomeCounts {
  if (outcome === "POSSIBLE_DUPLICATE") return "possibleDuplicate";
  return outcome.toLowerCase() as keyof OutcomeCounts;
}

class PlanTotals {
  readonly #context: JudgeContext;
  readonly #hash = createHash("sha256");
  readonly #totals = new OutcomeTotals();
  readonly #needs = new Set<Permission>();
  readonly #newFiles = new Set<string>();
  readonly #knownFiles = new Set<string>();
  readonly #missingFiles = new Set<string>();
  #total = 0;

  constructor(context: JudgeContext, mapping: JsonObject | null) {
    this.#context = context;
    this.#hash.update(canonicalJson(mapping));
  }

  add({ items, known }: JudgedBatch): void {
    for (const judged of items) {
      const { item, outcome, rules } = judged;
      this.#total++;
      this.#totals.add({
        ...{ target: item.target, outcome, rules },
        ...(item.people !== null && { matches: judged.matches }),
      });
      this.#hash.update(`\n${JSON.stringify([item.place, item.key, outcome, rules, item.digest])}`);
      if (outcome !== "REFUSED" && outcome !== "POSSIBLE_DUPLICATE") this.#addNeeds(item, known);
    }
  }

  #addNeeds(item: Item, known: ReadonlyMap<string, string>): void {
    if (item.target !== null) {
      for (const each of this.#context.targets.get(item.target).permissions) this.#needs.add(each);
    }
    if (item.tags.length > 0) this.#needs.add("taxonomy.write");
    for (const file of item.files) {
      const { name, sha256 = "" } = file;
      if (!isUsable(file)) this.#missingFiles.add(name);
      else if (known.has(sha256)) this.#knownFiles.add(sha256);
      else this.#newFiles.add(sha256);
      if (isUsable(file)) this.#needs.add("attachment.write");
    }
  }

  plan(): Plan {
    return {
      counts: this.#totals.counts,
      attachments: {
        new: this.#newFiles.size,
        unchanged: this.#knownFiles.size,
        missing: this.#missingFiles.size,
      },
      rules: this.#totals.rules,
      needs: [...this.#needs],
      digest: this.#hash.digest("hex"),
      total: this.#total,
    };
  }
}
