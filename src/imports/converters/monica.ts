/** `monica-4`: the JSON export of Monica 4. */

import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type {
  Converted,
  Converter,
  PeopleFacts,
  SourceFile,
  SourceInput,
  SourceItem,
  SourceLink,
} from "./converter.ts";
import {
  comparedForms,
  ItemKeys,
  NO_PEOPLE_FACTS,
  readPeopleMapping,
  withCategories,
} from "./people.ts";
import {
  assertExport,
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

/** Bytes that are examined to recognize the format. */
const HEAD_BYTES = 512;

/** Become items, or files of items. */
const READ_LISTS = ["contact", "relationship", "photo", "document", "activity"];
/** Become parts of the person, or separate items. */
const READ_PARTS = new Set([
  ...["call", "contact_field", "debt", "gift", "note", "reminder", "task", "address", "pet"],
  ...["conversation", "life_event", "activity", "photo", "document"],
]);

export const MONICA: Converter = {
  format: "monica-4",
  isNamed: false,
  archives: [],
  acceptsText: true,
  hasParts: false,
  leftOut: null,
  readMapping: readPeopleMapping,
  needsMapping: false,
  async sourceOf({ file }: SourceInput) {
    assertExport(await file.read(0, HEAD_BYTES));
    return "monica-4";
  },
  async *convert({ file, mapping }): AsyncGenerator<Converted> {
    const chunks: Uint8Array[] = [];
    // A chunk is lent.
    for await (const chunk of file.stream(0, file.size)) chunks.push(chunk.slice());
    yield* new AccountReader(parseMonica(Buffer.concat(chunks)), mapping).read();
  },
};

class AccountReader {
  readonly #account: Entry;
  readonly #lists: ReadonlyMap<string, readonly JsonValue[]>;
  readonly #index: MonicaIndex;
  readonly #files: ReadonlyMap<string, Entry>;
  readonly #mapping: JsonObject | null;
  readonly #keys = new ItemKeys();
  #place = 0;

  constructor(account: JsonObject, mapping: JsonObject | null) {
    const [entry = {}] = entriesOf([account]);
    this.#account = entry;
    this.#lists = listsOf(account);
    this.#index = indexOf(entry, this.#lists);
    this.#files = byUuid(
      [...entriesOf(this.#lists.get("photo")), ...entriesOf(this.#lists.get("document"))],
    );
    this.#mapping = mapping;
  }

  *read(): Generator<Converted> {
    const named = new Set<string>();
    for (const contact of entriesOf(this.#lists.get("contact"))) {
      yield* this.#readContact(contact, named);
    }
    for (const entry of entriesOf(this.#account.journal_entries)) {
      if (entry.type === "entry") yield this.#toItem(readJournalEntry(entry), entry);
      else yield left(entry.type === "day" ? "day" : "journal_entries");
    }
    yield* this.#leftOut(named);
  }

  *#readContact(contact: Entry, named: Set<string>): Generator<Converted> {
    const lists = listsOf(contact);
    const { rule, payload, details, tags, files, links, unmapped } = readContact(
      contact,
      lists,
      this.#index,
    );
    const key = String(contact.uuid);
    if (rule !== null) yield this.#refuse(key, "person", rule);
    else {
      for (const id of files) named.add(id);
      const name = nameOf(contact);
      const others = [...lists.keys()].filter((type) => !READ_PARTS.has(type));
      const record: MonicaRecord = {
        key,
        target: "person",
        title: name,
        payload: withCategories(payload, tags, this.#mapping),
        unmapped: [...unmapped, ...others],
      };
      yield this.#toItem(record, contact, {
        members: { tags: [...tags], attachments: [...files] },
        files: files.flatMap((id) => this.#fileOf(id)),
        people: { compared: comparedForms(details), links },
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
    { key, target, title, payload, unmapped }: MonicaRecord,
    { created_at }: Entry,
    parts: ItemParts = {},
  ): Converted {
    const place = ++this.#place;
    const taken = this.#keys.take(key, place);
    if (taken.isRefused) {
      return { kind: "item", item: refused(place, taken.key, target, "import.key") };
    }
    const recordedAt = momentOf(created_at);
    const time = recordedAt === null ? {} : { recordedAt };
    const item: SourceItem = {
      ...{ place, unmapped },
      members: { key, target, title, payload, ...time, ...parts.members },
      files: parts.files ?? [],
      people: { ...NO_PEOPLE_FACTS, ...parts.people },
    };
    return { kind: "item", item };
  }

  #refuse(own: string, target: string, rule: string): Converted {
    const place = ++this.#place;
    return { kind: "item", item: refused(place, this.#keys.take(own, place).key, target, rule) };
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
  *#leftOut(named: ReadonlySet<string>): Generator<Converted> {
    for (const [type, values] of this.#lists) {
      if (!READ_LISTS.includes(type)) yield left(`${type}s`, values.length);
    }
    for (const type of ["photo", "document"]) {
      const unnamed = entriesOf(this.#lists.get(type))
        .filter(({ uuid }) => !named.has(String(uuid))).length;
      if (unnamed > 0) yield left(`${type}s`, unnamed);
    }
    const { journal_entries: _, data: __, instance: ___, ...rest } = this.#account;
    for (const [name, value] of Object.entries(rest)) {
      if (["uuid", "created_at", "updated_at"].includes(name) || !isStated(value)) continue;
      yield left(name, Array.isArray(value) ? value.length : 1);
    }
  }
}

/** Parts of an item in addition to its record. */
interface ItemParts {
  readonly members?: JsonObject;
  readonly files?: readonly SourceFile[];
  readonly people?: Pick<PeopleFacts, "compared" | "links">;
}

function refused(place: number, key: string, target: string, rule: string): SourceItem {
  return { place, members: { key, target }, refused: [rule], people: NO_PEOPLE_FACTS };
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
