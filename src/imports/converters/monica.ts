/** Converts the JSON export of Monica 4. */

import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import {
  comparedForms,
  type Converted,
  type ConvertedFile,
  type ConvertedItem,
  type ConvertedLink,
  type UnmappedCounts,
} from "./converted.ts";
import {
  byUuid,
  entriesOf,
  type Entry,
  isStated,
  lineOf,
  listsOf,
  momentOf,
  parseMonica,
} from "./monica_file.ts";
import { type MonicaIndex, nameOf, readContact } from "./monica_person.ts";
import {
  type MonicaRecord,
  readDebt,
  readJournalEntry,
  readLifeEvent,
  readReminder,
  readTask,
} from "./monica_records.ts";

/** Become items, or files of items. */
const READ_LISTS = ["contact", "relationship", "photo", "document", "activity"];
/** Become parts of the person, or separate items. */
const READ_PARTS = new Set([
  ...["call", "contact_field", "debt", "gift", "note", "reminder", "task", "address", "pet"],
  ...["conversation", "life_event", "activity", "photo", "document"],
]);

const NO_PARTS = { tags: [], attachments: [], files: [], compared: [], links: [], members: [] };

/**
 * Reads the file whole.
 *
 * @param unmapped Counts content that no item shows: entries of the account, and each name once per item.
 * @throws ConversionError `import.format` or `import.version`.
 */
export async function* convertMonica(
  chunks: AsyncIterable<Uint8Array>,
  unmapped: UnmappedCounts,
): AsyncGenerator<Converted> {
  const account = parseMonica(Buffer.concat(await Array.fromAsync(chunks)));
  yield* new AccountReader(account, unmapped).read();
}

class AccountReader {
  readonly #account: Entry;
  readonly #lists: ReadonlyMap<string, readonly JsonValue[]>;
  readonly #index: MonicaIndex;
  readonly #files: ReadonlyMap<string, Entry>;
  readonly #unmapped: UnmappedCounts;
  readonly #keys = new Set<string>();
  #place = 0;

