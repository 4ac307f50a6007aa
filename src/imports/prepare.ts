/** The preparation of an import: its file becomes items, and the items a plan. Nothing is written but its folder. */

import { createHash } from "node:crypto";
import { errorFields } from "../core/log.ts";
import type { Permission } from "../access/permissions.ts";
import { findLostDigests } from "../attachments/known.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { type Archive, isHiddenName } from "./archive/archive.ts";
import type { Converter, SourceItem } from "./converters/converter.ts";
import { withCategories } from "./converters/people.ts";
import { converterOf } from "./converters/converters.ts";
import { Counts } from "./counts.ts";
import { isLeftOut, type ItemReport, OutcomeTotals, reportOf, withoutContent } from "./reports.ts";
import { inBatches } from "./folder.ts";
import { type ImportPatch, type ImportRow, NO_PLAN, refusedState } from "./import.ts";
import { type Item, readItem } from "./item.ts";
import { Coming, isUsable, judge } from "./judge.ts";
import type { JudgeContext, Judged } from "./judged.ts";
import { type OpenedFile, openFile } from "./open_file.ts";
import { MAX_TRIES, refusalOf } from "./failures.ts";
import { FileRefusal, refuseFile } from "./refusal.ts";
import type { ImportWork } from "./work.ts";

/** Maximum items of a file. */
export const MAX_ITEMS = 200_000;
/** Titles of each target in the sample. */
const SAMPLE_TITLES = 10;

export interface SampleItem {
  readonly place: number;
  readonly target: string;
  readonly title: string;
}

/** Reads an import's file and plans its items. */
export async function prepareImport(work: ImportWork, { state }: ImportRow): Promise<void> {
  const begun = await work.move(state, beginTry);
  if (begun.state !== "READING") return;
  const { services: { folder, spool, log }, owner, importId } = work;
  using _metered = folder.metered(importId, spool.meterOf(owner));
  try {
    await work.move("READING", { ...NO_PLAN, ...await readAndPlan(work, begun), state: "PLANNED" });
  } catch (error) {
    const refusal = work.hasEnded(error) ? null : refusalOf(error, work.place);
    if (refusal === null) throw error;
    if (refusal.rule === "import.failed") {
      log.error("import_reading_failed", { importId, ...errorFields(error) });
    }
    await work.move("READING", refusedState(refusal));
  }
}

/** Counts a try before it begins, so that one that a kill ends counts, too. */
function beginTry({ tries }: ImportRow): ImportPatch {
  const begun = tries ?? 0;
  if (begun >= MAX_TRIES) return refusedState(new FileRefusal("import.failed", 0));
  return { state: "READING", tries: begun + 1 };
}

/** Writes the items of a file, with a report for each, and their sample. */
async function readAndPlan(work: ImportWork, row: ImportRow): Promise<ImportPatch> {
  const { services, importId, owner } = work;
  const { database, folder } = services;
  if (!await folder.has(importId, "source")) refuseFile("import.expired", 0);
  const converter = converterOf(row.format);
  const context = work.judging(row);
  using opened = await openFile(folder, importId, converter, true);
  const reader = new ItemReader({ work, context, converter, filename: row.filename, opened });
  const totals = new PlanTotals(context);
  const coming = new Coming();
  await using items = await folder.writer(importId, "items");
  await using reports = await folder.writer(importId, "plan");
  for await (const batch of inBatches(reader.read())) {
    work.signal.throwIfAborted();
    await database.read((sql) => work.assertReading(sql));
    const judged = await database.read((sql) => judge(sql, context, batch, coming));
    const known = new Set(judged.known.keys());
    // A lost file comes in again.
    for (const lost of await findLostDigests(services, owner, [...known])) known.delete(lost);
    for (const each of judged.items) {
      const report = reportOf(each);
      totals.add(each, report, known);
      await items.write(isLeftOut(report) ? withoutContent(each.item) : each.item);
      await reports.write(report);
    }
  }
  await items.end();
  await reports.end();
  await folder.write(importId, "sample", JSON.stringify(reader.sample));
  const hasItems = row.mapping !== null || converter.needsMapping !== true;
  return { ...reader.columns, ...hasItems ? totals.columns : {} };
}

interface ReaderParts {
  readonly work: ImportWork;
  readonly context: JudgeContext;
  readonly converter: Converter;
  readonly filename: string | null;
  readonly opened: OpenedFile;
}

