/** Builds an account from its records, in the form of Monica's JSON export. */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../core/json.ts";
import { apiObjects, type ApiRecord } from "./answers.ts";
import { compareRecords } from "./lists.ts";
import {
  meetingNote,
  ownLists,
  PARTS,
  toActivity,
  toContact,
  toEntry,
  toFile,
  toJournalEntry,
  toList,
  toRelationship,
  TYPES,
} from "./monica_form.ts";

/** Records of the API, each list in its final order. */
export interface AccountRecords {
  readonly contacts: readonly ApiRecord[];
  readonly relationships: readonly ApiRecord[];
  /** By the name of the list in the API; without those that the server does not have. */
  readonly lists: ReadonlyMap<string, readonly ApiRecord[]>;
}

/** The account of an export. Its photos and documents have no bytes yet. */
export interface ExportAccount {
  readonly data: readonly JsonObject[];
  readonly properties: JsonObject;
  /** The types that entries refer to. */
  readonly instance: JsonObject;
}

/** The lists of each contact, by its identifier, then by type. */
type Parts = ReadonlyMap<string, ReadonlyMap<string, readonly JsonValue[]>>;

export function toAccount(records: AccountRecords): ExportAccount {
  const { contacts, relationships, lists } = records;
  const listOf = (name: string) => lists.get(name) ?? [];
  const photos = listOf("photos");
  const portraits = new Map(photos.map(({ link = null, uuid = null }) => [link, uuid]));
  const parts = partsOf(records);
  return {
    data: [
      ...toList("contact", contacts.map((contact) => contactEntry(contact, portraits, parts))),
      ...toList("relationship", relationships.map(toRelationship)),
      ...toList("photo", photos.map(toFile)),
      ...toList("document", listOf("documents").map(toFile)),
      ...toList("activity", listOf("activities").map(toActivity)),
    ],
    properties: { journal_entries: listOf("journal").map(toJournalEntry), ...others(records) },
    instance: typesOf(records),
  };
}

function contactEntry(
  contact: ApiRecord,
  portraits: ReadonlyMap<JsonValue, JsonValue>,
  parts: Parts,
): JsonObject {
  const { url = null } = objectOf(objectOf(contact.information).avatar);
  const own = new Map(parts.get(String(contact.uuid)));
  const meeting = meetingNote(contact);
  if (meeting !== null) own.set("note", [...own.get("note") ?? [], meeting]);
  const lists = [...own].flatMap(([type, values]) => toList(type, values));
  const portrait = url === null ? null : portraits.get(url) ?? null;
  return { ...toContact(contact, portrait), data: [...ownLists(contact), ...lists] };
}

function partsOf({ lists }: AccountRecords): Parts {
  const parts = new Map<string, Map<string, JsonValue[]>>();
  const add = (contact: JsonValue, type: string, value: JsonValue) => {
    if (!isJsonObject(contact)) return;
    const own = parts.getOrInsertComputed(String(contact.uuid), () => new Map());
    own.getOrInsertComputed(type, () => []).push(value);
  };
  for (const [list, { list: type, properties }] of Object.entries(PARTS)) {
    for (const record of lists.get(list) ?? []) {
      add(record.contact ?? null, type, toEntry(record, properties(record)));
    }
  }
  for (const { uuid = null, attendees } of lists.get("activities") ?? []) {
    const { contacts = [] } = objectOf(attendees);
    if (Array.isArray(contacts)) { for (const contact of contacts) add(contact, "activity", uuid); }
  }
  for (const [list, type] of [["photos", "photo"], ["documents", "document"]] as const) {
    for (const { uuid = null, contact = null } of lists.get(list) ?? []) add(contact, type, uuid);
  }
  return parts;
}

/** Records without a contact, such as some tasks. An import counts them. */
function others({ lists }: AccountRecords): JsonObject {
  return Object.fromEntries(
    Object.entries(PARTS).flatMap(([list, { properties }]) => {
      const alone = (lists.get(list) ?? []).filter(({ contact }) => !isJsonObject(contact));
      const entries = alone.map((record) => toEntry(record, properties(record)));
      return entries.length === 0 ? [] : [[list, entries]];
    }),
  );
}

function typesOf({ contacts, lists }: AccountRecords): JsonObject {
  const types = new Map(
    Object.values(TYPES).map(({ list }) => [list, new Map<string, ApiRecord>()]),
  );
  for (const records of [contacts, ...lists.values()]) {
    for (const object of records.flatMap((record) => [...apiObjects(record)])) {
      const list = TYPES[String(object.object)]?.list ?? "";
      types.get(list)?.set(String(object.uuid), object);
    }
  }
  return Object.fromEntries(
    Object.values(TYPES).map(({ list, properties }) => [
      list,
      [...types.get(list)?.values() ?? []].toSorted(compareRecords)
        .map((type) => toEntry(type, properties(type))),
    ]),
  );
}
