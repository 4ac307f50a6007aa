/** Prepares an import: reads the items of its file and plans them. Writes only to its folder. */

import { createHash } from "node:crypto";
import { sha256Hex } from "../core/digest.ts";
import { errorFields } from "../core/log.ts";
import type { JsonObject } from "../core/json.ts";
import type { Permission } from "../access/permissions.ts";
import { findLostDigests } from "../attachments/import_port.ts";
import { canonicalJson } from "../validate/canonical.ts";
import type { Converter } from "./converters/converter.ts";
import { converterOf } from "./converters/converters.ts";
import { signsOf } from "./converters/signs.ts";
import { isLeftOut, type ItemReport, OutcomeTotals, reportOf, withoutContent } from "./reports.ts";
import { inBatches } from "./folder.ts";
import { type ImportPatch, type ImportRow, NO_PLAN, refusedState } from "./import.ts";
import type { Item } from "./item.ts";
import { isUsable } from "./item_files.ts";
import { ItemReader } from "./item_reader.ts";
import { decideItems, EarlierItems } from "./decide_items.ts";
import { textsOf, uidsOf } from "./earlier_people.ts";
import type { DecisionContext, ItemDecision } from "./decision.ts";
import { DigestCounts } from "./digest_counts.ts";
import { countIncomplete, isGroup } from "./group_members.ts";
import { InnerFiles } from "./inner_files.ts";
import { openFile } from "./open_file.ts";
import { Questions } from "./questions.ts";
import { entryBytes, type ReadingBudget } from "./reading_budget.ts";
import { MAX_TRIES, refusalOf } from "./failures.ts";
import { FileRefusal, refuseFile } from "./refusal.ts";
import type { ImportWork } from "./work.ts";

/** Maximum items of a file. */
export const MAX_ITEMS = 200_000;

/** Reads an import's file and plans its items. */
export async function prepareImport(work: ImportWork, { state }: ImportRow): Promise<void> {
  const begun = await work.move(state, beginTry);
  if (begun.state !== "READING") return;
  const { services: { folder, spools, log }, owner, importId } = work;
  using _metered = folder.metered(importId, spools.meterOf(owner));
  try {
    await work.move("READING", { ...NO_PLAN, ...await readAndPlan(work, begun), state: "PLANNED" });
  } catch (error) {
    const refusal = work.hasEnded(error) ? null : refusalOf(error, work.place);
    if (refusal === null) throw error;
    if (refusal.rule === "import.failed") {
      log.error("import_reading_failed", { importId, ...errorFields(error) });
    }
    await work.move("READING", ({ looks_like }) => ({
      ...refusedState(refusal),
      rules: JSON.stringify(signRules(looks_like).map((rule) => ({ rule, count: 1 }))),
    }));
  }
}

/** The rules of an import whose file has signs of other formats. */
function signRules(looksLike: string | null): readonly string[] {
  return looksLike === null ? [] : ["import.looks_like"];
}

/** Counts a try before it begins, so that one ended by a kill counts as well. */
function beginTry({ tries }: ImportRow): ImportPatch {
  const begun = tries ?? 0;
  if (begun >= MAX_TRIES) return refusedState(new FileRefusal("import.failed", 0));
  return { state: "READING", tries: begun + 1 };
}

