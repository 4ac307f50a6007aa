/** Opens the file of an import, which may be packed, and an archive. */

import { type Archive, type CountUnpacked, countUnpacked, type Entry } from "./archive/archive.ts";
import { type ArchiveSource, type ByteSource, FileSource } from "./archive/file_source.ts";
import { beginsLikeGzip, unpackGzip } from "./archive/gzip.ts";
import { beginsLikeTar, readTar } from "./archive/tar.ts";
import { beginsLikeZip, readZip } from "./archive/zip.ts";
import type { Converter, FileKind } from "./converters/converter.ts";
import type { ImportFolder } from "./folder.ts";
import { joinParts, type PartFile } from "./parts.ts";
import { ReadingBudget } from "./reading_budget.ts";
import { refuseFile } from "./refusal.ts";

/** Enough to recognize an archive. */
const HEAD_BYTES = 512;
/** The number of the unpacked file among the parts. */
const UNPACKED = 0;

export interface OpenedFile extends Disposable {
  /** Not packed; it has the budget of the reading. */
  readonly file: FileSource;
  readonly archive: Archive | null;
}

export type Kinds = Pick<Converter, "kinds">;

/** The kind of a file, by its first bytes. */
export async function kindOf(
  file: Pick<ByteSource, "read">,
  { kinds }: Kinds,
): Promise<FileKind> {
  const head = await file.read(0, HEAD_BYTES);
  if (kinds.includes("zip") && beginsLikeZip(head)) return "zip";
  if (kinds.includes("tar") && beginsLikeTar(head)) return "tar";
  if (kinds.includes("gzip") && beginsLikeGzip(head)) return "gzip";
  return kinds.includes("text") ? "text" : refuseFile("import.format", 0);
}

/** The kinds that a file in gzip may have. */
export function packedKinds({ kinds }: Kinds): Kinds {
  return { kinds: kinds.filter((kind) => kind === "tar" || kind === "text") };
}

/** Null for a text. */
export async function readArchive(source: ArchiveSource, kind: FileKind): Promise<Archive | null> {
  if (kind === "text") return null;
  return await (kind === "tar" ? readTar(source) : readZip(source));
}

/**
 * Opens an import's file.
 *
 * @param checks Whether every entry is unpacked and its checksum compared, which sets its digest.
 * @param signal Aborted to end the reading.
 * @throws FileRefusal
 */
export async function openFile(
  folder: ImportFolder,
  importId: string,
  converter: Converter,
  checks: boolean,
  signal?: AbortSignal,
): Promise<OpenedFile> {
  using stack = new DisposableStack();
  const path = folder.path(importId, "source");
  const { size } = await Deno.stat(path);
  const { unpackedBytes } = converter;
  const budget = new ReadingBudget({ fileBytes: size, signal });
  const source = stack.use(await FileSource.open(path, budget));
  const write = async (index: number, bytes: AsyncIterable<Uint8Array>) =>
    await FileSource.open(await folder.writePart(importId, index, bytes), budget);
  const isPacked = await kindOf(source, converter) === "gzip";
  const file = isPacked
    ? stack.use(await write(UNPACKED, unpackGzip(source, countUnpacked(size, unpackedBytes))))
    : source;
  const kind = await kindOf(file, isPacked ? packedKinds(converter) : converter);
  // The bytes of a gzip count once for it, and those of its archive once for the archive.
  const count = countUnpacked(size, unpackedBytes);
  let archive = await readArchive(file, kind);
  if (archive !== null && unpackedBytes !== undefined) {
    const stated = archive.entries.reduce((sum, entry) => sum + entry.size, 0);
    budget.allowUnpacked(Math.min(stated, unpackedBytes));
  }
  if (archive !== null && converter.hasParts) {
    const parts = stack.use(new PartSources());
    archive = await joinParts(archive, budget, count, async (entry) => {
      const index = ++parts.index;
      const part = await write(index, counted(entry, count));
      return parts.add(part, folder.path(importId, `part-${index}`));
    });
  }
  if (checks) await archive?.check(count);
  const opened = stack.move();
  return { file, archive, [Symbol.dispose]: () => opened.dispose() };
}

/**
 * Opens the file of a planned import again, without its parts. A file in gzip is not unpacked
 * again: the file that its reading left is used.
 */
export async function reopenFile(
  folder: ImportFolder,
  importId: string,
  converter: Converter,
): Promise<OpenedFile> {
  using stack = new DisposableStack();
  let file = stack.use(await FileSource.open(folder.path(importId, "source")));
  let kind = await kindOf(file, converter);
  if (kind === "gzip") {
    file = stack.use(await FileSource.open(folder.path(importId, `part-${UNPACKED}`)));
    kind = await kindOf(file, packedKinds(converter));
  }
  const archive = await readArchive(file, kind);
  const opened = stack.move();
  return { file, archive, [Symbol.dispose]: () => opened.dispose() };
}

/** Files of parts, which stay open until all is read. */
class PartSources implements Disposable {
  /** The number of the last file. */
  index = UNPACKED;
  readonly #sources = new Set<FileSource>();

  add(source: FileSource, path: string): PartFile {
    this.#sources.add(source);
    return {
      read: () => readZip(source),
      discard: async () => {
        this.#sources.delete(source);
        source[Symbol.dispose]();
        await Deno.remove(path);
      },
    };
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) source[Symbol.dispose]();
  }
}

async function* counted(entry: Entry, count: CountUnpacked) {
  for await (const chunk of entry.bytes()) {
    count(chunk.length, entry);
    yield chunk;
  }
}
