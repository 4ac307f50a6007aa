/** The run of an import: batch by batch, until all are done or it is stopped. */

import { MAX_ATTACHMENT_BYTES } from "../attachments/attachment.ts";
import { addAttachments, findByDigest } from "../attachments/known.ts";
import type { ReceivedObject } from "../attachments/object_store.ts";
import { newId } from "../core/ids.ts";
import { databaseFailure } from "../database/failures.ts";
import { ERROR_CODES } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Archive } from "./archive/archive.ts";
import { FileSource } from "./archive/byte_source.ts";
import {
  BATCH_ITEMS,
  MissingFileError,
  type ReceivedFile,
  type ReceivedFiles,
  writeBatch,
} from "./batch.ts";
import { converterOf } from "./converters/converters.ts";
import type { ImportRow } from "./import.ts";
import { insertItems, type ItemReport } from "./item_store.ts";
import type { Item, ItemFile } from "./item.ts";
import type { BatchContext } from "./judged.ts";
import { isUsable, judge, nothingComing } from "./judge.ts";
import { canLink, linkItems } from "./links.ts";
import { inBatches, type ReadLine, readValues } from "./line_reader.ts";
import { filenameOf, mediaTypeOf } from "./media_types.ts";
import { openFile } from "./open_file.ts";
import { OutcomeTotals } from "./planning.ts";
import type { ImportWork } from "./work.ts";

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
  let row = begun;
  for await (const batch of plannedBatches(work, row.done)) {
    work.assertGoing();
    row = await runBatch(work, row, batch, opened.archive);
    if (row.state !== "RUNNING") return row;
  }
  await linkBatches(work);
  return await work.move("RUNNING", { state: "DONE" });
}

/** Links the people of the file, who are all there. */
async function linkBatches(work: ImportWork): Promise<void> {
  const { services: { folder }, importId } = work;
  const values = readValues<Item>(folder.path(importId, "items"));
  for await (const batch of inBatches(values, BATCH_ITEMS)) {
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
async function* plannedBatches(work: ImportWork, done: number): AsyncGenerator<PlannedItem[]> {
  const { services: { folder }, importId } = work;
  const plans = readValues<ItemReport>(folder.path(importId, "plan"));
  let batch: PlannedItem[] = [];
  let place = 0;
  for await (const { value: item } of readValues<Item>(folder.path(importId, "items"))) {
    const next: IteratorResult<ReadLine<ItemReport>> = await plans.next();
    if (next.done) throw new Error("A plan is shorter than its items");
    if (++place <= done) continue;
    batch.push({ item, planned: next.value.value });
    if (batch.length < BATCH_ITEMS) continue;
    yield batch;
    batch = [];
  }
  await plans.return(undefined);
  if (batch.length > 0) yield batch;
}

async function runBatch(
  work: ImportWork,
  before: ImportRow,
  batch: readonly PlannedItem[],
  archive: Archive | null,
): Promise<ImportRow> {
  while (true) {
    work.assertGoing();
    await using received = await receiveFiles(work, before, batch.map(({ item }) => item), archive);
    try {
      return await commitBatch(work, before, batch, received.files);
    } catch (error) {
      if (!(error instanceof MissingFileError)) throw error;
    }
  }
}

async function commitBatch(
  work: ImportWork,
  before: ImportRow,
  batch: readonly PlannedItem[],
  received: ReceivedFiles,
): Promise<ImportRow> {
  const { owner, importId } = work;
  const command = await work.command("import.item", true);
  return await work.write(command, async (sql, row) => {
    if (row.state !== "RUNNING") return null;
    // Another process has gone on with the import.
    if (row.done !== before.done) throw new Error("An import is run by two processes");
    const context = { ...contextOf(work, row, command), held: heldKeys(batch) };
    const reports = await writeBatch(sql, context, batch.map(({ item }) => item), received);
    await insertItems(sql, owner, importId, reports);
    const totals = new OutcomeTotals(JSON.parse(row.counts), JSON.parse(row.rules));
    for (const { planned } of batch) totals.add(planned, -1);
    for (const report of reports) totals.add(report);
    const done = row.done + batch.length;
    return {
      counts: JSON.stringify(totals.counts),
      rules: JSON.stringify(totals.rules),
      done,
    };
  });
}

/** Keys of possible duplicates. */
function heldKeys(batch: readonly PlannedItem[]): ReadonlySet<string> {
  return new Set(
    batch.filter(({ planned: { outcome } }) => outcome === "POSSIBLE_DUPLICATE")
      .map(({ item: { key } }) => key),
  );
}

function contextOf(
  { services: { targets, catalog }, owner, importId }: ImportWork,
  { source, mapping }: ImportRow,
  command: BatchContext["command"],
): BatchContext {
  return {
    ...{ owner, importId, source: source ?? "", now: command.now, targets, catalog, command },
    mapping: mapping === null ? null : JSON.parse(mapping),
  };
}

/** Files of a batch on the disk; those that are not in their places are thrown away. */
interface HeldFiles extends AsyncDisposable {
  readonly files: ReceivedFiles;
}

/** Receives the files that the items will need and that the owner does not have. */
async function receiveFiles(
  work: ImportWork,
  row: ImportRow,
  items: readonly Item[],
  archive: Archive | null,
): Promise<HeldFiles> {
  const { services: { database, objects, targets }, owner } = work;
  const files = new Map<string, ReceivedFile>();
  const held: HeldFiles = {
    files,
    async [Symbol.asyncDispose]() {
      for (const { object } of files.values()) await object.discard();
    },
  };
  if (!items.some((item) => item.files.some(isUsable))) return held;
  const mapping = row.mapping === null ? null : JSON.parse(row.mapping);
  const context = { owner, source: row.source ?? "", now: work.now, targets, mapping };
  const { items: judged, known } = await database.read((sql) =>
    judge(sql, context, items, nothingComing())
  );
  try {
    for (const { item, outcome } of judged) {
      if (outcome !== "NEW" && outcome !== "CHANGED") continue;
      for (const file of item.files.filter(isUsable)) {
        const { name, sha256 = "", mediaType, filename } = file;
        if (known.has(sha256) || files.has(sha256)) continue;
        work.assertGoing();
        const object = await objects.receive(streamOf(work, file, archive), MAX_ATTACHMENT_BYTES);
        files.set(sha256, {
          object,
          mediaType: mediaType ?? mediaTypeOf(filename ?? name),
          filename: filenameOf(filename ?? name),
        });
        assertSame(object, sha256);
        // Before the transaction, which other requests wait for on the built-in engine. If it fails, the bytes
        // stay unused until the batch is repeated.
        await object.store(owner);
      }
    }
    return held;
  } catch (error) {
    await held[Symbol.asyncDispose]();
    throw error;
  }
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

function assertSame(object: ReceivedObject, sha256: string): void {
  if (object.sha256 !== sha256) throw new Error("An import's archive changed");
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
