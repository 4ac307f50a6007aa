import { createHash } from "node:crypto";
import { firstCodePoints } from "../../validate/text.ts";
import { type EntryRule, FileRefusal, isEntryRule, refuseFile } from "../refusal.ts";
import { MAX_PATH } from "../words.ts";

/** When an entry was changed: milliseconds since 1970, or local `YYYY-MM-DDTHH:MM:SS`. */
export type EntryTime = { readonly time: number } | { readonly local: string };

/** Programs without a clock write the first day of DOS or Unix. */
const EARLIEST = Date.UTC(1981, 0, 1);

/** Null for a time before 1981. */
export function realTime(time: number): EntryTime | null {
  return time >= EARLIEST ? { time } : null;
}

export interface Entry {
  /** Number in the archive, from 1. */
  readonly place: number;
  /** Path with `/` between folders. Links, keys and mappings use it. */
  readonly name: string;
  /** The path that reports show: that of a part's entry begins with the part's path and `/`. */
  readonly shownName: string;
  readonly size: number;
  /** Null if the archive states none, or none that is real. */
  readonly modified: EntryTime | null;
  /** Bytes, checked against the archive's headers. A chunk is borrowed until the next one. */
  readonly bytes: () => AsyncGenerator<Uint8Array>;
}

/** An entry that cannot be read. Its name may be invalid: it is only shown. */
export interface EntryFault extends Pick<Entry, "place" | "name" | "shownName"> {
  readonly rule: EntryRule;
}

export class Archive {
  /** Number of links, which are never followed. */
  readonly links: number;
  /** Number of files of parts that an earlier part has as well. */
  readonly repeated: number;
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
  constructor(
    entries: readonly Entry[],
    links: number,
    faults: readonly EntryFault[] = [],
    repeated = 0,
  ) {
    this.links = links;
    this.repeated = repeated;
    this.top = topOf(entries);
    this.#faults = [...faults];
    for (const entry of entries) {
      if (this.#byName.has(entry.name)) this.#faults.push(faultOf(entry, "zip.duplicate"));
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
    for (const path of formsOf(entryPath(name))) {
      const entry = this.#byName.get(path) ?? this.#byName.get(this.top + path);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** True for a file that `find` would find, but that cannot be read. */
  isRefused(name: string): boolean {
    const path = entryPath(name);
    return this.find(path) === undefined &&
      this.#faults.some((fault) => fault.name === path || fault.name === this.top + path);
  }

  /** Marks an entry as unreadable. */
  refuse(entry: Entry, rule: EntryRule): void {
    this.#byName.delete(entry.name);
    this.#faults.push(faultOf(entry, rule));
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
      const digest = await digestOf(entry, count);
      if (digest.rule === null) this.digests.set(entry.name, digest.sha256);
      else this.refuse(entry, digest.rule);
    }
  }
}

const ASCII = /^\p{ASCII}*$/u;

/** A path as written, and as systems encode accents. A path that is too long names no entry. */
function formsOf(path: string): readonly string[] {
  const hasOneForm = ASCII.test(path) || path.length > ARCHIVE_LIMITS.nameBytes;
  return hasOneForm ? [path] : [path, path.normalize("NFC"), path.normalize("NFD")];
}

function faultOf({ place, name, shownName }: Entry, rule: EntryRule): EntryFault {
  return { place, name, shownName, rule };
}

/** The SHA-256 of an entry in hex; of one that cannot be read, the rule that it breaks. */
export async function digestOf(
  entry: Entry,
  count: CountUnpacked,
): Promise<{ readonly sha256: string; readonly rule: EntryRule | null }> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of entry.bytes()) {
      count(chunk.length, entry);
      hash.update(chunk);
    }
    return { sha256: hash.digest("hex"), rule: null };
  } catch (error) {
    return { sha256: "", rule: entryRuleOf(error) };
  }
}

/** The rule by which an entry is refused alone; throws any other error again. */
export function entryRuleOf(error: unknown): EntryRule {
  const rule = error instanceof FileRefusal ? error.rule : "";
  if (isEntryRule(rule)) return rule;
  throw error;
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

/**
 * Counts unpacked bytes of an entry; null for those of a gzip.
 *
 * @throws FileRefusal `zip.ratio` beyond the limits of an archive.
 */
export type CountUnpacked = (
  bytes: number,
  entry: Pick<Entry, "place" | "shownName"> | null,
) => void;

/** @param packed The size of the archive, whose nested archives are counted too. */
export function countUnpacked(
  packed: number,
  unpackedBytes: number = ARCHIVE_LIMITS.unpackedBytes,
): CountUnpacked {
  const { ratio, freeBytes } = ARCHIVE_LIMITS;
  let total = 0;
  return (bytes, entry) => {
    total += bytes;
    const isBomb = total > freeBytes && total > ratio * packed;
    if (total > unpackedBytes || isBomb) {
      refuseFile("zip.ratio", entry?.place ?? 0, entry?.shownName ?? null);
    }
  };
}

/** Some programs write `\` between folders. */
function entryPath(written: string): string {
  return written.replaceAll("\\", "/");
}

interface EntryName {
  /** With `/` between folders; a folder ends with it. */
  readonly name: string;
  /** False for a path out of a folder, control characters, and a bad length. */
  readonly isValid: boolean;
}

/**
 * Checks a decoded name. An invalid one is cut to the length that reports show.
 *
 * @param bytes The length of the name in the archive.
 */
export function entryName(decoded: string, bytes: number): EntryName {
  const written = entryPath(decoded);
  const parts = written.split("/");
  const name = parts
    .filter((part, index) => part !== "." && (part !== "" || index === parts.length - 1))
    .join("/");
  const isFolder = parts.at(-1) === "";
  const isValid = written !== "" && (name !== "" || isFolder) &&
    bytes <= ARCHIVE_LIMITS.nameBytes && !written.startsWith("/") &&
    !/^[a-z]:/i.test(written) && !/\p{Cc}/u.test(written) && !parts.includes("..");
  return { name: isValid ? name : firstCodePoints(written, MAX_PATH), isValid };
}

/** True for a path with a part that systems hide, or that macOS adds. */
export function isHiddenName(path: string): boolean {
  return path.split("/").some((part) =>
    (part.startsWith(".") && part !== "." && part !== "..") || part === "__MACOSX"
  );
}

/** The folder of a path, which ends with `/`; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
