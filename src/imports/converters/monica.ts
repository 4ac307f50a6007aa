/**
 * `monica-4`: the JSON export of Monica 4. The file is walked three times: for the types of its
 * lists, for an index of the values that contacts refer to, and for the items. One contact is in
 * memory at a time.
 */

import type { JsonValue } from "../../core/json.ts";
import { ReadAhead } from "../archive/file_source.ts";
import { entryBytes } from "../reading_budget.ts";
import type {
  Converted,
  Converter,
  ConverterInput,
  SourceFile,
  SourceInput,
  SourceItem,
} from "./converter.ts";
import {
  type Choice,
  type JsonKind,
  type JsonPart,
  type JsonPath,
  PARSED_LIMITS,
} from "./json_walk.ts";
import { storeData } from "./monica_data.ts";
import {
  assertExport,
  entriesOf,
  type Entry,
  entryOf,
  hasContent,
  listsOf,
  readListTypes,
  titleOf,
  walkExport,
} from "./monica_file.ts";
import { type MonicaIndex, readIndex } from "./monica_index.ts";
import { readContact } from "./monica_person.ts";
import {
  type MonicaRecord,
  readDebt,
  readJournalEntry,
  readLifeEvent,
  readTask,
} from "./monica_records.ts";
import { readReminder, type Reminders, remindersOf } from "./monica_reminders.ts";
import { PEOPLE_MAPPING, refusedItem } from "./people.ts";

/** Bytes that are examined to recognize the format. */
const HEAD_BYTES = 512;
/** Bytes that are read ahead for the activities of a contact. */
const AHEAD_BYTES = 16 * 1024;

/** Lists that become items, or files of items. */
const READ_LISTS = ["contact", "relationship", "photo", "document", "activity"];
/** Members of the account that are read, or that have no content. */
const READ_MEMBERS = ["uuid", "created_at", "updated_at", "journal_entries", "data", "instance"];

export const MONICA: Converter = {
  format: "monica-4",
  title: { en: "Monica 4 (JSON)", de: "Monica 4 (JSON)" },
  isNamed: false,
  hasSign: ({ isArchive, json }) => !isArchive && json.some(isMonica),
  kinds: ["text"],
  mapping: PEOPLE_MAPPING,
  async sourceOf({ file }: SourceInput) {
    assertExport(await file.read(0, HEAD_BYTES));
    return "monica-4";
  },
  async *convert(input): AsyncGenerator<Converted> {
    const types = await readListTypes(input.file, input.budget);
    const index = await readIndex(input, types);
    yield* new AccountReader(input, types, index).read();
  },
};

class AccountReader {
  readonly #input: ConverterInput;
  readonly #types: readonly (string | null)[];
  readonly #index: MonicaIndex;
  readonly #ahead: ReadAhead;
  /** Stored files by identifier; null for a file without bytes. */
  readonly #files = new Map<string, SourceFile | null>();

  constructor(input: ConverterInput, types: readonly (string | null)[], index: MonicaIndex) {
    this.#input = input;
    this.#types = types;
    this.#index = index;
    this.#ahead = new ReadAhead(input.file, AHEAD_BYTES);
  }

  async *read(): AsyncGenerator<Converted> {
    const parts = walkExport(this.#input.file, (path, kind) => this.#choose(path, kind));
    for await (const part of parts) {
      const { path, value, rule } = part;
      if (isJournalEntry(path)) {
        if (rule !== undefined) yield refused("memory", rule);
        else yield await this.#readJournal(value);
      } else if (path[1] === "data") {
        const type = this.#types[Number(path[2])] ?? null;
        if (type === "contact" && path.length === 5) yield* this.#readContact(part);
        else if (type !== null && path.length === 4 && path[3] === "values") {
          if (!READ_LISTS.includes(type)) yield unmapped(`${type}s`, part.length);
        }
      } else if (isOtherMember(path)) {
        const count = countOf(part);
        if (count > 0) yield unmapped(String(path.at(-1)), count);
      }
    }
    yield* this.#unnamedFiles();
    yield* this.#unnamedEntries();
  }

  #choose(path: JsonPath, kind: JsonKind): Choice {
    if (path.length <= 1) return path.length === 0 || path[0] === "account" ? "enter" : "skip";
    if (isJournal(path)) return "enter";
    if (isJournalEntry(path)) return kind === "object" ? "take" : "skip";
    if (path[1] === "data") return this.#chooseInData(path, kind);
    if (path.length === 2 && path[1] === "properties") return kind === "object" ? "enter" : "skip";
    if (!isOtherMember(path)) return "skip";
    return kind === "array" ? "enter" : "take";
  }

