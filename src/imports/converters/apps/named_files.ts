/** The files of one note. Its text names them by their bytes, so that their paths do not matter. */

import { MAX_ATTACHMENT_BYTES } from "../../../attachments/import_port.ts";
import type { JsonObject } from "../../../core/json.ts";
import { firstCodePoints } from "../../../validate/text.ts";
import { type Archive, baseNameOf } from "../../archive/archive.ts";
import { namedFiles } from "../../attachment_names.ts";
import { lineOfFile, type LinkedFile, linkFiles } from "../../file_lines.ts";
import { MAX_FILES } from "../../fit_members.ts";
import { extensionOf, mediaTypeOf } from "../../media_types.ts";
import type { ConverterInput, SourceFile, SourceItem, StoredFile } from "../converter.ts";
import { storeDataAddress, storeTextAddress } from "../data_files.ts";
import { cleanLine } from "./clean_text.ts";

/** As long as an identifier, so that identifiers do not change the length of a text. */
const NAME_LENGTH = 26;
/** Code points of the written name of a missing file. */
const MISSING_LENGTH = 1000;
const UNNAMED = "file";

interface FileFacts {
  /** By default the base name of the entry. */
  readonly filename?: string | undefined;
  /** By default that of the ending of `filename`. */
  readonly mediaType?: string | undefined;
}

type DataInput = Pick<ConverterInput, "openFile" | "budget">;

export type FileMembers =
  & Required<Pick<SourceItem, "files" | "paths" | "equalPaths" | "filenames" | "mediaTypes">>
  & Pick<JsonObject, "attachments">;

export class NamedFiles {
  readonly #archive: Archive | null;
  /** By name, in the order of the source. */
  readonly #linked = new Map<string, Required<LinkedFile>>();
  readonly #stored = new Map<string, SourceFile>();
  readonly #paths = new Map<string, string>();
  readonly #equalPaths = new Set<string>();
  readonly #missing = new Set<string>();

  constructor(archive: Archive | null) {
    this.#archive = archive;
  }

  /**
   * Adds a file of the archive.
   *
   * @returns The line that shows it; null if it is missing or too large, which is reported.
   */
  addEntry(path: string, facts: FileFacts = {}): string | null {
    const name = this.nameEntry(path, facts);
    return name === null
      ? null
      : lineOfFile(factsOf(name, { filename: baseNameOf(path), ...facts }));
  }

  /** As {@linkcode addEntry}, but returns the name of the file in the text. */
  nameEntry(path: string, facts: FileFacts = {}): string | null {
    const entry = this.#archive?.find(path);
    const sha256 = entry && this.#archive?.digests.get(entry.name);
    if (entry === undefined || sha256 === undefined || entry.size > MAX_ATTACHMENT_BYTES) {
      this.addMissing(path);
      return null;
    }
    const name = sha256.slice(0, NAME_LENGTH);
    if (!this.#paths.has(name)) this.#paths.set(name, entry.name);
    else if (this.#paths.get(name) !== entry.name) this.#equalPaths.add(entry.name);
    this.#link(factsOf(name, { filename: baseNameOf(path), ...facts }));
    return name;
  }

  /** Adds a file inside the text, and returns the line that shows it. */
  addStored(stored: StoredFile, facts: FileFacts): string {
    return lineOfFile(this.#store(stored, facts));
  }

  /** Stores the file of a `data:` address, and returns the line that shows it; null for others. */
  async addData(address: string, input: DataInput): Promise<string | null> {
    const file = await this.#storeData(address, input);
    return file === null ? null : lineOfFile(file);
  }

  /** As {@linkcode addData}, but returns the name of the file in the text. */
  async nameData(address: string, input: DataInput): Promise<string | null> {
    const file = await this.#storeData(address, input);
    return file?.name ?? null;
  }

  /** @param written The name in the source. */
  addMissing(written: string): void {
    if (this.#missing.size === MAX_FILES) return;
    const name = firstCodePoints(cleanLine(written), MISSING_LENGTH) || UNNAMED;
    // The path of a file that is too large or hidden is not that of a missing one.
    this.#missing.add(this.#archive?.find(name) === undefined ? name : `/${name}`);
  }

  /** The text with lines for the files that it does not show. */
  withLines(text: string): string {
    const shown = namedFiles({ text }, [...this.#linked.keys()]);
    return linkFiles(text, [...this.#linked.values()].filter(({ name }) => !shown.has(name)));
  }

  get members(): FileMembers {
    const linked = [...this.#linked.values()];
    return {
      attachments: [...this.#linked.keys(), ...this.#missing],
      files: [...this.#stored.values()],
      paths: this.#paths,
      equalPaths: [...this.#equalPaths],
      filenames: new Map(linked.map(({ name, filename }) => [name, filename])),
      mediaTypes: new Map(linked.map(({ name, mediaType }) => [name, mediaType])),
    };
  }

  async #storeData(
    address: string,
    { openFile, budget }: DataInput,
  ): Promise<Required<LinkedFile> | null> {
    const data = await storeDataAddress(address, openFile, budget) ??
      await storeTextAddress(address, openFile);
    if (data === null) return null;
    const { stored, mediaType } = data;
    return this.#store(stored, { filename: `file.${extensionOf(mediaType)}`, mediaType });
  }

  #store(stored: StoredFile, facts: FileFacts): Required<LinkedFile> {
    const file = factsOf(stored.sha256.slice(0, NAME_LENGTH), facts);
    this.#link(file);
    this.#stored.set(file.name, { ...stored, ...this.#linked.get(file.name) ?? file });
    return file;
  }

  /** Equal files are one, with the facts of the first. */
  #link(file: Required<LinkedFile>): void {
    if (!this.#linked.has(file.name)) this.#linked.set(file.name, file);
  }
}

function factsOf(name: string, facts: FileFacts): Required<LinkedFile> {
  const filename = cleanLine(facts.filename ?? "") || UNNAMED;
  return { name, filename, mediaType: facts.mediaType || mediaTypeOf(filename) };
}
