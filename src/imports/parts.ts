/**
 * Archives inside an archive that are parts of it: `…Part-n.zip`, a `.textpack`, and a zip at the
 * top with a note. Any other archive is a file.
 */

import {
  Archive,
  ARCHIVE_LIMITS,
  type CountUnpacked,
  digestOf,
  type Entry,
  type EntryFault,
  entryRuleOf,
  isHiddenName,
} from "./archive/archive.ts";
import { entryBytes, type ReadingBudget } from "./reading_budget.ts";
import { FileRefusal, refuseFile } from "./refusal.ts";

const ARCHIVE = /\.(?:zip|textpack)$/i;
/** The name of a part with notes, as Notion divides its exports. */
export const NOTE_PART: RegExp = /Part-\d+\.zip$/i;
const BUNDLE = /\.textpack$/i;
const NOTE = /\.(?:md|markdown)$/i;
/** Each part is a file that stays open. */
const MAX_PARTS = 500;

/** An entry that was written to a file of its own. */
export interface PartFile {
  /** @throws FileRefusal if it is not an archive. */
  readonly read: () => Promise<Archive>;
  /** Removes the file. */
  readonly discard: () => Promise<void>;
}

type OpenPart = (entry: Entry) => Promise<PartFile>;

/**
 * Joins an archive and its parts into one archive.
 *
 * @param count Counts the bytes of files that two parts have.
 * @throws FileRefusal
 */
export async function joinParts(
  whole: Archive,
  budget: ReadingBudget,
  count: CountUnpacked,
  open: OpenPart,
): Promise<Archive> {
  const parts = new Map<Entry, Archive>();
  for (const entry of whole.matching(ARCHIVE)) {
    const opened = await openPart(whole, entry, open);
    if (opened === null) continue;
    const { archive } = opened;
    parts.set(entry, archive);
    if (parts.size > MAX_PARTS) refuseFile("zip.entries", entry.place, entry.shownName);
    for (const nested of archive.matching(ARCHIVE)) {
      if (await isPart(archive, nested, open)) archive.refuse(nested, "zip.nested");
    }
  }
  if (parts.size === 0) return whole;
  const joined = new JoinedEntries(whole, parts, budget, count);
  for (const [entry, archive] of parts) await joined.add(entry, archive);
  return joined.archive;
}

interface OpenedPart extends Pick<PartFile, "discard"> {
  readonly archive: Archive;
}

/** Null for a file. An entry that cannot be unpacked is refused alone. */
async function openPart(
  within: Archive,
  entry: Entry,
  open: OpenPart,
): Promise<OpenedPart | null> {
  const isNamed = isNamedPart(entry);
  const isAtTop = !entry.name.slice(within.top.length).includes("/");
  if (!isNamed && !isAtTop) return null;
  let file: PartFile;
  try {
    file = await open(entry);
  } catch (error) {
    within.refuse(entry, entryRuleOf(error));
    return null;
  }
  const archive = await readPart(file, entry, isNamed);
  const isRead = archive !== null && (isNamed || holdsNote(archive));
  if (isRead) return { archive, discard: file.discard };
  await file.discard();
  return null;
}

function isNamedPart({ name }: Entry): boolean {
  return NOTE_PART.test(name) || BUNDLE.test(name);
}

async function isPart(within: Archive, entry: Entry, open: OpenPart): Promise<boolean> {
  if (isNamedPart(entry)) return true;
  const opened = await openPart(within, entry, open);
  await opened?.discard();
  return opened !== null;
}

/** Null if the file is not an archive, unless its name is that of a part. */
async function readPart(
  file: PartFile,
  { place, shownName }: Entry,
  isNamed: boolean,
): Promise<Archive | null> {
  try {
    return await file.read();
  } catch (error) {
    if (!(error instanceof FileRefusal) || !error.rule.startsWith("zip.")) throw error;
    return isNamed ? refuseFile(error.rule, place, shownName) : null;
  }
}

function holdsNote({ entries, faults }: Archive): boolean {
  return [...entries, ...faults].some(({ name }) => NOTE.test(name) && !isHiddenName(name));
}

/** The entries of an archive, then those of its parts. Their places follow each other. */
class JoinedEntries {
  readonly #budget: ReadingBudget;
  readonly #count: CountUnpacked;
  readonly #byName = new Map<string, Entry>();
  readonly #digests = new Map<Entry, string>();
  readonly #entries: Entry[] = [];
  readonly #faults: EntryFault[] = [];
  #links: number;
  #repeated = 0;
  #lastPlace = 0;

  constructor(
    whole: Archive,
    parts: ReadonlyMap<Entry, Archive>,
    budget: ReadingBudget,
    count: CountUnpacked,
  ) {
    this.#budget = budget;
    this.#count = count;
    this.#links = whole.links;
    for (const entry of whole.entries) {
      if (parts.has(entry)) this.#follow(entry);
      else this.#push(entry);
    }
    for (const fault of whole.faults) this.#pushFault(fault);
  }

  get archive(): Archive {
    return new Archive(this.#entries, this.#links, this.#faults, this.#repeated);
  }

  async add(part: Entry, archive: Archive): Promise<void> {
    const before = this.#lastPlace;
    const isBundle = BUNDLE.test(part.name);
    const own = <T extends EntryFault | Entry>(each: T): T => ({
      ...each,
      place: before + each.place,
      name: isBundle ? `${part.name}/${each.name}` : each.name,
      shownName: `${part.shownName}/${each.shownName}`,
    });
    this.#links += archive.links;
    for (const entry of archive.entries) await this.#addFile(own(entry), part);
    for (const fault of archive.faults) this.#pushFault(own(fault));
    const total = this.#entries.length + this.#faults.length;
    if (total > ARCHIVE_LIMITS.entries) refuseFile("zip.entries", part.place, part.shownName);
  }

  /** Counts a file that an earlier part has; another one of its name gets the part's folder. */
  async #addFile(entry: Entry, part: Entry): Promise<void> {
    await this.#budget.turn(entry.place);
    this.#budget.hold(entryBytes(entry.shownName), entry.place);
    const first = this.#byName.get(entry.name);
    if (first === undefined) return this.#push(entry);
    if (!isHiddenName(entry.name) && await this.#isEqual(first, entry)) {
      this.#repeated++;
      return this.#follow(entry);
    }
    const folder = part.name.slice(0, part.name.lastIndexOf("."));
    this.#push({ ...entry, name: `${folder}/${entry.name}` });
  }

  async #isEqual(first: Entry, second: Entry): Promise<boolean> {
    if (first.size !== second.size) return false;
    const digest = this.#digests.get(first) ?? (await digestOf(first, this.#count)).sha256;
    this.#digests.set(first, digest);
    const other = await digestOf(second, this.#count);
    return other.rule === null && other.sha256 === digest;
  }

  #push(entry: Entry): void {
    this.#entries.push(entry);
    this.#byName.set(entry.name, entry);
    this.#follow(entry);
  }

  #pushFault(fault: EntryFault): void {
    this.#faults.push(fault);
    this.#follow(fault);
  }

  #follow({ place }: Pick<Entry, "place">): void {
    this.#lastPlace = Math.max(this.#lastPlace, place);
  }
}