  #chooseInData(path: JsonPath, kind: JsonKind): Choice {
    if (path.length <= 3) return "enter";
    const type = this.#types[Number(path[2])] ?? null;
    if (path[3] !== "values" || type === null) return "skip";
    if (path.length === 4) return "enter";
    return type === "contact" && kind === "object" ? "take" : "skip";
  }

  async *#readContact({ value, rule }: JsonPart): AsyncGenerator<Converted> {
    if (rule !== undefined) return yield refused("person", rule);
    const contact = entryOf(value);
    if (contact === undefined) return;
    const lists = listsOf(contact);
    const reminders = remindersOf(contact, lists);
    const ownActivities = await this.#activitiesOf(lists.get("activity") ?? []);
    if (ownActivities === null) yield refused("person", "import.item_size", String(contact.uuid));
    else {yield await this.#toItem(
        readContact(contact, lists, { ...this.#index, ownActivities, reminders }),
      );}
    for (const record of recordsOf(contact, lists, reminders, this.#index)) {
      yield await this.#toItem(record);
    }
    if (reminders.ofDate > 0) yield unmapped("reminder.of_date", reminders.ofDate);
  }

  /** The activities of a contact by identifier; null if they are larger than an item may be. */
  async #activitiesOf(ids: readonly JsonValue[]): Promise<ReadonlyMap<string, Entry> | null> {
    const { budget } = this.#input;
    const activities = new Map<string, Entry>();
    let size = 0;
    for (const id of new Set(ids.map(String))) {
      const extent = this.#index.activities.get(id);
      if (extent === undefined) continue;
      size += extent.end - extent.start;
      if (size > PARSED_LIMITS.bytes) return null;
      await budget.turn(0);
      const bytes = await this.#ahead.read(extent.start, extent.end - extent.start);
      const activity = entryOf(JSON.parse(new TextDecoder().decode(bytes)));
      if (activity !== undefined) activities.set(id, activity);
    }
    return activities;
  }

  async #readJournal(value: JsonValue | undefined): Promise<Converted> {
    const entry = entryOf(value) ?? {};
    if (entry.type === "entry") return await this.#toItem(readJournalEntry(entry));
    return unmapped(entry.type === "day" ? "day" : "journal_entries");
  }

  async #toItem(record: MonicaRecord): Promise<Converted> {
    const { key, target, title, payload, recordedAt, unmapped } = record;
    const { tags = [], files: ids = [], links = [], formerRecords, rules = [] } = record;
    const files: SourceFile[] = [];
    for (const id of ids) {
      const file = await this.#fileOf(id);
      if (file !== null) files.push(file);
    }
    const members = {
      key,
      target,
      title,
      payload,
      tags: [...tags],
      attachments: [...ids],
      ...recordedAt !== null && { recordedAt },
      ...record.archived === true && { archived: true },
    };
    const { earlier, rhythm, isKnownOnly = false } = record;
    const item: SourceItem = {
      unmapped,
      files,
      rules,
      members,
      isKnownOnly,
      ...rhythm !== undefined && { rhythm },
      ...earlier !== undefined && {
        earlier: {
          members: { ...members, target: earlier.target, payload: earlier.payload },
          rules: [],
        },
      },
      people: { links, ...formerRecords !== undefined && { formerRecords } },
    };
    return { kind: "item", item };
  }

  /** Stores a file once. Returns null for a file without bytes. */
  async #fileOf(id: string): Promise<SourceFile | null> {
    const known = this.#files.get(id);
    if (known !== undefined) return known;
    const { filename = "", mediaType = "", data = null } = this.#index.files.get(id) ?? {};
    const stored = data === null ? null : await storeData(this.#input, data);
    const file = stored === null ? null : {
      name: id,
      sha256: stored.sha256,
      size: stored.size,
      filename: filename || id,
      mediaType: mediaType || stored.stated || "application/octet-stream",
    };
    this.#input.budget.hold(entryBytes(id) + entryBytes(stored?.sha256 ?? ""), 0);
    this.#files.set(id, file);
    return file;
  }

  /** Counts the files that no item refers to. */
  *#unnamedFiles(): Generator<Converted> {
    let [photos, documents] = [0, 0];
    for (const [id, { counts }] of this.#index.files) {
      if (this.#files.has(id)) continue;
      photos += counts.photo;
      documents += counts.document;
    }
    if (photos > 0) yield unmapped("photos", photos);
    if (documents > 0) yield unmapped("documents", documents);
  }

  /** Counts the activities and relationships of contacts that the file does not have. */
  *#unnamedEntries(): Generator<Converted> {
    const { activities, participants, links, names } = this.#index;
    const alone = [...activities.keys()].filter((id) => !participants.has(id)).length;
    const unknown = [...links].filter(([contact]) => !names.has(contact));
    const relationships = unknown.reduce((sum, [, each]) => sum + each.length, 0);
    if (alone > 0) yield unmapped("activities", alone);
    if (relationships > 0) yield unmapped("relationships", relationships);
  }
}

