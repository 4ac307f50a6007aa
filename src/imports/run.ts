/** The run of an import: batch by batch, until all are done or it is stopped. */

import { MAX_ATTACHMENT_BYTES } from "../attachments/attachment.ts";
import { addAttachments, findByDigest } from "../attachments/known.ts";
import { newId } from "../core/ids.ts";
import { databaseFailure } from "../database/failures.ts";
import type { Sql } from "../database/sql.ts";
import { ERROR_CODES } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Archive } from "./archive/archive.ts";
import { FileSource } from "./archive/byte_source.ts";
import { type ReceivedFile, type ReceivedFiles, writeBatch } from "./batch.ts";
import { converterOf } from "./converters/converters.ts";
import type { ImportRow } from "./import.ts";
import { insertItems, type ItemReport } from "./item_store.ts";
import type { Item, ItemFile } from "./item.ts";
import { type BatchContext, comesIn } from "./judged.ts";
import { isUsable } from "./judge.ts";
import { canLink, linkItems } from "./links.ts";
import { BATCH_ITEMS, inBatches, type ReadLine, readValues } from "./line_reader.ts";
import { filenameOf, mediaTypeOf } from "./media_types.ts";
import { openFile } from "./open_file.ts";
import { OutcomeTotals } from "./counts.ts";
import { findStored, MAX_MATCHES } from "./people_judge.ts";
import type { ImportWork } from "./work.ts";

/** Items of the first transaction, whose statements the database has not seen yet. */
const FIRST_ITEMS = 10;
/** Fewer would not be faster on a busy machine, where each statement waits, whatever it writes. */
const MIN_ITEMS = 50;
/** How long a transaction should last: on the built-in engine other requests wait for it. */
const BATCH_MS = 100;

/** An item and what was planned for it. */
interface PlannedItem {
  readonly item: Item;
  readonly planned: ItemReport;
}

/** Runs an import from its first item that is not done. */
export async function runImport(work: ImportWork, begun: ImportRow): Promise<void> {
  const { services: { folder }, importId } = work;
  if (!await folder.has(importId, "plan") || !await folder.has(importId, "items")) {
    await work.move("RUNNING", { state: "STOPPED" });
    return;
  }
  try {
    await keepOriginal(work, begun);
    const row = await runBatches(work, begun);
    if (row.state === "DONE") await folder.remove(importId);
  } catch (error) {
    if (!isFinal(error)) throw error;
    await work.move("RUNNING", { state: "STOPPED" });
    throw error;
  }
}

/** Whether a repetition would fail alike: the account is full, or a row breaks a rule of its table. */
function isFinal(error: unknown): boolean {
  if (error instanceof ServiceError) return ERROR_CODES[error.code].status < 500;
  return /^(?:22|23|PRS)/.test(databaseFailure(error)?.sqlstate ?? "");
}

async function runBatches(work: ImportWork, begun: ImportRow): Promise<ImportRow> {
  const { services: { folder }, importId } = work;
  using opened = await openFile(folder, importId, converterOf(begun.format), false);
  const size = { items: FIRST_ITEMS };
  let row = begun;
  for await (const batch of plannedBatches(work, row.done, size)) {
    work.assertGoing();
    const began = performance.now();
    row = await runBatch(work, row, batch, opened.archive);
    if (row.state !== "RUNNING") return row;
    const fitting = Math.floor(batch.length * BATCH_MS / (performance.now() - began));
    size.items = Math.max(MIN_ITEMS, Math.min(fitting, BATCH_ITEMS));
  }
  await linkBatches(work);
  return await work.move("RUNNING", { state: "DONE" });
}

/** Links the people of the file, who are all there. */
async function linkBatches(work: ImportWork): Promise<void> {
  const { services: { folder }, importId } = work;
  const values = readValues<Item>(folder.path(importId, "items"));
  for await (const batch of inBatches(values)) {
    const items = batch.filter(canLink);
    if (items.length === 0) continue;
    const command = await work.command("import.item", true);
    await work.write(command, async (sql, row) => {
      if (row.state !== "RUNNING") return null;
      await linkItems(sql, contextOf(work, row, command), items);
      return {};
    });
  }
}

