/** The files of Day One's entries, which texts address by identifiers. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { firstCodePoints, isBlank } from "../../validate/text.ts";
import { type Archive, baseNameOf, type Entry, folderOf } from "../archive/archive.ts";
import { type LinkedFile, linkFiles } from "../file_lines.ts";
import { mediaTypeOf } from "../media_types.ts";
import { entryBytes, type ReadingBudget } from "../reading_budget.ts";
import { withoutControls } from "../words.ts";
import { entryMembers } from "./json_entries.ts";
import { JsonTextError } from "./json_walk.ts";

/** The folders of an entry's lists of files. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ["photos", "photos"],
  ["videos", "videos"],
  ["audios", "audios"],
  ["pdfAttachments", "pdfs"],
]);

export const FILE_LISTS: ReadonlySet<string> = new Set(FOLDERS.keys());

/** A file that an entry lists. */
interface ListedFile extends LinkedFile {
  /** In the form in which identifiers are compared. */
  readonly id: string;
  readonly isPresent: boolean;
}

type JournalPlace = Pick<Entry, "name" | "place">;

/** The files that the journals of an archive list. */
export class JournalFiles {
  readonly #archive: Archive | null;
  readonly #budget: ReadingBudget;
  /** Names of files by their folder and the identifier or digest that is their base name. */
  readonly #names = new Map<string, string>();
  /** Files that are present, by identifier. */
  readonly #listed = new Map<string, LinkedFile>();
  /** True once the lists of all journals were read. */
  #isWhole: boolean;

  constructor(archive: Archive | null, budget: ReadingBudget) {
    this.#archive = archive;
    this.#budget = budget;
    this.#isWhole = archive === null;
    for (const { name, place } of archive?.entries ?? []) {
      const key = pathKey(folderOf(name), withoutEnding(baseNameOf(name)));
      if (this.#names.has(key)) continue;
      budget.hold(entryBytes(key), place);
      this.#names.set(key, name);
    }
  }

  /** The files of an entry, in the order of its lists. One may lie with another journal. */
  async filesOf(entry: JsonObject, journal: JournalPlace): Promise<readonly ListedFile[]> {
    const files: ListedFile[] = [];
    for (const file of this.#listsOf(entry, journal)) {
      await this.#budget.turn(journal.place);
      const other = file.isPresent ? undefined : await this.find(file.id);
      files.push(other === undefined ? file : { ...other, id: file.id, isPresent: true });
    }
    return files;
  }

  #listsOf(entry: JsonObject, journal: JournalPlace): readonly ListedFile[] {
    return [...FOLDERS].flatMap(([member, folder]) =>
      objectsOf(entry[member]).flatMap((file) => {
        const listed = this.#fileOf(file, folder, folderOf(journal.name));
        if (listed?.isPresent) this.#add(listed, journal.place);
        return listed ?? [];
      })
    );
  }

  /**
   * A present file that any entry of the journals lists.
   *
   * @param id In compared form.
   */
  async find(id: string): Promise<LinkedFile | undefined> {
    if (!this.#listed.has(id) && !this.#isWhole) await this.#readLists();
    return this.#listed.get(id);
  }

  async #readLists(): Promise<void> {
    this.#isWhole = true;
    for (const journal of this.#archive?.matching(/\.json$/i) ?? []) {
      try {
        for await (const lists of entryMembers(journal.bytes(), FILE_LISTS)) {
          this.#listsOf(lists, journal);
          await this.#budget.turn(journal.place);
        }
      } catch (error) {
        if (!(error instanceof JsonTextError)) throw error;
      }
    }
  }

  #add({ id, name, filename }: ListedFile, place: number): void {
    if (this.#listed.has(id)) return;
    this.#budget.hold(entryBytes(id) + entryBytes(filename ?? ""), place);
    this.#listed.set(id, { name, ...(filename !== undefined && { filename }) });
  }

  #fileOf(file: JsonObject, folder: string, parent: string): ListedFile | null {
    const { identifier = null, md5 = null } = file;
    const id = [identifier, md5].find(isText);
    const [base, ...others] = [md5, identifier].filter(isText);
    if (id === undefined || base === undefined) return null;
    const name = [base, ...others]
      .map((each) => this.#names.get(pathKey(`${parent}${folder}/`, each)))
      .find((found) => found !== undefined);
    return {
      id: comparedId(id),
      name: name ?? `${folder}/${base}`,
      isPresent: name !== undefined,
      ...(name !== undefined && statedName(file, name)),
    };
  }
}

