/** Opens the file of an import, which may be an archive. */

import {
  Archive,
  ARCHIVE_LIMITS,
  type CountUnpacked,
  countUnpacked,
  type Entry,
} from "./archive/archive.ts";
import { type ByteSource, FileSource } from "./archive/file_source.ts";
import { beginsLikeTar, readTar } from "./archive/tar.ts";
import { beginsLikeZip, readZip } from "./archive/zip.ts";
import type { Converter, FileKind } from "./converters/converter.ts";
import type { ImportFolder } from "./folder.ts";
import { ReadingBudget } from "./reading_budget.ts";
import { refuseFile } from "./refusal.ts";

/** Enough to recognize an archive. */
const HEAD_BYTES = 512;
const PART = /Part-\d+\.zip$/i;
/** Each part is a file that stays open. */
const MAX_PARTS = 500;

export interface OpenedFile extends Disposable {
  /** Has the budget of the reading. */
  readonly file: FileSource;
  readonly archive: Archive | null;
}

/** The kind of a file, by its first bytes. */
export async function kindOf(
  file: Pick<ByteSource, "read">,
  { kinds }: Converter,
): Promise<FileKind> {
  const head = await file.read(0, HEAD_BYTES);
  if (kinds.includes("zip") && beginsLikeZip(head)) return "zip";
  if (kinds.includes("tar") && beginsLikeTar(head)) return "tar";
  return kinds.includes("text") ? "text" : refuseFile("import.format", 0);
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
  const budget = new ReadingBudget({ fileBytes: (await Deno.stat(path)).size, signal });
  const file = stack.use(await FileSource.open(path, budget));
  const kind = await kindOf(file, converter);
  const count = countUnpacked(file.size);
  let archive = kind === "text" ? null : await (kind === "tar" ? readTar(file) : readZip(file));
  if (kind === "zip" && converter.hasParts && archive !== null) {
    archive = await joinParts(archive, async (entry, index) => {
      const path = await folder.writePart(importId, index, counted(entry, count));
      return await readZip(stack.use(await FileSource.open(path, budget)));
    });
  }
  if (checks) await archive?.check(count);
  const opened = stack.move();
  return { file, archive, [Symbol.dispose]: () => opened.dispose() };
}

async function* counted(entry: Entry, count: CountUnpacked) {
  for await (const chunk of entry.bytes()) {
    count(chunk.length, entry);
    yield chunk;
  }
}

/**
 * Joins an archive and its parts into one archive. Hidden files are left out.
 *
 * @throws FileRefusal
 */
export async function joinParts(
  whole: Archive,
  open: (part: Entry, index: number) => Promise<Archive>,
): Promise<Archive> {
  const parts = new Set(whole.matching(PART));
  const entries = whole.entries.filter((entry) => !parts.has(entry));
  let { links } = whole;
  let index = 0;
  for (const entry of parts) {
    if (++index > MAX_PARTS) refuseFile("zip.entries", entry.place);
    const part = await open(entry, index);
    const [nested] = part.matching(PART);
    if (nested !== undefined) refuseFile("zip.nested", nested.place);
    for (const each of part.entries) entries.push(each);
    if (entries.length > ARCHIVE_LIMITS.entries) refuseFile("zip.entries", entry.place);
    links += part.links;
  }
  return new Archive(entries, links);
}
