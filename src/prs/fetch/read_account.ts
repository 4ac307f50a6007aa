/** Reads an account: the lists, and the people whom they name. */

import type { JsonObject } from "../../core/json.ts";
import { note } from "../terminal.ts";
import type { AccountRecords } from "./account.ts";
import { type Answers, apiObjects, type ApiRecord, readRecord, readRecords } from "./answers.ts";
import { compareRecords, type Listed, readList } from "./lists.ts";

/** Lists of the API in the order of reading. */
const LISTS = [
  "contacts",
  "notes",
  "calls",
  "conversations",
  "activities",
  "reminders",
  "tasks",
  "gifts",
  "debts",
  "pets",
  "lifeevents",
  "documents",
  "photos",
  "journal",
];

export interface ReadAccount extends AccountRecords {
  /** The stored pages of photos, by their identifiers. */
  readonly photoFiles: ReadonlyMap<string, string>;
}

export async function readAccount(answers: Answers): Promise<ReadAccount> {
  const listed = new Map<string, readonly Listed[]>();
  for (const list of LISTS) {
    const records = await readList(answers, list);
    if (records !== null) listed.set(list, records);
  }
  const lists = new Map([...listed].map(([list, all]) => [list, all.map(({ record }) => record)]));
  const photos = listed.get("photos") ?? [];
  const photoFiles = new Map(photos.map(({ record, file }) => [String(record.uuid), file]));
  return { ...await readPeople(answers, lists), lists, photoFiles };
}

/**
 * Reads the relationships of each contact. Contacts that the list lacks, because they are archived
 * or partial, are read one by one if a record names them.
 */
async function readPeople(
  answers: Answers,
  lists: ReadonlyMap<string, readonly ApiRecord[]>,
): Promise<Pick<AccountRecords, "contacts" | "relationships">> {
  const contacts = new Map((lists.get("contacts") ?? []).map((each) => [Number(each.id), each]));
  const relationships = new Map<string, ApiRecord>();
  /** In the form in which a record has them first. Grows while it is walked. */
  const named = new Map<number, ApiRecord>();
  const see = (record: JsonObject) => {
    for (const each of apiObjects(record)) {
      if (each.object === "contact" && !named.has(Number(each.id))) {
        named.set(Number(each.id), each);
      }
    }
  };
  for (const records of lists.values()) records.forEach(see);
  for (const [id, short] of named) {
    if (!contacts.has(id)) {
      const contact = await readContact(answers, id) ?? short;
      contacts.set(id, contact);
      see(contact);
      note(`contacts ${contacts.size}`);
    }
    const before = relationships.size;
    for (const relationship of await readRelationships(answers, id)) {
      relationships.set(String(relationship.uuid), relationship);
      see(relationship);
    }
    if (relationships.size > before) note(`relationships ${relationships.size}`);
  }
  return {
    contacts: [...contacts.values()].toSorted(compareRecords),
    relationships: [...relationships.values()].toSorted(compareRecords),
  };
}

async function readContact(answers: Answers, id: number): Promise<ApiRecord | null> {
  const path = `contacts/${id}?with=contactfields`;
  return await answers.read(`contacts/${id}`, `contact-${id}.json`, path, readRecord);
}

async function readRelationships(answers: Answers, id: number): Promise<readonly ApiRecord[]> {
  const path = `contacts/${id}/relationships`;
  const file = `relationships-${id}.json`;
  return await answers.read("relationships", file, path, readRecords) ?? [];
}