/** Writes the items of a file, the report of each, and the sample. */
async function readAndPlan(work: ImportWork, row: ImportRow): Promise<ImportPatch> {
  const { services, importId, owner, signal } = work;
  const { database, folder } = services;
  if (!await folder.has(importId, "source")) refuseFile("import.expired", 0);
  const converter = converterOf(row.format);
  const context = work.decisionContext(row);
  using opened = await openFile(folder, importId, converter, true, signal);
  const { budget } = opened.file;
  const others = (await signsOf(opened)).filter((format) => format !== row.format);
  const looksLike = others.length === 0 ? null : JSON.stringify(others);
  // A refusal keeps the signs.
  await work.move("READING", { looks_like: looksLike });
  using innerFiles = new InnerFiles(folder, importId, budget);
  const { filename } = row;
  const reader = new ItemReader({ work, context, converter, filename, opened, innerFiles });
  const totals = new PlanTotals(context, budget);
  const earlier = new EarlierItems();
  let hasGroups = false;
  const questions = new Questions();
  await using items = await folder.writer(importId, "items");
  await using reports = await folder.writer(importId, "reports");
  for await (const batch of inBatches(reader.read())) {
    await database.read((sql) => work.assertReading(sql));
    const tags = earlier.tags.size;
    const decisions = await budget.wait(() =>
      database.read((sql) => decideItems(sql, context, batch, earlier))
    );
    budget.hold((earlier.tags.size - tags) * TAG_BYTES, work.place);
    const known = new Set(decisions.known.keys());
    // A lost file is imported again.
    for (const lost of await findLostDigests(services, owner, [...known])) known.delete(lost);
    for (const each of decisions.items) {
      const report = reportOf(each);
      totals.add(each, report, known);
      reader.countLeftOut(each.leftOut.filter((name) => !each.item.unmapped.includes(name)));
      questions.add(each);
      holdPeople(each.item, budget);
      hasGroups ||= isGroup(each.item);
      await budget.wait(() =>
        items.write(isLeftOut(report) ? withoutContent(each.item) : each.item)
      );
      await budget.wait(() => reports.write(report));
    }
  }
  await items.end();
  await folder.endPlan(importId, reports);
  if (hasGroups) {
    const hold = (text: string, place: number) => budget.hold(entryBytes(text), place);
    const read = database.read.bind(database);
    const count = await countIncomplete(read, folder, context, hold);
    reader.countLeftOut(Array.from({ length: count }, () => "MEMBER"));
  }
  await folder.write(importId, "sample", JSON.stringify(reader.sample));
  await folder.write(importId, "groups", JSON.stringify(reader.groups));
  const asked = await questions.withEarlier(folder.items(importId));
  await folder.write(importId, "questions", JSON.stringify(asked));
  const isPlanned = canPlan(converter, context.mapping);
  return { ...reader.columns, ...isPlanned ? totals.columns(signRules(looksLike)) : {} };
}

/** Whether the mapping is enough for a plan. */
function canPlan({ mapping: of }: Converter, mapping: JsonObject | null): boolean {
  return mapping === null ? of?.isRequired !== true : of?.isPartial?.(mapping) !== true;
}

/** Bytes in memory of the name of a planned tag. */
const TAG_BYTES = 300;

/** Counts the memory of people with whom later items are compared. */
function holdPeople(item: Item, budget: ReadingBudget): void {
  const { place, key, people } = item;
  if (people === null) return;
  for (const text of [key, ...textsOf(item), ...uidsOf(item)]) {
    budget.hold(entryBytes(text), place);
  }
}

class PlanTotals {
  readonly #context: DecisionContext;
  readonly #hash = createHash("sha256");
  readonly #totals = new OutcomeTotals();
  readonly #needs = new Set<Permission>();
  /** Distinct files; missing ones by the digests of their names. */
  readonly #files: Readonly<Record<"new" | "unchanged" | "missing", DigestCounts>>;
  #total = 0;

  constructor(context: DecisionContext, budget: ReadingBudget) {
    this.#context = context;
    this.#files = {
      new: new DigestCounts(budget),
      unchanged: new DigestCounts(budget),
      missing: new DigestCounts(budget),
    };
    this.#hash.update(canonicalJson(context.mapping));
  }

  add({ item, outcome, rules }: ItemDecision, report: ItemReport, known: ReadonlySet<string>) {
    this.#total++;
    this.#totals.add(report);
    this.#hash.update(`\n${JSON.stringify([item.place, item.key, outcome, rules, item.digest])}`);
    if (item.target === null || isLeftOut(report)) return;
    for (const each of this.#context.targets.get(item.target).permissions) this.#needs.add(each);
    if (item.tags.length > 0) this.#needs.add("taxonomy.write");
    for (const file of item.files) {
      const { name, sha256 = "" } = file;
      if (!isUsable(file)) this.#files.missing.add(sha256Hex(name), item.place);
      else this.#files[known.has(sha256) ? "unchanged" : "new"].add(sha256, item.place);
      if (isUsable(file)) this.#needs.add("attachment.write");
    }
  }

  /** @param rules Rules of the import itself. */
  columns(rules: readonly string[]): ImportPatch {
    for (const rule of rules) this.#totals.addRule(rule);
    if (this.#totals.isNothing) this.#totals.addRule("import.nothing");
    const counts = Object.entries(this.#files).map(([name, files]) => [name, files.size]);
    return {
      ...this.#totals.columns,
      attachments: JSON.stringify(Object.fromEntries(counts)),
      needs: JSON.stringify([...this.#needs]),
      plan: this.#hash.digest("hex"),
      total: this.#total,
    };
  }
}