/** The items that are not done yet, each with its plan. */
async function* plannedBatches(
  work: ImportWork,
  done: number,
  size: { readonly items: number },
): AsyncGenerator<PlannedItem[]> {
  const { services: { folder }, importId } = work;
  await using plans = readValues<ItemReport>(folder.path(importId, "plan"));
  let batch: PlannedItem[] = [];
  let place = 0;
  for await (const { value: item } of readValues<Item>(folder.path(importId, "items"))) {
    const next: IteratorResult<ReadLine<ItemReport>> = await plans.next();
    if (next.done) throw new Error("A plan is shorter than its items");
    if (++place <= done) continue;
    batch.push({ item, planned: next.value.value });
    if (batch.length < size.items) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function runBatch(
  work: ImportWork,
  before: ImportRow,
  batch: readonly PlannedItem[],
  archive: Archive | null,
): Promise<ImportRow> {
  await using received = await receiveFiles(work, batch, archive);
  const command = await work.command("import.item", true);
  return await work.write(command, async (sql, row) => {
    if (row.state !== "RUNNING") return null;
    // Another process has gone on with the import.
    if (row.done !== before.done) throw new Error("An import is run by two processes");
    // The plan's owner has not seen what would come of items that it left out.
    const items = batch.filter(({ planned }) => !isLeftOut(planned)).map(({ item }) => item);
    const written = await writeBatch(sql, contextOf(work, row, command), items, received.files);
    const known = [...await leftOut(sql, work.owner, batch), ...written];
    const byPlace = new Map(known.map((report) => [report.place, report]));
    const reports = batch.map(({ planned }) => byPlace.get(planned.place) ?? planned);
    await insertItems(sql, work.owner, work.importId, reports);
    const totals = new OutcomeTotals(JSON.parse(row.counts), JSON.parse(row.rules));
    for (const { planned } of batch) totals.add(planned, -1);
    for (const report of reports) totals.add(report);
    return { ...totals.columns, done: row.done + batch.length };
  });
}

function isLeftOut({ outcome }: ItemReport): boolean {
  return outcome === "REFUSED" || outcome === "POSSIBLE_DUPLICATE";
}

/** Reports of possible duplicates, also of people whom the run brought. */
async function leftOut(
  sql: Sql,
  owner: string,
  batch: readonly PlannedItem[],
): Promise<readonly ItemReport[]> {
  const held = batch.filter(({ planned }) => planned.outcome === "POSSIBLE_DUPLICATE");
  const storedOf = await findStored(sql, owner, held.map(({ item }) => item));
  return held.map(({ item, planned }) => {
    const matches = new Set([...planned.matches ?? [], ...storedOf(item)]);
    return { ...planned, matches: [...matches].slice(0, MAX_MATCHES) };
  });
}

function contextOf(
  work: ImportWork,
  row: ImportRow,
  command: BatchContext["command"],
): BatchContext {
  const { services: { catalog }, importId } = work;
  return { ...work.judging(row, command.now), importId, catalog, command };
}

/** Files of a batch on the disk; those that are not in their places are thrown away. */
interface HeldFiles extends AsyncDisposable {
  readonly files: ReceivedFiles;
}

/**
 * Receives the files that the plan brings in and that the owner does not have. They are in their places before
 * the transaction, which other requests wait for on the built-in engine; if it fails, the bytes stay unused
 * until the batch is repeated.
 */
async function receiveFiles(
  work: ImportWork,
  batch: readonly PlannedItem[],
  archive: Archive | null,
): Promise<HeldFiles> {
  const { services: { database, objects }, owner } = work;
  const wanted = batch.filter(({ planned }) => comesIn(planned))
    .flatMap(({ item }) => item.files).filter(isUsable);
  const digests = [...new Set(wanted.map(({ sha256 = "" }) => sha256))];
  const known = await database.read((sql) => findByDigest(sql, owner, digests));
  const files = new Map<string, ReceivedFile>();
  await using held = new AsyncDisposableStack();
  for (const file of wanted) {
    const { sha256 = "", mediaType, filename = file.name } = file;
    if (known.has(sha256) || files.has(sha256)) continue;
    work.assertGoing();
    const object = await objects.receive(streamOf(work, file, archive), MAX_ATTACHMENT_BYTES);
    held.defer(() => object.discard());
    if (object.sha256 !== sha256) throw new Error("An import's archive changed");
    files.set(sha256, {
      object,
      mediaType: mediaType ?? mediaTypeOf(filename),
      filename: filenameOf(filename),
    });
    await object.store(owner);
  }
  const received = held.move();
  return { files, [Symbol.asyncDispose]: () => received.disposeAsync() };
}

/** The bytes of a file inside an item's text, or in the archive. */
function streamOf(
  { services: { folder }, importId }: ImportWork,
  { name, sha256, mediaType }: ItemFile,
  archive: Archive | null,
): ReadableStream<Uint8Array> {
  if (mediaType !== undefined) {
    return ReadableStream.from(fileChunks(folder.path(importId, `file-${sha256}`)));
  }
  const entry = archive?.find(name);
  if (archive === null || entry === undefined) throw new Error("An import's archive lost a file");
  return ReadableStream.from(archive.read(entry));
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  using file = await FileSource.open(path);
  yield* file.stream(0, file.size);
}

/** Keeps the file as an attachment when the run begins, once for the same bytes. */
async function keepOriginal(work: ImportWork, row: ImportRow): Promise<void> {
  const { services: { folder, objects }, owner, importId } = work;
  const isKept = row.keep_original && row.size <= MAX_ATTACHMENT_BYTES;
  if (!isKept || row.original_attachment_id !== null) return;
  using file = await FileSource.open(folder.path(importId, "source"));
  const object = await objects.receive(
    ReadableStream.from(file.stream(0, file.size)),
    MAX_ATTACHMENT_BYTES,
  );
  try {
    const command = await work.command("import.original", true);
    await work.write(command, async (sql, current) => {
      if (current.state !== "RUNNING" || current.original_attachment_id !== null) return null;
      const known = await findByDigest(sql, owner, [object.sha256]);
      const present = known.get(object.sha256);
      if (present !== undefined) return { original_attachment_id: present };
      const attachmentId = newId(command.now);
      await addAttachments(sql, owner, [{
        attachmentId,
        size: object.size,
        sha256: object.sha256,
        mediaType: "application/octet-stream",
        filename: `import-${importId}`,
        createdAt: command.now.toISOString(),
      }]);
      await object.store(owner);
      return { original_attachment_id: attachmentId };
    });
  } finally {
    await object.discard();
  }
}