function* recordsOf(
  contact: Entry,
  lists: ReadonlyMap<string, readonly JsonValue[]>,
  { yearly, others }: Reminders,
  { eventTypes }: MonicaIndex,
): Generator<MonicaRecord> {
  const name = titleOf(contact);
  for (const task of entriesOf(lists.get("task"))) yield readTask(task, name);
  for (const reminder of others) yield readReminder(reminder, name);
  for (const reminder of yearly) {
    yield { ...readReminder(reminder, name), unmapped: [], isKnownOnly: true };
  }
  for (const debt of entriesOf(lists.get("debt"))) yield readDebt(debt, name);
  for (const event of entriesOf(lists.get("life_event"))) {
    yield readLifeEvent(event, eventTypes.get(String(event.type)), name);
  }
}

function refused(target: string, rule: string, key?: string): Converted {
  return { kind: "item", item: refusedItem(key, target, rule) };
}

function unmapped(name: string, count = 1): Converted {
  return { kind: "unmapped", name, count };
}

/** True for the journal, a member of the account or of its properties. */
function isJournal(path: JsonPath): boolean {
  const member = path.length === 3 && path[1] === "properties" ? path[2] : path[1];
  return path.length <= 3 && member === "journal_entries" && typeof path.at(-1) === "string";
}

function isJournalEntry(path: JsonPath): boolean {
  return typeof path.at(-1) === "number" && isJournal(path.slice(0, -1));
}

/** True for a member of the account that no item shows. */
function isOtherMember(path: JsonPath): boolean {
  const isMember = path.length === 2 && path[1] !== "properties" ||
    path.length === 3 && path[1] === "properties";
  return isMember && !READ_MEMBERS.includes(String(path.at(-1)));
}

function countOf({ kind, value, rule, length }: JsonPart): number {
  if (kind === "array") return length;
  return rule !== undefined || hasContent(value) ? 1 : 0;
}

function isMonica(text: string): boolean {
  return /"version"\s*:\s*"1\.0-preview/.test(text) && text.includes('"account"');
}
