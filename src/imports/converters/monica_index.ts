/** The second walk over an export of Monica: indexes the values that contacts refer to. */

import type { JsonObject } from "../../core/json.ts";
import { MAX_LIVE_DETAILS, MAX_MEMBER_LENGTH } from "../../families/relationship/import_port.ts";
import { firstCodePoints } from "../../validate/text.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { entryBytes, type ReadingBudget } from "../reading_budget.ts";
import type { ConverterInput, SourceLink } from "./converter.ts";
import type { Choice, JsonKind, JsonPart, JsonPath } from "./json_walk.ts";
import { type Entry, entryOf, lineOf, listsOf, titleOf, walkExport } from "./monica_file.ts";

/** Maximum contacts in the note of an activity. */
export const MAX_NAMED = 100;

/** Offsets of a value in the file. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

interface MonicaFile {
  readonly filename: string;
  readonly mediaType: string;
  /** The JSON string of its bytes; null without one. */
  readonly data: Extent | null;
  /** Number of entries with its identifier, by list. */
  readonly counts: Record<FileList, number>;
}

type FileList = "photo" | "document";

interface Participants {
  /** One more than `MAX_NAMED`, because a contact leaves itself out. */
  readonly first: string[];
  count: number;
}

export interface MonicaIndex {
  readonly names: ReadonlyMap<string, string>;
  readonly fieldTypes: ReadonlyMap<string, Entry>;
  readonly genders: ReadonlyMap<string, Entry>;
  readonly eventTypes: ReadonlyMap<string, Entry>;
  readonly activities: ReadonlyMap<string, Extent>;
  /** By activity. */
  readonly participants: ReadonlyMap<string, Participants>;
  /** By contact; at most one more than a person may have. */
  readonly links: ReadonlyMap<string, readonly SourceLink[]>;
  readonly files: ReadonlyMap<string, MonicaFile>;
}

/** Bytes in memory of an entry of these maps, in addition to its texts. */
const FACT_BYTES = 200;

export async function readIndex(
  { file, budget }: Pick<ConverterInput, "file" | "budget">,
  types: readonly (string | null)[],
): Promise<MonicaIndex> {
  const reader = new IndexReader(budget);
  await reader.read(file, types);
  return reader;
}

/** The account's lists of types, and their maps in the index. */
const TYPE_LISTS = {
  contact_field_types: "fieldTypes",
  genders: "genders",
  life_event_types: "eventTypes",
} as const;

class IndexReader implements MonicaIndex {
  readonly names = new Map<string, string>();
  readonly fieldTypes = new Map<string, Entry>();
  readonly genders = new Map<string, Entry>();
  readonly eventTypes = new Map<string, Entry>();
  readonly activities = new Map<string, Extent>();
  readonly participants = new Map<string, Participants>();
  readonly links = new Map<string, SourceLink[]>();
  readonly files = new Map<string, MonicaFile>();
  readonly #budget: ReadingBudget;
  /** Members of the current file. Its own override those of its properties. */
  #own: JsonObject = {};
  #properties: JsonObject = {};
  #relationships: { key: string; other: string; relation: string }[] = [];

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  async read(file: ByteSource, types: readonly (string | null)[]): Promise<void> {
    const listOf = (path: JsonPath) => types[Number(path[2])] ?? null;
    const parts = walkExport(file, (path, kind) => {
      if (path.length <= 1) return path.length === 0 || path[0] === "account" ? "enter" : "skip";
      const instance = pathInInstance(path);
      if (instance !== null) return chooseType(instance, kind);
      if (path[1] === "properties") return path.length === 2 ? "enter" : "skip";
      if (path[1] !== "data") return "skip";
      if (path.length <= 3) return "enter";
      return path[3] === "values" ? choosePart(path, kind, listOf(path)) : "skip";
    });
    for await (const part of parts) {
      const { path } = part;
      const instance = pathInInstance(path);
      if (instance?.length === 2) this.#addType(String(instance[0]), part);
      else if (path[1] === "data" && path[3] === "values") this.#add(listOf(path), part);
    }
    for (const { key, other, relation } of this.#relationships) this.#addLink(key, other, relation);
    this.#relationships = [];
  }

  #add(list: string | null, part: JsonPart): void {
    if (list === "photo" || list === "document") return this.#addFilePart(list, part);
    const { path, value, start, end } = part;
    const entry = entryOf(value);
    if (path.length !== 5 || entry === undefined) return;
    const uuid = String(entry.uuid);
    if (list === "contact") this.#addContact(uuid, entry);
    else if (list === "activity") {
      this.#hold(uuid);
      this.activities.set(uuid, { start, end });
    } else {
      const [key, other] = [String(entry.of_contact), String(entry.contact_is)];
      const relation = firstCodePoints(lineOf(entry.type), MAX_MEMBER_LENGTH) || "contact";
      this.#hold(key, other, relation);
      this.#relationships.push({ key, other, relation });
    }
  }

