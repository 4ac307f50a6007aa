/** Reads the notes of an `.enex` file, one at a time, and stores their files. */

import type { ConverterInput } from "../converter.ts";
import { PARSED_LIMITS } from "../json_walk.ts";
import { readXml, type XmlPart } from "../markup/xml_reader.ts";
import { ownText } from "./clean_text.ts";
import { ResourceData, type StoredData } from "./enex_resource.ts";

/** An element whose children are fields. */
export interface EnexPart {
  /** The first text of each element, without blanks at its ends. */
  readonly fields: ReadonlyMap<string, string>;
  /** Names of elements that are not read. */
  readonly unmapped: ReadonlySet<string>;
}

export interface EnexResource extends EnexPart {
  /** Null without data in base64. */
  readonly data: StoredData | null;
}

export interface EnexNote extends EnexPart {
  /** As written, with its CDATA section. */
  readonly content: string;
  readonly tags: readonly string[];
  readonly tasks: readonly EnexPart[];
  readonly resources: readonly EnexResource[];
  /** True if its texts are longer than a note may be; then they are incomplete. */
  readonly isTooLong: boolean;
  /** True if bytes of its texts are not UTF-8. */
  readonly isBroken: boolean;
}

interface EnexInput extends Pick<ConverterInput, "openFile"> {
  /** The path of the archive's entry; null for a bare file. */
  readonly entry: string | null;
  /** False for notes that are left out: their files are not stored. */
  readonly hasFiles: boolean;
}

type Kind = "note" | "resource" | "task";

const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  note: [
    ..."title content created tag author source-url latitude longitude place-name".split(" "),
    ..."reminder-time reminder-done-time".split(" "),
  ],
  resource: ["data", "mime", "file-name"],
  task: [
    ..."title created dueDate taskStatus statusUpdated timeZone sortWeight".split(" "),
    ..."noteLevelID taskGroupNoteLevelID".split(" "),
  ],
};
/** Elements that are left out without a count. */
const SILENT: Readonly<Record<Kind, readonly string[]>> = {
  note: ["updated", "source", "source-application", "reminder-order"],
  resource: ["width", "height", "duration", "recognition", "reco-type"],
  task: ["updated", "creator", "lastEditor", "dueDateUIOption"],
};
/** Elements whose children belong to the element around them. */
const CONTAINERS: readonly string[] = ["note-attributes", "resource-attributes"];
/** Elements that are counted unless they are `false`. */
const FLAGS: readonly string[] = ["taskFlag", "repeatAfterCompletion"];
/** Elements with CDATA sections that contain further ones. */
const RAW = ["content", "recognition"];
/** Maximum characters of the content, and of all other texts of a note. */
const MAX_LENGTH = PARSED_LIMITS.bytes;
/** Characters that a field, a file and a task count for in addition to their own. */
const FIELD_COST = 64;
const PART_COST = 400;
/** Characters of a title that are compared with links. */
const MAX_TITLE = 64 * 1024;

export async function* enexNotes(
  chunks: AsyncIterable<Uint8Array>,
  input: EnexInput,
): AsyncGenerator<EnexNote> {
  const reader = new NoteReader(input);
  const onReplaced = () => reader.hasReplaced = true;
  for await (const parts of readXml(chunks, { rawElements: RAW, entry: input.entry, onReplaced })) {
    for (const part of parts) {
      const note = await reader.read(part);
      if (note !== null) yield note;
    }
  }
}

/** The titles of the notes, as written. */
export async function* enexTitles(
  chunks: AsyncIterable<Uint8Array>,
  entry: string | null,
): AsyncGenerator<string> {
  const path: string[] = [];
  let title = "";
  for await (const parts of readXml(chunks, { rawElements: RAW, entry })) {
    for (const part of parts) {
      const isTitle = path.length === 3 && path[2] === "title";
      if (part.kind === "start") path.push(part.name);
      else if (part.kind === "text") title += isTitle && title.length < MAX_TITLE ? part.text : "";
      else path.pop();
      if (part.kind !== "end" || !isTitle) continue;
      yield ownText(title);
      title = "";
    }
  }
}

class OpenPart implements EnexResource {
  readonly kind: Kind;
  readonly fields = new Map<string, string>();
  readonly unmapped = new Set<string>();
  data: StoredData | null = null;

  constructor(kind: Kind) {
    this.kind = kind;
  }
}

