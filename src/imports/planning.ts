/** The second half of an import's preparation: what is to come of each item. Nothing is written but the plan. */

import { createHash } from "node:crypto";
import type { Permission } from "../access/permissions.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { OutcomeTotals } from "./counts.ts";
import type { FileCounts, ImportRow } from "./import.ts";
import type { ImportPatch } from "./import_store.ts";
import type { ItemReport } from "./item_store.ts";
import type { Item } from "./item.ts";
import { isUsable, judge, nothingComing } from "./judge.ts";
import type { JudgeContext, Judged } from "./judged.ts";
import { inBatches, readValues } from "./line_reader.ts";
import type { ImportWork } from "./work.ts";

/** Plans the items that were read, and writes a report for each. */
export async function planItems(work: ImportWork, row: ImportRow): Promise<ImportPatch> {
  const { services: { database, folder }, importId } = work;
  const context = work.judging(row);
  const totals = new PlanTotals(context);
  const coming = nothingComing();
  const shared: SharedItem[] = [];
  await using reports = await folder.writer(importId, "plan");
  for await (const items of inBatches(readValues<Item>(folder.path(importId, "items")))) {
    work.assertGoing();
    const batch = await database.read((sql) => judge(sql, context, items, coming));
    for (const judged of batch.items) {
      const report = reportOf(judged);
      totals.add(judged, report, batch.known);
      await reports.write(report);
      if (judged.shared.length > 0) shared.push({ key: judged.item.key, with: judged.shared });
    }
  }
  await reports.end();
  await folder.write(importId, "shared", JSON.stringify(shared));
  return totals.plan();
}

/** An item that shares an email or number with earlier items of the file. */
export interface SharedItem {
  readonly key: string;
  /** Keys. */
  readonly with: readonly string[];
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

class PlanTotals {
  readonly #context: JudgeContext;
  readonly #hash = createHash("sha256");
  readonly #totals = new OutcomeTotals();
  readonly #needs = new Set<Permission>();
  readonly #newFiles = new Set<string>();
  readonly #knownFiles = new Set<string>();
  readonly #missingFiles = new Set<string>();
  #total = 0;

  constructor(context: JudgeContext) {
    this.#context = context;
    this.#hash.update(canonicalJson(context.mapping));
  }

  add({ item, outcome, rules }: Judged, report: ItemReport, known: ReadonlyMap<string, string>) {
    this.#total++;
    this.#totals.add(report);
    this.#hash.update(`\n${JSON.stringify([item.place, item.key, outcome, rules, item.digest])}`);
    if (item.target === null || outcome === "REFUSED" || outcome === "POSSIBLE_DUPLICATE") return;
    for (const each of this.#context.targets.get(item.target).permissions) this.#needs.add(each);
    if (item.tags.length > 0) this.#needs.add("taxonomy.write");
    for (const file of item.files) {
      const { name, sha256 = "" } = file;
      if (!isUsable(file)) this.#missingFiles.add(name);
      else if (known.has(sha256)) this.#knownFiles.add(sha256);
      else this.#newFiles.add(sha256);
      if (isUsable(file)) this.#needs.add("attachment.write");
    }
  }

  plan(): ImportPatch {
    const attachments: FileCounts = {
      new: this.#newFiles.size,
      unchanged: this.#knownFiles.size,
      missing: this.#missingFiles.size,
    };
    return {
      ...this.#totals.columns,
      attachments: JSON.stringify(attachments),
      needs: JSON.stringify([...this.#needs]),
      plan: this.#hash.digest("hex"),
      total: this.#total,
    };
  }
}
