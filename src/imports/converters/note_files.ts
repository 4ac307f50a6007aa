/** Links the text of a note to its files: their addresses become `attachment:<name>`. */

import { MAX_ATTACHMENT_BYTES } from "../../attachments/import_port.ts";
import { firstCodePoints } from "../../validate/text.ts";
import type { Archive } from "../archive/archive.ts";
import { MAX_FILES } from "../fit_members.ts";
import { extensionOf } from "../media_types.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { ConverterInput, SourceFile, SourceItem, StoredFile } from "./converter.ts";
import { storeDataAddress } from "./data_files.ts";
import { type NoteAddress, noteAddresses } from "./note_addresses.ts";
import { decodePercent, isWebAddress, NoteFinder } from "./note_finder.ts";
import { rewriteAddresses } from "./rewritten_addresses.ts";

type OpenFile = ConverterInput["openFile"];

/** As long as an identifier, so that identifiers do not change the length of a text. */
const NAME_LENGTH = 26;
/** Code points of the written name of a missing file. */
const MISSING_LENGTH = 1000;
/** Addresses of a text whose files are remembered. */
const MAX_TARGETS = 1_000;

/** A text with the members of its item that state its files. */
export interface LinkedText extends Required<Pick<SourceItem, "files" | "paths" | "equalPaths">> {
  readonly text: string;
  /** The names of its files in the text; the written names of missing ones. */
  readonly attachments: string[];
  /** True for a text that is left out, because it would be more than 16 MiB longer. */
  readonly isTooLong: boolean;
}

const TOO_LONG: LinkedText = {
  text: "",
  attachments: [],
  files: [],
  paths: new Map(),
  isTooLong: true,
  equalPaths: [],
};

export class NoteFiles {
  readonly #archive: Archive | null;
  readonly #budget: ReadingBudget;
  readonly #finder: NoteFinder;
  readonly #openFile: OpenFile | null;

  private constructor(
    archive: Archive | null,
    budget: ReadingBudget,
    finder: NoteFinder,
    openFile: OpenFile | null,
  ) {
    this.#archive = archive;
    this.#budget = budget;
    this.#finder = finder;
    this.#openFile = openFile;
  }

  /**
   * @param openFile Stores the pictures inside texts; null to leave them there.
   * @throws FileRefusal `import.budget`
   */
  static async of(
    archive: Archive | null,
    budget: ReadingBudget,
    openFile: OpenFile | null,
  ): Promise<NoteFiles> {
    const finder = await NoteFinder.of(archive, budget);
    return new NoteFiles(archive, budget, finder, openFile);
  }

  /** The name of a file of the archive in texts: of its bytes, as they alone matter there. */
  nameOf(path: string): string {
    return (this.#archive?.digests.get(path) ?? "").slice(0, NAME_LENGTH);
  }

  /** Changes the addresses of files in a text, and nothing else. */
  async link(text: string, notePath: string): Promise<LinkedText> {
    const files = new FoundFiles();
    const linked = await rewriteAddresses(text, this.#budget, async (address) => {
      const written = await this.#rewrite(address, notePath, files);
      return written === null ? null : { start: address.start, end: address.end, written };
    });
    if (linked === null) return TOO_LONG;
    const { paths, pictures, equalPaths } = files;
    return {
      text: linked,
      attachments: files.names,
      files: [...pictures.values()],
      paths,
      isTooLong: false,
      equalPaths: [...equalPaths],
    };
  }

