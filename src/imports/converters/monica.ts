/** `monica-4`: the JSON export of Monica 4. */

import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type {
  Converted,
  Converter,
  SourceFile,
  SourceInput,
  SourceItem,
  SourceLink,
} from "./converter.ts";
import { readPeopleMapping, refusedItem } from "./people.ts";
import {
  assertExport,
  byUuid,
  entriesOf,
  type Entry,
  isStated,
  lineOf,
  listsOf,
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

/** Bytes that are examined to recognize the format. */
const HEAD_BYTES = 512;

/** Become items, or files of items. */
const READ_LISTS = ["contact", "relationship", "photo", "document", "activity"];
export const MONICA: Converter = {
  format: "monica-4",
  isNamed: false,
  kinds: ["text"],
  readMapping: readPeopleMapping,
  async sourceOf({ file }: SourceInput) {
    assertExport(await file.read(0, HEAD_BYTES));
    return "monica-4";
  },
  async *convert({ file }): AsyncGenerator<Converted> {
    const chunks: Uint8Array[] = [];
    // A chunk is lent.
    for await (const chunk of file.stream()) chunks.push(chunk.slice());
    yield* new AccountReader(parseMonica(Buffer.concat(chunks))).read();
  },
};

class AccountReader {
  readonly #account: Entry;
  readonly #lists: ReadonlyMap<string, readonly JsonValue[]>;
  readonly #index: MonicaIndex;
  readonly #files: ReadonlyMap<string, Entry>;
  /** Files that items name. */
  readonly #named = new Set<string>();

  constructor(account: JsonObject) {
    const [entry = {}] = entriesOf([account]);
    this.#account = entry;
    this.#lists = listsOf(account);
    this.#index = indexOf(entry, this.#lists);
    this.#files = byUuid(
      [...entriesOf(this.#lists.get("photo")), ...entriesOf(this.#lists.get("document"))],
    );
  }

  *read(): Generator<Converted> {
    for (const contact of entriesOf(this.#lists.get("contact"))) {
      const lists = listsOf(contact);
      yield this.#toItem(readContact(contact, lists, this.#index));
      for (const record of this.#recordsOf(contact, lists)) yield this.#toItem(record);
    }
    for (const entry of entriesOf(this.#account.journal_entries)) {
      if (entry.type === "entry") yield this.#toItem(readJournalEntry(entry));
      else yield left(entry.type === "day" ? "day" : "journal_entries");
    }
    yield* this.#leftOut();
  }

  #recordsOf(contact: Entry, lists: ReadonlyMap<string, readonly JsonValue[]>): MonicaRecord[] {
    const name = nameOf(contact);
    const [tasks, reminders, debts, events] = ["task", "reminder", "debt", "life_event"]
      .map((type) => entriesOf(lists.get(type))) as [Entry[], Entry[], Entry[], Entry[]];
    const known = byUuid(reminders);
    const { deceased_reminder = null, first_met_reminder = null } = contact;
    const further = entriesOf([deceased_reminder, first_met_reminder])
      .filter(({ uuid }) => isStated(uuid) && !known.has(String(uuid)));
    return [
      ...tasks.map((task) => readTask(task, name)),
      ...[...reminders, ...further].map((reminder) => readReminder(reminder, name)),
      ...debts.map((debt) => readDebt(debt, name)),
      ...events.map((event) =>
        readLifeEvent(event, this.#index.eventTypes.get(String(event.type)), name)
      ),
    ];
  }

  #toItem(record: MonicaRecord): Converted {
    const { key, target, title, payload, recordedAt, unmapped } = record;
    const { tags = [], files = [], links = [], refused } = record;
    if (refused !== undefined) return { kind: "item", item: refusedItem(key, target, refused) };
    for (const id of files) this.#named.add(id);
    const item: SourceItem = {
      unmapped,
      members: {
        ...{ key, target, title, payload },
        ...{ tags: [...tags], attachments: [...files] },
        ...recordedAt !== null && { recordedAt },
      },
      files: files.flatMap((id) => this.#fileOf(id)),
      people: { links },
    };
    return { kind: "item", item };
  }

  /** Empty without bytes. */
  #fileOf(id: string): SourceFile[] {
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

  /** Entries of the account that no item shows. */
  *#leftOut(): Generator<Converted> {
    for (const [type, values] of this.#lists) {
      if (!READ_LISTS.includes(type)) yield left(`${type}s`, values.length);
    }
    for (const type of ["photo", "document"]) {
      const unnamed = entriesOf(this.#lists.get(type))
        .filter(({ uuid }) => !this.#named.has(String(uuid))).length;
      if (unnamed > 0) yield left(`${type}s`, unnamed);
    }
    const { journal_entries: _, data: __, instance: ___, ...rest } = this.#account;
    for (const [name, value] of Object.entries(rest)) {
      if (["uuid", "created_at", "updated_at"].includes(name) || !isStated(value)) continue;
      yield left(name, Array.isArray(value) ? value.length : 1);
    }
  }
}

function left(name: string, count = 1): Converted {
  return { kind: "left", name, count };
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
): ReadonlyMap<string, readonly SourceLink[]> {
  const links = new Map<string, SourceLink[]>();
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
