/** Opens the file of an import: as it is, or as the archive that it is. */

import { type Archive, type Entry, UnpackedBytes } from "./archive/archive.ts";
import { type ByteSource, FileSource } from "./archive/byte_source.ts";
import { beginsLikeTar, TarArchive } from "./archive/tar.ts";
import { beginsLikeZip, ZipArchive } from "./archive/zip.ts";
import type { Converter } from "./converters/converter.ts";
import type { ImportFolder } from "./folder.ts";
import { refuseFile } from "./refusal.ts";
import { writeAll } from "../core/files.ts";
import { writeToDisk } from "../attachments/disk_failure.ts";

/** Enough to tell the formats apart. */
const HEAD_BYTES = 512;
const PART = /Part-\d+\.zip$/i;

export interface OpenedFile extends Disposable {
  readonly file: ByteSource;
  readonly archive: Archive | null;
}

/** The kind of a file, by its first bytes. */
export async function kindOf(
  file: ByteSource,
  { archives, acceptsText }: Converter,
): Promise<"zip" | "tar" | "text"> {
  const head = await file.read(0, HEAD_BYTES);
  if (archives.includes("zip") && beginsLikeZip(head)) return "zip";
  if (archives.includes("tar") && beginsLikeTar(head)) return "tar";
  return acceptsText ? "text" : refuseFile("import.format", 0);
}

/**
 * Opens an import's file.
 *
 * @param checks Whether every entry is unpacked and compared with its checksum, which sets its digest.
 * @throws FileRefusal
 */
export async function openFile(
  folder: ImportFolder,
  importId: string,
  converter: Converter,
  checks: boolean,
): Promise<OpenedFile> {
  const opened: Disposable[] = [];
  const close = () => opened.forEach((each) => each[Symbol.dispose]());
  try {
    const file = await FileSource.open(folder.path(importId, "source"));
    opened.push(file);
    const kind = await kindOf(file, converter);
    const unpacked = new UnpackedBytes(file.size);
    if (kind === "text") return { file, archive: null, [Symbol.dispose]: close };
    if (kind === "tar") {
      const archive = await TarArchive.open(file, unpacked);
      return { file, archive, [Symbol.dispose]: close };
    }
    const zip = await ZipArchive.open(file);
    if (checks) await zip.check(unpacked);
    if (converter.hasParts !== true) return { file, archive: zip, [Symbol.dispose]: close };
    const parts: ZipArchive[] = [];
    for (const entry of zip.entries.filter(({ name }) => PART.test(name))) {
      const path = folder.path(importId, `part-${parts.length + 1}`);
      await extract(zip, entry, path);
      const source = await FileSource.open(path);
      opened.push(source);
      const part = await ZipArchive.open(source);
      const nested = part.entries.find(({ name }) => PART.test(name));
      if (nested !== undefined) refuseFile("zip.nested", nested.place);
      if (checks) await part.check(unpacked);
      parts.push(part);
    }
    return { file, archive: joinParts(zip, parts), [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

async function extract(archive: Archive, entry: Entry, path: string): Promise<void> {
  using file = await writeToDisk(() =>
    Deno.open(path, { create: true, write: true, truncate: true, mode: 0o600 })
  );
  for await (const chunk of archive.read(entry)) await writeToDisk(() => writeAll(file, chunk));
}

/** One archive of an archive and its parts. */
function joinParts(whole: ZipArchive, parts: readonly ZipArchive[]): Archive {
  if (parts.length === 0) return whole;
  const places = new Map<string, ZipArchive>();
  const entries: Entry[] = [];
  for (const archive of [whole, ...parts]) {
    for (const entry of archive.entries) {
      if (archive === whole && PART.test(entry.name)) continue;
      if (places.has(entry.name)) refuseFile("zip.duplicate", entry.place);
      places.set(entry.name, archive);
      entries.push(entry);
    }
  }
  return {
    entries,
    links: [whole, ...parts].reduce((total, { links }) => total + links, 0),
    find: (name) => places.get(name)?.find(name),
    async *read(entry) {
      const archive = places.get(entry.name);
      if (archive === undefined) throw new Error("The archive does not have the entry");
      yield* archive.read(entry);
    },
  };
}
