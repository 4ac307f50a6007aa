/** The run of an import: batch by batch, until all are done or it is stopped. */

import type { Archive } from "./archive/archive.ts";
import { writeBatch } from "./batch.ts";
import { converterOf } from "./converters/converters.ts";
import { keepOriginal, receiveFiles } from "./files.ts";
import { BATCH_ITEMS, inBatches, type PlannedItem } from "./folder.ts";
import { FileMembers, isGroup } from "./group_members.ts";
import type { ImportRow, TargetCounts } from "./import.ts";
import { canLink, linkItems } from "./links.ts";
import { openFile } from "./open_file.ts";
import { MAX_MATCHES } from "./earlier_people.ts";
import { findStored } from "./people_matches.ts";
import { insertItems, isLeftOut, OutcomeTotals } from "./reports.ts";
import type { ImportWork } from "./work.ts";

/** Minimum items of a transaction: some statements cost the same for any number of items. */
const MIN_ITEMS = 10;
/** Target duration of a transaction. */
const BATCH_MS = 100;
/** Target duration while other requests wait for a connection, as on the built-in engine. */
const AWAITED_BATCH_MS = 40;
/** Number of transactions without a waiting request before the longer duration applies. */
const CALM_BATCHES = 10;

/** Number of items in the next transaction, adapted to the duration of the previous one. */
export class BatchSize {
  items = MIN_ITEMS;
  #calm = 0;

  adapt(items: number, milliseconds: number, isAwaited: boolean): void {
    this.#calm = isAwaited ? 0 : this.#calm + 1;
    const wanted = this.#calm < CALM_BATCHES ? AWAITED_BATCH_MS : BATCH_MS;
    const fitting = Math.floor(items * Math.min(wanted / milliseconds, 2));
    this.items = Math.max(MIN_ITEMS, Math.min(fitting, BATCH_ITEMS));
  }
}

/** Runs an import from its first item that is not done. */
export async function runImport(work: ImportWork, begun: ImportRow): Promise<void> {
  const { services: { folder }, importId } = work;
  if (await folder.planFile(importId) === null || !await folder.has(importId, "items")) {
    await work.move("RUNNING", { state: "STOPPED" });
    return;
  }
  await keepOriginal(work, begun);
  await runBatches(work, begun);
}

async function runBatches(work: ImportWork, begun: ImportRow): Promise<ImportRow> {
  const { services: { folder }, importId } = work;
  using opened = await openFile(folder, importId, converterOf(begun.format), false, work.signal);
  const batchSize = new BatchSize();
  let row = begun;
  for await (const batch of inBatches(remaining(work, row.done), () => batchSize.items)) {
    work.signal.throwIfAborted();
    row = await runBatch(work, row, batch, opened.archive, batchSize);
    if (row.state !== "RUNNING") return row;
  }
  await linkBatches(work, JSON.parse(row.counts));
  return await work.move("RUNNING", { state: "DONE" });
}

/** Links the people of the file after all of them have been written. */
async function linkBatches(work: ImportWork, counts: TargetCounts): Promise<void> {
  const { services: { folder }, importId } = work;
  let cards: FileMembers | null = null;
  for await (const batch of inBatches(folder.items(importId))) {
    const items = batch.filter((item) => canLink(item, counts));
    if (items.length === 0) continue;
    if (items.some(isGroup)) cards ??= await FileMembers.read(folder, importId);
    await work.writeItems("RUNNING", async (writing) => {
      await linkItems(writing, items, cards ?? FileMembers.none);
      return {};
    });
  }
}

async function* remaining(
  { services: { folder }, importId }: ImportWork,
  done: number,
): AsyncGenerator<PlannedItem> {
  let place = 0;
  for await (const planned of folder.plan(importId)) if (++place > done) yield planned;
}

async function runBatch(
  work: ImportWork,
  before: ImportRow,
  batch: readonly PlannedItem[],
  archive: Archive | null,
  batchSize: BatchSize,
): Promise<ImportRow> {
  const files = await receiveFiles(work, batch, archive);
  return await work.writeItems("RUNNING", async (writing, row) => {
    const began = performance.now();
    if (row.done !== before.done) throw new Error("An import is run by two processes");
    // The owner has not seen outcomes of the items that the plan leaves out.
    const items = batch.filter(({ planned }) => !isLeftOut(planned)).map(({ item }) => item);
    const written = await writeBatch(writing, items, files);
    const byPlace = new Map(written.map((report) => [report.place, report]));
    const held = batch.filter(({ planned }) => planned.outcome === "POSSIBLE_DUPLICATE")
      .map(({ item }) => item);
    const storedOf = await findStored(writing.sql, writing.context, held);
    const reports = batch.map(({ item, planned }) => {
      if (!held.includes(item)) return byPlace.get(planned.place) ?? planned;
      // Includes people of this run.
      const matches = new Set([...planned.matches ?? [], ...storedOf(item)]);
      return { ...planned, matches: [...matches].slice(0, MAX_MATCHES) };
    });
    await insertItems(writing.sql, work.owner, work.importId, reports);
    const totals = new OutcomeTotals(JSON.parse(row.counts), JSON.parse(row.rules));
    for (const { planned } of batch) totals.add(planned, -1);
    for (const report of reports) totals.add(report);
    const isAwaited = work.services.database.connections().waiting > 0;
    batchSize.adapt(batch.length, performance.now() - began, isAwaited);
    return { ...totals.columns, done: row.done + batch.length };
  });
}