  #addContact(uuid: string, contact: Entry): void {
    const name = titleOf(contact);
    this.#hold(uuid, name);
    this.names.set(uuid, name);
    for (const id of listsOf(contact).get("activity") ?? []) {
      const key = String(id);
      const present = this.participants.get(key);
      if (present === undefined) {
        this.#hold(key);
        this.participants.set(key, { first: [uuid], count: 1 });
      } else {
        present.count++;
        if (present.first.length > MAX_NAMED) continue;
        this.#budget.hold(8, 1);
        present.first.push(uuid);
      }
    }
  }

  #addLink(key: string, other: string, relation: string): void {
    const links = this.links.get(key) ?? [];
    if (links.length > MAX_LIVE_DETAILS) return;
    const name = this.names.get(other) ?? other;
    links.push({ keys: [other], relation, name, detail: {} });
    this.#hold(key);
    this.links.set(key, links);
  }

  /** Keeps only the used members of a type. */
  #addType(list: string, { value }: JsonPart): void {
    const entry = entryOf(value);
    if (!isTypeList(list) || entry === undefined) return;
    const words: JsonObject = {};
    for (const member of ["type", "name", "translation_key"]) {
      const word = entry[member];
      if (typeof word === "string" || typeof word === "number") words[member] = word;
    }
    const uuid = String(entry.uuid);
    this.#hold(uuid, ...Object.values(words).map(String));
    this[TYPE_LISTS[list]].set(uuid, words);
  }

  /** Adds a member of the current file; at the end of its object, the file. */
  #addFilePart(list: FileList, { path, kind, value, start, end }: JsonPart): void {
    if (path.length === 5 && kind === "object") return this.#endFile(list);
    const member = path.at(-1);
    const members = path.length === 6 ? this.#own : this.#properties;
    if (member === "dataUrl") members.dataUrl = kind === "string" ? { start, end } : null;
    else if (isFileMember(member)) members[member] = value ?? null;
  }

  #endFile(list: FileList): void {
    const members = { ...this.#properties, ...this.#own };
    [this.#own, this.#properties] = [{}, {}];
    const { uuid, original_filename, mime_type, dataUrl = null } = members;
    const key = String(uuid);
    const filename = lineOf(original_filename);
    const mediaType = lineOf(mime_type);
    const counts = this.files.get(key)?.counts ?? { photo: 0, document: 0 };
    counts[list]++;
    this.#hold(key, filename, mediaType);
    this.files.set(key, {
      filename,
      mediaType,
      data: dataUrl as Extent & JsonObject | null,
      counts,
    });
  }

  #hold(...texts: readonly string[]): void {
    const bytes = texts.reduce((sum, text) => sum + entryBytes(text), FACT_BYTES);
    this.#budget.hold(bytes, 1);
  }
}

/** The path inside the instance, a member of the account or of its properties; null outside. */
function pathInInstance(path: JsonPath): JsonPath | null {
  if (path[1] === "instance") return path.slice(2);
  return path[1] === "properties" && path[2] === "instance" ? path.slice(3) : null;
}

function isTypeList(name: string): name is keyof typeof TYPE_LISTS {
  return Object.hasOwn(TYPE_LISTS, name);
}

/** @param path In the instance. */
function chooseType([list, position]: JsonPath, kind: JsonKind): Choice {
  if (list === undefined) return "enter";
  if (!isTypeList(String(list))) return "skip";
  if (position === undefined) return kind === "array" ? "enter" : "skip";
  return kind === "object" ? "take" : "skip";
}

function isFileMember(
  name: string | number | undefined,
): name is "uuid" | "original_filename" | "mime_type" {
  return name === "uuid" || name === "original_filename" || name === "mime_type";
}

/** @param path In the values of a list. */
function choosePart(path: JsonPath, kind: JsonKind, list: string | null): Choice {
  if (path.length === 4) return "enter";
  if (path.length === 5 && kind !== "object") return "skip";
  if (list === "contact" || list === "activity" || list === "relationship") return "take";
  if (list !== "photo" && list !== "document") return "skip";
  if (path.length === 5) return "enter";
  if (path.length === 6 && path[5] === "properties") return kind === "object" ? "enter" : "skip";
  return isFileMember(path.at(-1)) ? "take" : "skip";
}