function objectsOf(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function isText(value: JsonValue): value is string {
  return typeof value === "string" && !isBlank(value);
}

function pathKey(folder: string, base: string): string {
  return folder + comparedId(base);
}

/** Day One writes the same identifier with and without hyphens, in either letter case. */
function comparedId(id: string): string {
  return id.replaceAll("-", "").toLowerCase();
}

function withoutEnding(base: string): string {
  return base.slice(0, base.length - endingOf(base).length);
}

/** With its dot; empty if there is none. */
function endingOf(base: string): string {
  const dot = base.lastIndexOf(".");
  return dot === -1 ? "" : base.slice(dot);
}

/** Code points of a stated name, so that it fits an attachment with any ending. */
const NAME_LENGTH = 200;

/** Marks of direction, which no filename may have. */
const NOT_IN_NAMES = /\p{Bidi_Control}/gu;

/** The name that an entry states for a file, with the ending of the file. */
function statedName(
  { pdfName = null, filename = null, title = null }: JsonObject,
  path: string,
): { readonly filename?: string } {
  const names = [pdfName, filename].filter(isText).map(withoutFolders);
  const name = [...names, ...[title].filter(isText)]
    .map((text) => withoutControls(text).replaceAll(NOT_IN_NAMES, "").replaceAll(/[/\\]/g, "-"))
    .map((text) => text.trim())
    .find((text) => text !== "");
  if (name === undefined) return {};
  const type = mediaTypeOf(path);
  const ending = endingOf(baseNameOf(path));
  const isTyped = name.toLowerCase().endsWith(ending.toLowerCase()) ||
    (mediaTypeOf(name) === type && type !== "application/octet-stream");
  const stem = isTyped ? withoutEnding(name) : name;
  return { filename: firstCodePoints(stem, NAME_LENGTH) + (isTyped ? endingOf(name) : ending) };
}

/** The base name of a path; a title such as `Part 1/2` stays whole. */
function withoutFolders(name: string): string {
  const base = baseNameOf(name.replaceAll("\\", "/"));
  const isPath = base === "" || name.startsWith("/") || /\.[a-z0-9]{1,5}$/i.test(base);
  return isPath ? base : name;
}

const ADDRESS = /dayone-[a-z]+:\/{1,2}(?:[a-z]+\/)?([0-9a-z-]+)/gi;

interface LinkedText {
  readonly text: string;
  /** Names of the entry's own files, then of others that its text addresses. */
  readonly attachments: readonly string[];
  readonly filenames: ReadonlyMap<string, string>;
  /** True if the text addresses a missing file. */
  readonly hasUnknown: boolean;
}

/**
 * Replaces addresses by names of files, and adds a line for each own file that the text does not
 * address.
 */
export async function linkText(
  text: string,
  own: readonly ListedFile[],
  files: JournalFiles,
): Promise<LinkedText> {
  const present = own.filter(({ isPresent }) => isPresent);
  const found = new Map<string, LinkedFile>(present.map((file) => [file.id, file]));
  const addressed = new Set<string>();
  for (const [, written = ""] of text.matchAll(ADDRESS)) {
    const id = comparedId(written);
    if (addressed.has(id)) continue;
    addressed.add(id);
    const other = found.has(id) ? undefined : await files.find(id);
    if (other !== undefined) found.set(id, other);
  }
  const replaced = text.replaceAll(ADDRESS, (address, written: string) => {
    const file = found.get(comparedId(written));
    return file === undefined ? address : `attachment:${file.name}`;
  });
  const named = new Set([...addressed].map((id) => found.get(id)?.name));
  const missed = new Map(
    present.filter(({ name }) => !named.has(name)).map((file) => [file.name, file]),
  );
  const all = [...own, ...found.values()];
  return {
    text: linkFiles(replaced, [...missed.values()]),
    attachments: [...new Set(all.map(({ name }) => name))],
    filenames: new Map(
      all.flatMap(({ name, filename }) => filename === undefined ? [] : [[name, filename]]),
    ),
    hasUnknown: [...addressed].some((id) => !found.has(id)),
  };
}
