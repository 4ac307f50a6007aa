import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type EntryRule, FileRefusal, isEntryRule, refuseFile } from "../refusal.ts";

/** When an entry was changed: an instant in milliseconds since 1970, or local digits. */
export type EntryTime = { readonly time: number } | { readonly local: string };

export interface Entry {
  /** Number in the archive, from 1. */
  readonly place: number;
  /** Path with `/` between folders. */
  readonly name: string;
  readonly size: number;
  /** Null if the archive states none, or none that is real. */
  readonly modified: EntryTime | null;
  /** Bytes, checked against the archive's headers. A chunk is borrowed until the next one. */
  readonly bytes: () => AsyncGenerator<Uint8Array>;
}

/** An entry that cannot be read. */
export interface EntryFault extends Pick<Entry, "place" | "name"> {
  readonly rule: EntryRule;
}

export class Archive {
  /** Number of links, which are never followed. */
  readonly links: number;
  /** Names of the files that were read. */
  readonly used = new Set<string>();
  /** In hex, by name; empty before `check`. */
  readonly digests = new Map<string, string>();
  /**
   * The only folder at the top, which ends with `/`; empty if there are files or other folders.
   * Paths in texts and mappings may begin below it.
   */
  readonly top: string;
  readonly #byName = new Map<string, Entry>();
  readonly #faults: EntryFault[];

  /** @param faults Entries that could not be listed. The second entry of a name is refused, too. */
  constructor(entries: readonly Entry[], links: number, faults: readonly EntryFault[] = []) {
    this.links = links;
    this.top = topOf(entries);
    this.#faults = [...faults];
    for (const entry of entries) {
      if (this.#byName.has(entry.name)) this.#faults.push({ ...entry, rule: "zip.duplicate" });
      else this.#byName.set(entry.name, entry);
    }
  }

  /** The entries that can be read. */
  get entries(): readonly Entry[] {
    return [...this.#byName.values()];
  }

  /** In the order of the archive. */
  get faults(): readonly EntryFault[] {
    return this.#faults.toSorted((one, other) => one.place - other.place);
  }

  /** Finds a file by its path, from the archive's top or below its only folder. */
  find(name: string): Entry | undefined {
    return this.#byName.get(name) ?? this.#byName.get(this.top + name);
  }

  /** Marks an entry as unreadable. */
  refuse({ place, name }: Entry, rule: EntryRule): void {
    this.#byName.delete(name);
    this.#faults.push({ place, name, rule });
  }

  /** Files with matching names, without hidden ones. */
  matching(pattern: RegExp): readonly Entry[] {
    return this.entries.filter(({ name }) => pattern.test(name) && !isHiddenName(name));
  }

  read({ name, bytes }: Entry): AsyncGenerator<Uint8Array> {
    this.used.add(name);
    return bytes();
  }

  /** All bytes of an entry of a checked size. */
  async readWhole(entry: Entry): Promise<Uint8Array> {
    const bytes = new Uint8Array(entry.size);
    let filled = 0;
    for await (const chunk of this.read(entry)) {
      bytes.set(chunk, filled);
      filled += chunk.length;
    }
    return bytes;
  }

  /** Reads every byte of every entry, and stores the digests. Refuses the entries with faults. */
  async check(count: CountUnpacked): Promise<void> {
    for (const entry of this.entries) {
      const hash = createHash("sha256");
      try {
        for await (const chunk of entry.bytes()) {
          count(chunk.length, entry.place);
          hash.update(chunk);
        }
        this.digests.set(entry.name, hash.digest("hex"));
      } catch (error) {
        const rule = error instanceof FileRefusal ? error.rule : "";
        if (!isEntryRule(rule)) throw error;
        this.refuse(entry, rule);
      }
    }
  }
}

function topOf(entries: readonly Entry[]): string {
  let top: string | null = null;
  for (const { name } of entries) {
    if (isHiddenName(name)) continue;
    const folder = name.slice(0, name.indexOf("/") + 1);
    if (folder === "" || folder !== (top ?? folder)) return "";
    top = folder;
  }
  return top ?? "";
}

/** Bytes in memory of an entry, its digest and its places in maps, without its name. */
export const HELD_BYTES = 500;

export const ARCHIVE_LIMITS = {
  entries: 100_000,
  nameBytes: 1024,
  unpackedBytes: 4 * 1024 ** 3,
  /** Maximum unpacked bytes for each packed one, beyond `freeBytes`. */
  ratio: 200,
  freeBytes: 64 * 1024 * 1024,
} as const;

/** @throws FileRefusal `zip.ratio` beyond the limits of an archive. */
export type CountUnpacked = (bytes: number, place: number) => void;

/** @param packed The size of the archive, whose nested archives are counted too. */
export function countUnpacked(packed: number): CountUnpacked {
  const { unpackedBytes, ratio, freeBytes } = ARCHIVE_LIMITS;
  let total = 0;
  return (bytes, place) => {
    total += bytes;
    const isBomb = total > freeBytes && total > ratio * packed;
    if (total > unpackedBytes || isBomb) refuseFile("zip.ratio", place);
  };
}

/**
 * The name of an entry with `/` between folders; a folder ends with it.
 *
 * @throws FileRefusal `zip.name` for a path out of a folder, control characters, and a bad length.
 */
export function entryName(bytes: Uint8Array, place: number): string {
  if (bytes.length === 0 || bytes.length > ARCHIVE_LIMITS.nameBytes) refuseFile("zip.name", place);
  const name = decodeName(bytes, place).replaceAll("\\", "/");
  const parts = name.split("/");
  const isUnsafe = name.startsWith("/") || /^[a-z]:/i.test(name) || /\p{Cc}/u.test(name) ||
    parts.includes("..");
  if (isUnsafe) refuseFile("zip.name", place);
  return parts.filter((part, index) => part !== "." && (part !== "" || index === parts.length - 1))
    .join("/");
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8, or the Latin-1 of old programs. */
function decodeName(bytes: Uint8Array, place: number): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    const name = Buffer.from(bytes).toString("latin1");
    return name.isWellFormed() ? name : refuseFile("zip.name", place);
  }
}

/** True for a path with a part that systems hide, or that macOS adds. */
export function isHiddenName(path: string): boolean {
  return path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");
}

/** The folder of a path, which ends with `/`; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