/** Reads the items of a file, and counts what is left out. */
class ItemReader {
  readonly sample: SampleItem[] = [];
  readonly #parts: ReaderParts;
  readonly #unmapped = new Counts();
  readonly #keys = new Set<string>();
  #columns: readonly string[] | null = null;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /** @throws FileRefusal */
  async *read(): AsyncGenerator<Item> {
    const { work, context, converter, filename, opened: { file, archive } } = this.#parts;
    const { source, mapping, targets: { fieldsOf } } = context;
    const input = { file, archive, filename, source, mapping, fieldsOf };
    for await (const converted of converter.convert(input)) {
      work.signal.throwIfAborted();
      if (converted.kind === "columns") this.#columns = converted.columns;
      else if (converted.kind === "left") this.#unmapped.add(converted.name, converted.count);
      else yield await this.#readItem(converted.item);
    }
    if (archive !== null) this.#countLeftOut(archive);
  }

  /** As the columns of an import. */
  get columns(): Pick<ImportRow, "columns" | "unmapped"> {
    const columns = this.#columns === null ? null : JSON.stringify(this.#columns);
    return { columns, unmapped: JSON.stringify(this.#unmapped.names()) };
  }

  async #readItem(source: SourceItem): Promise<Item> {
    const { work, context: { targets, now, mapping }, opened: { archive } } = this.#parts;
    const { services: { folder, maximumItems }, importId } = work;
    const { place = this.#keys.size + 1 } = source;
    work.place = place;
    const members = source.people === undefined
      ? source.members
      : withCategories(source.members, mapping);
    const item = readItem({ ...source, place, members }, archive, targets, now, this.#keys);
    const { key, target, title } = item;
    this.#keys.add(key);
    if (this.#keys.size > maximumItems) refuseFile("import.items", place);
    for (const file of item.files.filter(isUsable)) {
      // A file inside the item's text is kept for the run.
      const own = source.files?.find(({ name }) => name === file.name);
      if (own !== undefined) await folder.write(importId, `file-${file.sha256}`, own.bytes);
    }
    for (const { name } of item.files) archive?.used.add(name);
    for (const name of item.unmapped) this.#unmapped.add(name);
    const count = this.sample.filter((each) => each.target === target).length;
    const isShown = target !== null && title !== "" && count < SAMPLE_TITLES;
    if (isShown) this.sample.push({ place, target, title });
    return item;
  }

  /** Counts files that were not read, and that no item named. */
  #countLeftOut({ entries, links, used }: Archive): void {
    const { leftOut } = this.#parts.converter;
    for (const { name } of entries) {
      if (used.has(name)) continue;
      this.#unmapped.add(isHiddenName(name) ? "file.hidden" : leftOut?.(name) ?? "file.unused");
    }
    this.#unmapped.add("file.link", links);
  }
}

class PlanTotals {
  readonly #context: JudgeContext;
  readonly #hash = createHash("sha256");
  readonly #totals = new OutcomeTotals();
  readonly #needs = new Set<Permission>();
  /** Digests of files, and the names of those that are missing. */
  readonly #files = {
    new: new Set<string>(),
    unchanged: new Set<string>(),
    missing: new Set<string>(),
  };
  #total = 0;

  constructor(context: JudgeContext) {
    this.#context = context;
    this.#hash.update(canonicalJson(context.mapping));
  }

  add({ item, outcome, rules }: Judged, report: ItemReport, known: ReadonlySet<string>) {
    this.#total++;
    this.#totals.add(report);
    this.#hash.update(`\n${JSON.stringify([item.place, item.key, outcome, rules, item.digest])}`);
    if (item.target === null || isLeftOut(report)) return;
    for (const each of this.#context.targets.get(item.target).permissions) this.#needs.add(each);
    if (item.tags.length > 0) this.#needs.add("taxonomy.write");
    for (const file of item.files) {
      const { name, sha256 = "" } = file;
      if (!isUsable(file)) this.#files.missing.add(name);
      else this.#files[known.has(sha256) ? "unchanged" : "new"].add(sha256);
      if (isUsable(file)) this.#needs.add("attachment.write");
    }
  }

  /** As the columns of an import. */
  get columns(): ImportPatch {
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
