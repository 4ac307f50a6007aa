/** Moves the files of items from the import's folder to the attachments. */

import {
  addAttachments,
  findByDigest,
  findLostDigests,
  isFilename,
  MAX_ATTACHMENT_BYTES,
  type ReceivedObject,
  type StoredAttachment,
} from "../attachments/import_port.ts";
import { newId } from "../core/ids.ts";
import { type Archive, baseNameOf } from "./archive/archive.ts";
import { FileSource } from "./archive/file_source.ts";
import type { PlannedItem } from "./folder.ts";
import type { ImportRow } from "./import.ts";
import { isUsable, type ItemFile } from "./item_files.ts";
import { mediaTypeOf } from "./media_types.ts";
import { willBeWritten } from "./decision.ts";
import { isLeftOut } from "./reports.ts";
import type { ImportWork } from "./work.ts";

/** An attachment whose bytes are stored, without its identifier. */
type ReceivedFile = Omit<StoredAttachment, "attachmentId" | "createdAt">;

/** The files of a batch, by digest. */
export type ReceivedFiles = ReadonlyMap<string, ReceivedFile>;

/**
 * Stores the bytes of the plan's files that the owner lacks, and those of lost attachments, also
 * for unchanged items. Other requests wait for the transaction on the built-in engine, so the bytes
 * are stored before it; if it fails, they stay unused until the batch is repeated.
 */
export async function receiveFiles(
  work: ImportWork,
  batch: readonly PlannedItem[],
  archive: Archive | null,
): Promise<ReceivedFiles> {
  const { services, owner } = work;
  const usable = batch.filter(({ planned }) => !isLeftOut(planned))
    .flatMap(({ item, planned }) =>
      item.files.filter(isUsable).map((file) => ({ file, isNew: willBeWritten(planned) }))
    );
  const digests = [...new Set(usable.map(({ file: { sha256 = "" } }) => sha256))];
  const known = await services.database.read((sql) => findByDigest(sql, owner, digests));
  const lost = await findLostDigests(services, owner, digests);
  const files = new Map<string, ReceivedFile>();
  for (const { file, isNew } of usable) {
    const { sha256 = "", filename = file.name, mediaType = mediaTypeOf(filename) } = file;
    const isWanted = known.has(sha256) ? lost.has(sha256) : isNew;
    const bytes = isWanted && !files.has(sha256) ? bytesOf(work, file, archive) : null;
    if (bytes === null) continue;
    work.signal.throwIfAborted();
    await receive(work, bytes, mediaType, filename, async (own, store) => {
      if (own.sha256 !== sha256) throw new Error("An import's archive changed");
      await services.database.transaction(({ sql }) => store(sql));
      files.set(sha256, own);
    });
  }
  return files;
}

/** Stores the uploaded file as an attachment when the run begins, once for the same bytes. */
export async function keepOriginal(work: ImportWork, row: ImportRow): Promise<void> {
  const { owner, importId } = work;
  const isKept = row.keep_original && row.size <= MAX_ATTACHMENT_BYTES;
  if (!isKept || row.original_attachment_id !== null) return;
  const path = work.services.folder.path(importId, "source");
  const type = "application/octet-stream";
  await receive(work, fileBytes(path), type, `import-${importId}`, async (file, store) => {
    const command = await work.command("import.original", true);
    await work.write(command, async (sql, current) => {
      if (current.state !== "RUNNING" || current.original_attachment_id !== null) return null;
      const present = (await findByDigest(sql, owner, [file.sha256])).get(file.sha256);
      if (present !== undefined) {
        // The bytes of the stored attachment may be lost.
        await store(sql);
        return { original_attachment_id: present };
      }
      const attachmentId = newId(command.now);
      const createdAt = command.now.toISOString();
      await addAttachments(sql, owner, [{ ...file, attachmentId, createdAt }]);
      await store(sql);
      return { original_attachment_id: attachmentId };
    });
  });
}

/** Receives the bytes of a file for `use`; discards them unless it stores them. */
async function receive(
  { services: { objects }, owner }: ImportWork,
  bytes: AsyncIterable<Uint8Array>,
  mediaType: string,
  path: string,
  use: (file: ReceivedFile, store: ReceivedObject["store"]) => Promise<void>,
): Promise<void> {
  const stream = ReadableStream.from(bytes);
  const object = await objects.receive(owner, stream, MAX_ATTACHMENT_BYTES);
  try {
    const { size, sha256 } = object;
    const file = { size, sha256, mediaType, filename: filenameOf(path) };
    await use(file, object.store);
  } finally {
    await object.discard();
  }
}

/**
 * The bytes of a file inside an item's text, or in the archive. Null for an archive that the
 * release of the plan read as a file, and this one as a part.
 */
function bytesOf(
  { services: { folder }, importId }: ImportWork,
  { name, path, sha256, mediaType }: ItemFile,
  archive: Archive | null,
): AsyncIterable<Uint8Array> | null {
  const isInText = path === undefined && mediaType !== undefined;
  if (isInText) return fileBytes(folder.path(importId, `file-${sha256}`));
  return archive?.find(path ?? name)?.bytes() ?? null;
}

async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  using file = await FileSource.open(path);
  yield* file.stream();
}

function filenameOf(path: string): string {
  const name = baseNameOf(path);
  return isFilename(name) ? name : "file";
}