class OpenNote extends OpenPart implements EnexNote {
  content = "";
  readonly tags: string[] = [];
  readonly tasks: EnexPart[] = [];
  readonly resources: EnexResource[] = [];
  isTooLong = false;
  isBroken = false;

  constructor() {
    super("note");
  }
}

class NoteReader {
  readonly #input: EnexInput;
  #note: OpenNote | null = null;
  /** The note, or a resource or task in it. */
  #part = new OpenPart("note");
  /** The open field, and its text. */
  #field: string | null = null;
  #pieces: string[] = [];
  #data: ResourceData | null = null;
  /** Open elements that are not read. */
  #ignored = 0;
  #contentLength = 0;
  #otherLength = 0;
  /** True once bytes of the file were not UTF-8. */
  hasReplaced = false;

  constructor(input: EnexInput) {
    this.#input = input;
  }

  /** The note that the part ends; null for any other part. */
  async read(part: XmlPart): Promise<EnexNote | null> {
    if (part.kind === "text") await this.#addText(part.text);
    else if (part.kind === "end") return await this.#end(part.name);
    else if (this.#ignored > 0 || this.#field !== null) this.#ignored++;
    else if (!await this.#open(part.name)) this.#ignored++;
    return null;
  }

  async #addText(text: string): Promise<void> {
    if (this.#data !== null) return await this.#data.add(text);
    if (this.#field !== null && this.#count(text.length)) this.#pieces.push(text);
  }

  /** False for an element that is not read. */
  async #open(name: string): Promise<boolean> {
    if (this.#note === null) return this.#openNote(name);
    const { kind } = this.#part;
    if (CONTAINERS.includes(name)) return true;
    if (kind === "note" && (name === "resource" || name === "task")) return this.#openPart(name);
    if (FIELDS[kind].includes(name) || kind === "task" && FLAGS.includes(name)) {
      this.#field = name;
      if (name === "data") this.#data = new ResourceData(await this.#input.openFile());
      return true;
    }
    if (!SILENT[kind].includes(name)) this.#addUnmapped(name);
    return false;
  }

  #openNote(name: string): boolean {
    if (name !== "note") return name === "en-export";
    this.#note = new OpenNote();
    this.#part = this.#note;
    this.#contentLength = 0;
    this.#otherLength = 0;
    return true;
  }

  #openPart(kind: "resource" | "task"): boolean {
    const isRead = kind === "task" || this.#input.hasFiles;
    if (!isRead || !this.#count(PART_COST)) return false;
    this.#part = new OpenPart(kind);
    return true;
  }

  async #end(name: string): Promise<EnexNote | null> {
    const note = this.#note;
    if (this.#ignored > 0) this.#ignored--;
    else if (this.#field !== null) await this.#endField(this.#field);
    else if (note === null || CONTAINERS.includes(name)) return null;
    else if (this.#part === note) {
      this.#note = null;
      return note;
    } else {
      (this.#part.kind === "task" ? note.tasks : note.resources).push(this.#part);
      this.#part = note;
    }
    return null;
  }

  async #endField(name: string): Promise<void> {
    const [note, part] = [this.#note, this.#part];
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#field = null;
    if (note !== null && this.hasReplaced && text.includes("\ufffd")) note.isBroken = true;
    if (this.#data !== null) {
      part.data = await this.#data.end();
      this.#data = null;
    } else if (name === "content") {
      if (note !== null) note.content ||= text;
    } else if (this.#count(FIELD_COST)) {
      const value = ownText(text.trim());
      if (FLAGS.includes(name)) return value === "false" ? undefined : this.#addUnmapped(name);
      if (name === "tag") note?.tags.push(value);
      else if (!part.fields.has(name)) part.fields.set(name, value);
    }
  }

  /** The note counts the unread elements of its files. */
  #addUnmapped(name: string): void {
    const { kind, unmapped } = this.#part;
    if (!this.#count(name.length + FIELD_COST)) return;
    const names = kind === "resource" ? this.#note?.unmapped : unmapped;
    names?.add(ownText(kind === "note" ? name : `${kind}.${name}`));
  }

  /** Counts characters that are kept; false if they are too many for a note. */
  #count(length: number): boolean {
    const note = this.#note;
    if (note === null || note.isTooLong) return false;
    if (this.#field === "content") this.#contentLength += length;
    else this.#otherLength += length;
    note.isTooLong = Math.max(this.#contentLength, this.#otherLength) > MAX_LENGTH;
    return !note.isTooLong;
  }
}