  /** The `.txt` files that a note links to. */
  async textsNamedIn(text: string, notePath: string): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    if (!/\.txt/i.test(text)) return found;
    for (const address of noteAddresses(text)) {
      await this.#budget.turn(1);
      const path = address === null ? null : this.#finder.find(address, notePath)?.path ?? null;
      if (path !== null && isText(path) && path !== notePath) found.add(path);
    }
    return found;
  }

  /** The replacement of an address; null for an address that stays. */
  async #rewrite(
    address: NoteAddress,
    notePath: string,
    files: FoundFiles,
  ): Promise<string | null> {
    if (address.isEmbed && /^data:/i.test(address.address)) {
      const name = await this.#storePicture(address.address, files);
      return name === null ? null : linkTo(address, name, "");
    }
    const target = files.targetOf(address, () => this.#findTarget(address, notePath, files));
    return target === null ? null : linkTo(address, target.name, target.base);
  }

  /** Notes the file of an address, or that it is missing; null for an address that stays. */
  #findTarget(address: NoteAddress, notePath: string, files: FoundFiles): LinkTarget | null {
    const found = this.#finder.find(address, notePath);
    if (found === null) {
      const isMissing = address.isEmbed && !isWebAddress(address) &&
        !this.#isNoteWithoutEnding(address, notePath);
      if (isMissing) files.addMissing(address, (name) => this.#archive?.find(name) !== undefined);
      return null;
    }
    const { path } = found;
    if (/\.(?:md|markdown)$/i.test(path) || path === notePath) return null;
    const size = this.#archive?.find(path)?.size ?? Infinity;
    if (size > MAX_ATTACHMENT_BYTES) {
      files.unusable.add(path);
      return null;
    }
    const name = this.nameOf(path);
    files.linked.add(name);
    files.addPath(name, path);
    return { name, base: found.name };
  }

  #isNoteWithoutEnding(address: NoteAddress, notePath: string): boolean {
    return [".md", ".markdown", ".txt"].some((ending) =>
      this.#finder.find(address, notePath, ending) !== null
    );
  }

  /** Stores a picture in base64; null for any other address. */
  async #storePicture(address: string, files: FoundFiles): Promise<string | null> {
    if (this.#openFile === null) return null;
    const data = await storeDataAddress(address, this.#openFile, this.#budget);
    if (data === null) return null;
    const name = data.stored.sha256.slice(0, NAME_LENGTH);
    files.addPicture(name, data.stored, data.mediaType);
    return name;
  }
}

/** The file that an address means. */
interface LinkTarget {
  /** As in `attachment:<name>`. */
  readonly name: string;
  /** The base name as written. */
  readonly base: string;
}

/** The files of a text, in the order of their addresses. */
class FoundFiles {
  /** Results of look-ups: a long text repeats a few addresses very often. */
  readonly #targets = new Map<string, LinkTarget | null>();
  readonly linked = new Set<string>();
  /** Paths of the archive by their names in the text. */
  readonly paths = new Map<string, string>();
  /** Further paths of those names. */
  readonly equalPaths = new Set<string>();
  readonly pictures = new Map<string, SourceFile>();
  /** Paths of files that are too large or cannot be read. */
  readonly unusable = new Set<string>();
  /** Written names; wiki links come first, as in the digests of earlier releases. */
  readonly #missing = { wiki: new Set<string>(), other: new Set<string>() };

  get names(): string[] {
    const { wiki, other } = this.#missing;
    const rest = [...this.unusable, ...wiki, ...other];
    return [...this.linked, ...rest.slice(0, Math.max(0, MAX_FILES - this.linked.size))];
  }

  targetOf(
    { form, isEmbed, address }: NoteAddress,
    find: () => LinkTarget | null,
  ): LinkTarget | null {
    const key = `${form} ${isEmbed} ${address}`;
    const known = this.#targets.get(key);
    if (known !== undefined) return known;
    if (this.#targets.size === MAX_TARGETS) this.#targets.clear();
    const target = find();
    this.#targets.set(key, target);
    return target;
  }

  addPath(name: string, path: string): void {
    if (!this.paths.has(name)) this.paths.set(name, path);
    else if (this.paths.get(name) !== path) this.equalPaths.add(path);
  }

  addMissing({ address, form }: NoteAddress, isPath: (name: string) => boolean): void {
    const { wiki, other } = this.#missing;
    const written = form === "wiki"
      ? address.replace(/[#^][^]*$/, "").trim()
      : decodePercent(address);
    if (written === "" || wiki.size + other.size === MAX_FILES) return;
    const name = firstCodePoints(written, MISSING_LENGTH);
    // The path of a hidden file names none.
    (form === "wiki" ? wiki : other).add(isPath(name) ? `/${name}` : name);
  }

  addPicture(name: string, stored: StoredFile, mediaType: string): void {
    this.linked.add(name);
    if (this.pictures.has(name)) return;
    const filename = `picture-${this.pictures.size + 1}.${extensionOf(mediaType)}`;
    this.pictures.set(name, { ...stored, name, filename, mediaType });
  }
}

/** @param base The base name of the file as written. */
function linkTo({ form, isEmbed, rest }: NoteAddress, name: string, base: string): string {
  const address = `attachment:${name}`;
  if (form !== "wiki") return address;
  const words = rest.slice(rest.indexOf("|") + 1);
  return isEmbed ? `![${base}${rest}](${address})` : `[${words === "" ? base : words}](${address})`;
}

function isText(path: string): boolean {
  return /\.txt$/i.test(path);
}
