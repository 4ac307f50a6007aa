/** Checks the format of an uploaded file and detects its source, before the import is stored. */

import { Buffer } from "node:buffer";
import { ServiceError } from "../errors/service_error.ts";
import type { ByteSource, FileSource } from "./archive/file_source.ts";
import { beginsLikeTar, readTar } from "./archive/tar.ts";
import { beginsLikeZip, readZip } from "./archive/zip.ts";
import { converterOf } from "./converters/converters.ts";
import { signsOf } from "./converters/signs.ts";
import { refuseNul } from "./converters/lines.ts";
import { kindOf } from "./open_file.ts";
import { FileRefusal } from "./refusal.ts";

/** Bytes that are checked while the rest arrives. */
const HEAD_BYTES = 64 * 1024;

/**
 * Returns the source of a file that begins like its format; null if a damaged archive hides it.
 *
 * @throws ServiceError `HTTP_415`, rule `import.format`.
 */
export async function detectSource(
  file: FileSource,
  { format, name }: { readonly format: string; readonly name: string | null },
): Promise<string | null> {
  const converter = converterOf(format);
  try {
    const kind = await kindOf(file, converter);
    if (converter.sourceOf !== undefined) {
      const archive = kind === "text" ? null : await readZip(file);
      return await converter.sourceOf({ name, file, archive });
    }
    if (kind === "text") await refuseNul(file);
    return converter.isNamed ? `${format}:${name}` : format;
  } catch (error) {
    if (isOtherFormat(error)) throw formatError(await signsOfUpload(file));
    return converter.statesSource ? null : format;
  }
}

/** Passes an upload on after a check of its head; fails with `HTTP_415` for another format. */
export function checkHead(format: string): TransformStream<Uint8Array, Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isSeen = false;
  const see = async () => {
    isSeen = true;
    const head = Buffer.concat(chunks.splice(0));
    await assertHead(format, head);
    return head;
  };
  return new TransformStream({
    async transform(chunk, controller) {
      if (isSeen) return controller.enqueue(chunk);
      chunks.push(chunk);
      size += chunk.length;
      if (size >= HEAD_BYTES) controller.enqueue(await see());
    },
    async flush(controller) {
      if (!isSeen) controller.enqueue(await see());
    },
  });
}

/** The entries of an archive are listed at its end, so only its start is checked. */
async function assertHead(format: string, head: Uint8Array): Promise<void> {
  const file: ByteSource = {
    size: head.length,
    read: (start, length) => Promise.resolve(head.subarray(start, start + length)),
    async *stream(start = 0, end = head.length) {
      yield head.subarray(start, end);
    },
  };
  const converter = converterOf(format);
  try {
    if (await kindOf(file, converter) !== "text") return;
    if (converter.sourceOf === undefined) await refuseNul(file);
    else await converter.sourceOf({ name: null, file, archive: null });
  } catch (error) {
    // An archive lists its entries at its end.
    if (isOtherFormat(error) && !isArchive(head)) {
      throw formatError(await signsOf({ file, archive: null }));
    }
  }
}

/** False for other refusals, which are repeated when the file is read. */
function isOtherFormat(error: unknown): boolean {
  if (!(error instanceof FileRefusal)) throw error;
  return error.rule === "import.format";
}

function formatError(looksLike: readonly string[]): ServiceError {
  return new ServiceError("HTTP_415", { details: { rules: ["import.format"], looksLike } });
}

/** The formats that a whole file has signs of, also if it is a kind that its format refuses. */
async function signsOfUpload(file: FileSource): Promise<readonly string[]> {
  const head = await file.read(0, HEAD_BYTES);
  try {
    if (!isArchive(head)) return await signsOf({ file, archive: null });
    const archive = beginsLikeZip(head) ? await readZip(file) : await readTar(file);
    return await signsOf({ file, archive });
  } catch (error) {
    if (error instanceof FileRefusal) return [];
    throw error;
  }
}

function isArchive(head: Uint8Array): boolean {
  return beginsLikeZip(head) || beginsLikeTar(head);
}
