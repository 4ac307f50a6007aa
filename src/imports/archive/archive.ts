/** Archives as converters see them: entries by name, and their bytes. */

import { Buffer } from "node:buffer";
import { countCodePoints } from "../../validate/text.ts";
import { refuseFile } from "../refusal.ts";

/** A file in an archive. */
export interface Entry {
  /** Its number in the archive, from 1. */
  readonly place: number;
  /** Its path, with `/` between folders. */
  readonly name: string;
  readonly size: number;
  /** Hex. Known once the archive was checked. */
  readonly sha256: string;
}

/** An archive whose entries have all been checked. */
export interface Archive {
  readonly entries: readonly Entry[];
  /** Links, which are never followed. */
  readonly links: number;
  find(name: string): Entry | undefined;
  /** The bytes of an entry. A chunk is lent. */
  read(entry: Entry): AsyncGenerator<Uint8Array>;
}

export const ARCHIVE_LIMITS = {
  entries: 100_000,
  nameBytes: 1024,
  unpackedBytes: 4 * 1024 ** 3,
  /** Unpacked bytes for each packed one, beyond `freeBytes`. */
  ratio: 200,
  freeBytes: 64 * 1024 * 1024,
} as const;

/**
 * The name of an entry with `/` between folders; a folder ends with it.
 *
 * @throws FileRefusal `zip.name` for a name that could lead out of a folder, or that no program should print.
 */
export function entryName(bytes: Uint8Array, place: number): string {
  if (bytes.length === 0 || bytes.length > ARCHIVE_LIMITS.nameBytes) refuseFile("zip.name", place);
  const name = decodeName(bytes, place).replaceAll("\\", "/");
  const parts = name.split("/");
  const isUnsafe = name.startsWith("/") || /^[a-z]:/i.test(name) || /\p{Cc}/u.test(name) ||
    parts.includes("..");
  if (isUnsafe || countCodePoints(name) === 0) refuseFile("zip.name", place);
  return parts.filter((part, index) => part !== "." && (part !== "" || index === parts.length - 1))
    .join("/");
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** UTF-8; the names of old programs that are not are read as Latin-1. */
function decodeName(bytes: Uint8Array, place: number): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    const name = Buffer.from(bytes).toString("latin1");
    return name.isWellFormed() ? name : refuseFile("zip.name", place);
  }
}

/** Counts what an archive, with the archives in it, unpacks to. */
export class UnpackedBytes {
  readonly #packed: number;
  #total = 0;

  constructor(packed: number) {
    this.#packed = packed;
  }

  /** @throws FileRefusal `zip.ratio` beyond the limits of an archive. */
  add(bytes: number, place: number): void {
    this.#total += bytes;
    const { unpackedBytes, ratio, freeBytes } = ARCHIVE_LIMITS;
    const isBomb = this.#total > freeBytes && this.#total > ratio * this.#packed;
    if (this.#total > unpackedBytes || isBomb) refuseFile("zip.ratio", place);
  }
}

/** All bytes of an entry; its size was checked. */
export async function readWhole(archive: Archive, entry: Entry): Promise<Uint8Array> {
  const bytes = new Uint8Array(entry.size);
  let filled = 0;
  for await (const chunk of archive.read(entry)) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes;
}