  constructor(account: JsonObject, unmapped: UnmappedCounts) {
    const [entry = {}] = entriesOf([account]);
    this.#account = entry;
    this.#lists = listsOf(account);
    this.#index = indexOf(entry, this.#lists);
    this.#files = byUuid(
      [...entriesOf(this.#lists.get("photo")), ...entriesOf(this.#lists.get("document"))],
    );
    this.#unmapped = unmapped;
  }

  *read(): Generator<Converted> {
    const named = new Set<string>();
    for (const contact of entriesOf(this.#lists.get("contact"))) {
      yield* this.#readContact(contact, named);
    }
    for (const entry of entriesOf(this.#account.journal_entries)) {
      if (entry.type === "entry") yield this.#toItem(readJournalEntry(entry), entry);
      else this.#unmapped.add(entry.type === "day" ? "day" : "journal_entries");
    }
    this.#count(named);
  }

  *#readContact(contact: Entry, named: Set<string>): Generator<Converted> {
    const lists = listsOf(contact);
    const { rule, payload, details, tags, files, links, unmapped } = readContact(
      contact,
      lists,
      this.#index,
    );
    const key = String(contact.uuid);
    if (rule !== null) yield { refused: { place: ++this.#place, key, rules: [rule] } };
    else {
      for (const id of files) named.add(id);
      const name = nameOf(contact);
      const others = [...lists.keys()].filter((type) => !READ_PARTS.has(type));
      const record: MonicaRecord = {
        key,
        target: "person",
        title: name,
        payload,
        unmapped: [...unmapped, ...others],
      };
      yield this.#toItem(record, contact, {
        tags,
        attachments: files,
        files: files.flatMap((id) => this.#fileOf(id)),
        compared: comparedForms(details),
        links,
      });
    }
    yield* this.#readRecords(contact, lists);
  }

  *#readRecords(
    contact: Entry,
    lists: ReadonlyMap<string, readonly JsonValue[]>,
  ): Generator<Converted> {
    const name = nameOf(contact);
    for (const task of entriesOf(lists.get("task"))) yield this.#toItem(readTask(task, name), task);
    const reminders = entriesOf(lists.get("reminder"));
    const known = byUuid(reminders);
    const { deceased_reminder = null, first_met_reminder = null } = contact;
    const further = entriesOf([deceased_reminder, first_met_reminder])
      .filter(({ uuid }) => isStated(uuid) && !known.has(String(uuid)));
    for (const reminder of [...reminders, ...further]) {
      yield this.#toItem(readReminder(reminder, name), reminder);
    }
    for (const debt of entriesOf(lists.get("debt"))) yield this.#toItem(readDebt(debt, name), debt);
    for (const event of entriesOf(lists.get("life_event"))) {
      const type = this.#index.eventTypes.get(String(event.type));
      yield this.#toItem(readLifeEvent(event, type, name), event);
    }
  }

  #toItem(
    record: MonicaRecord,
    { created_at }: Entry,
    parts: Partial<ConvertedItem> = {},
  ): Converted {
    const place = ++this.#place;
    const { key } = record;
    if (this.#keys.has(key)) return { refused: { place, key, rules: ["import.key"] } };
    this.#keys.add(key);
    for (const name of record.unmapped) this.#unmapped.add(name);
    const recordedAt = momentOf(created_at);
    const time = recordedAt === null ? {} : { recordedAt };
    return { item: { ...NO_PARTS, ...record, ...time, place, isIdentified: true, ...parts } };
  }

  /** Empty without bytes. */
  #fileOf(id: string): ConvertedFile[] {
    const { original_filename, mime_type, dataUrl } = this.#files.get(id) ?? {};
    const [, stated, base64] = /^data:([^;,]*);base64,([^]*)$/.exec(String(dataUrl ?? "")) ?? [];
    if (base64 === undefined) return [];
    return [{
      name: id,
      filename: lineOf(original_filename) || id,
      mediaType: lineOf(mime_type) || stated || "application/octet-stream",
      bytes: Uint8Array.from(Buffer.from(base64, "base64")),
    }];
  }

  /** Counts entries of the account that no item shows. */
  #count(named: ReadonlySet<string>): void {
    for (const [type, values] of this.#lists) {
      if (!READ_LISTS.includes(type)) this.#unmapped.add(`${type}s`, values.length);
    }
    for (const type of ["photo", "document"]) {
      const unnamed = entriesOf(this.#lists.get(type))
        .filter(({ uuid }) => !named.has(String(uuid))).length;
      if (unnamed > 0) this.#unmapped.add(`${type}s`, unnamed);
    }
    const { journal_entries: _, data: __, instance: ___, ...rest } = this.#account;
    for (const [name, value] of Object.entries(rest)) {
      if (["uuid", "created_at", "updated_at"].includes(name) || !isStated(value)) continue;
      this.#unmapped.add(name, Array.isArray(value) ? value.length : 1);
    }
  }
}

function indexOf(account: Entry, lists: ReadonlyMap<string, readonly JsonValue[]>): MonicaIndex {
  const contacts = entriesOf(lists.get("contact"));
  const names = new Map(contacts.map((contact) => [String(contact.uuid), nameOf(contact)]));
  const participants = new Map<string, string[]>();
  for (const contact of contacts) {
    for (const id of listsOf(contact).get("activity") ?? []) {
      const present = participants.get(String(id)) ?? [];
      participants.set(String(id), [...present, String(contact.uuid)]);
    }
  }
  const instance = isJsonObject(account.instance) ? account.instance : {};
  return {
    names,
    fieldTypes: byUuid(entriesOf(instance.contact_field_types)),
    genders: byUuid(entriesOf(instance.genders)),
    eventTypes: byUuid(entriesOf(instance.life_event_types)),
    activities: byUuid(entriesOf(lists.get("activity"))),
    participants,
    links: linksOf(entriesOf(lists.get("relationship")), names),
  };
}

/** By contact. */
function linksOf(
  relationships: readonly Entry[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly Omit<ConvertedLink, "at">[]> {
  const links = new Map<string, Omit<ConvertedLink, "at">[]>();
  for (const { type, contact_is, of_contact } of relationships) {
    const [key, other] = [String(of_contact), String(contact_is)];
    const link = {
      keys: [other],
      relation: lineOf(type) || "contact",
      name: names.get(other) ?? other,
      detail: {},
    };
    links.set(key, [...links.get(key) ?? [], link]);
  }
  return links;
}
