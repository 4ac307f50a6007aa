/** Checks the format of an uploaded file and detects its source, before the import is stored. */

import { Buffer } from "node:buffer";
import { ServiceError } from "../errors/service_error.ts";
import { countUnpacked } from "./archive/archive.ts";
import type { ArchiveSource, ByteSource, FileSource } from "./archive/file_source.ts";
import { UnpackedSource, unpackHead } from "./archive/gzip.ts";
import type { Converter, FileKind } from "./converters/converter.ts";
import { converterOf } from "./converters/converters.ts";
import { refuseNul } from "./converters/lines.ts";
import type { SignSource } from "./converters/seen_file.ts";
import { recognizeFormat, signsOf } from "./converters/signs.ts";
import { kindOf, type Kinds, packedKinds, readArchive } from "./open_file.ts";
import { FileRefusal, type FileRule, refuseFile } from "./refusal.ts";

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
  const usual = converter.isNamed ? `${format}:${name}` : format;
  try {
    const kind = await kindOf(file, converter);
    if (kind !== "gzip") return await sourceOf(file, kind, { name, converter }) ?? usual;
    const count = () => countUnpacked(file.size, converter.unpackedBytes);
    await using unpacked = new UnpackedSource(file, count);
    const packedKind = await kindOf(unpacked, packedKinds(converter));
    return await sourceOf(unpacked, packedKind, { name, converter }) ?? usual;
  } catch (error) {
    if (isOtherFormat(error)) throw formatError(await signsOfUpload(file));
    return converter.statesSource ? null : usual;
  }
}

/** Null for the usual source of the format. */
async function sourceOf(
  file: ArchiveSource,
  kind: FileKind,
  { name, converter }: { readonly name: string | null; readonly converter: Converter },
): Promise<string | null> {
  if (converter.sourceOf !== undefined) {
    return await converter.sourceOf({ name, file, archive: await readArchive(file, kind) });
  }
  if (kind === "text") await refuseNul(file);
  return null;
}

/**
 * Recognizes the format of a file.
 *
 * @throws ServiceError `HTTP_415`, rule `import.format`, and the rule of a damaged archive.
 */
export async function detectFormat(file: FileSource, filename: string | null): Promise<string> {
  try {
    const format = await examine(file, (source) => recognizeFormat({ ...source, filename }));
    return format ?? refuseFile("import.format", 0);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    throw formatError(await signsOfUpload(file), error.rule);
  }
}

/**
 * Passes an upload on after a check of its head; fails with `HTTP_415` for another format.
 *
 * @param format Null for a format that is recognized later.
 */
export function checkHead(format: string | null): TransformStream<Uint8Array, Uint8Array> {
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
async function assertHead(format: string | null, packed: Uint8Array): Promise<void> {
  const converter: Pick<Converter, "kinds" | "sourceOf"> = format === null
    ? ANY
    : converterOf(format);
  let file = sourceOfBytes(packed);
  try {
    let kind = await kindOf(file, converter);
    if (kind === "gzip") {
      const head = unpackHead(packed);
      if (head === null) return;
      file = sourceOfBytes(head);
      kind = await kindOf(file, packedKinds(converter));
    }
    if (kind !== "text") return;
    if (converter.sourceOf === undefined) await refuseNul(file);
    else await converter.sourceOf({ name: null, file, archive: null });
  } catch (error) {
    // The signs of a whole archive are in its entries.
    if (isOtherFormat(error) && await kindOf(file, ANY) === "text") {
      throw formatError(await signsOf({ file, archive: null }));
    }
  }
}

function sourceOfBytes(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (start, length) => Promise.resolve(bytes.subarray(start, start + length)),
    async *stream(start = 0, end = bytes.length) {
      yield bytes.subarray(start, end);
    },
  };
}

/** False for other refusals, which are repeated when the file is read. */
function isOtherFormat(error: unknown): boolean {
  if (!(error instanceof FileRefusal)) throw error;
  return error.rule === "import.format";
}

/** @param fault The fault of an archive that hides its format; default: none. */
function formatError(
  looksLike: readonly string[],
  fault: FileRule = "import.format",
): ServiceError {
  const rules = [...new Set<FileRule>(["import.format", fault])];
  return new ServiceError("HTTP_415", { details: { rules, looksLike } });
}

const ANY: Kinds = { kinds: ["zip", "tar", "gzip", "text"] };

/** The formats that a whole file has signs of, also if it is a kind that its format refuses. */
async function signsOfUpload(file: FileSource): Promise<readonly string[]> {
  try {
    return await examine(file, signsOf);
  } catch (error) {
    if (error instanceof FileRefusal) return [];
    throw error;
  }
}

/** @throws FileRefusal for a damaged archive. */
async function examine<T>(
  file: FileSource,
  look: (source: SignSource) => Promise<T>,
): Promise<T> {
  const kind = await kindOf(file, ANY);
  if (kind !== "gzip") return await look({ file, archive: await readArchive(file, kind) });
  await using unpacked = new UnpackedSource(file, () => countUnpacked(file.size));
  const packedKind = await kindOf(unpacked, packedKinds(ANY));
  return await look({ file: unpacked, archive: await readArchive(unpacked, packedKind) });
}
