/** Locked and new people of imports. */

import type { Query } from "../../database/sql.ts";
import {
  claimed,
  type InsertedObject,
  type LeftOut,
  type LockedObject,
  type NewObject,
  type ObjectChange,
  type OwnerWrite,
  type PersonComparison,
} from "../../kit/import_target.ts";
import { appendRevision } from "../../kit/root.ts";
import { newContact } from "./contact.ts";
import { contactEntries } from "./contact_store.ts";
import { newExperiences } from "./experience.ts";
import { experienceEntries } from "./experience_store.ts";
import {
  decideImported,
  manyDetailEntries,
  manyPersonEntries,
  manyRetractionEntries,
  newDetails,
  type NewPerson,
} from "./imported_people.ts";
import type { PersonRow } from "./person.ts";
import { isNoDifference, type PersonDifference, personDifference } from "./person_difference.ts";
import {
  decideArchive,
  decideContact,
  decideDetail,
  decideRestore,
  isOpen,
  type NextPerson,
} from "./person_rules.ts";
import { PEOPLE, STORED_PEOPLE } from "./person_store.ts";
import { moved } from "./status_routes.ts";
import { findEntries, type StoredEntries } from "./stored_entries.ts";

/** A person who is locked, or new. */
class StoredPerson implements LockedObject {
  readonly #at: OwnerWrite;
  #row: PersonRow;
  #stored: StoredEntries | null = null;

  constructor(at: OwnerWrite, row: PersonRow) {
    this.#at = at;
    this.#row = row;
  }

  get revision(): number {
    return this.#row.revision;
  }

  get isArchived(): boolean {
    return !isOpen(this.#row);
  }

  async write({ content, comparison, isArchived }: ObjectChange): Promise<LeftOut> {
    const difference = content === null || comparison === undefined
      ? null
      : await this.#differenceOf(decideImported(content, this.#at.now), comparison);
    const isChanging = difference !== null && !isNoDifference(difference);
    if (this.#row.status === "ARCHIVED" && (isChanging || !isArchived)) {
      await this.#move(decideRestore);
    }
    if (isChanging) await this.#apply(difference);
    if (isOpen(this.#row) && isArchived) await this.#move(decideArchive);
    return difference ?? { rules: [], unmapped: [] };
  }

  async #differenceOf(
    person: NewPerson,
    comparison: PersonComparison,
  ): Promise<PersonDifference | null> {
    const { sql, owner } = this.#at;
    const { person_id } = this.#row;
    const entries = await findEntries(sql, owner, [person_id], person.contacts.length > 0);
    this.#stored = entries.get(person_id) ?? null;
    return this.#stored === null ? null : personDifference(person, this.#stored, comparison);
  }

  /** The added details come last. */
  async #apply({ name, added, gone, experiences, contacts }: PersonDifference): Promise<void> {
    await this.#addEntries({ experiences, contacts });
    if (name !== null) await this.#rename(name);
    await this.#changeDetails({ added, gone });
  }

  async #rename(person_name: string): Promise<void> {
    const { sql, owner, now } = this.#at;
    const { row, change } = appendRevision(this.#row, "MODIFIED", now, { person_name });
    await claimed(sql, STORED_PEOPLE.entries(sql, owner, row, change));
    this.#row = row;
  }

  /** Adds experiences and contacts. */
  async #addEntries(
    { experiences, contacts }: Pick<NewPerson, "experiences" | "contacts">,
  ): Promise<void> {
    const { sql, owner, now } = this.#at;
    const last = this.#stored?.lastExperience;
    const rows = newExperiences(this.#row.person_id, experiences, now, last);
    if (rows.length > 0) await claimed(sql, experienceEntries(sql, owner, rows));
    await this.addContacts(contacts);
  }

  async addContacts(contacts: NewPerson["contacts"]): Promise<void> {
    const { sql, owner, now } = this.#at;
    for (const columns of contacts) {
      const next = decideContact(this.#row, columns, now);
      await this.#append(next, contactEntries(sql, owner, newContact(next.row, columns)));
    }
  }

  async #changeDetails({ added, gone }: Pick<PersonDifference, "added" | "gone">): Promise<void> {
    const { sql, owner, now } = this.#at;
    if (gone.length > 0) {
      const next = decideDetail(this.#row, "DETAIL_CONTROLLED", now);
      await this.#append(next, manyRetractionEntries(sql, owner, next.row, gone));
    }
    if (added.length > 0) {
      const next = decideDetail(this.#row, "DETAIL_RECORDED", now);
      const rows = newDetails(next.row, added, this.#stored?.lastDetail);
      await this.#append(next, manyDetailEntries(sql, owner, rows));
    }
  }

  async #move(decide: typeof decideArchive): Promise<void> {
    const { sql, owner, now } = this.#at;
    const { row, change, entries } = moved(this.#row, decide(this.#row, now), undefined);
    const more = entries?.(sql, owner);
    if (change !== null && more !== undefined) await this.#append({ row, change }, more);
  }

  async #append({ row, change }: NextPerson, more: Query<object>): Promise<void> {
    const { sql, owner } = this.#at;
    await claimed(sql, sql`${STORED_PEOPLE.entries(sql, owner, row, change)}, ${more}`);
    this.#row = row;
  }
}

/** Inserts new people by one statement; each contact then appends a revision by its own. */
export async function insertPeople(
  at: OwnerWrite,
  objects: readonly NewObject[],
): Promise<readonly InsertedObject[]> {
  const people = objects.map(({ content, recordedAt }) => {
    return { ...decideImported(content, at.now), recordedAt };
  });
  await claimed(at.sql, manyPersonEntries(at.sql, at.owner, people));
  const inserted: InsertedObject[] = [];
  for (const { row, contacts } of people) {
    const stored = new StoredPerson(at, row);
    await stored.addContacts(contacts);
    inserted.push({ id: row.person_id, revision: stored.revision });
  }
  return inserted;
}

export async function lockPerson(at: OwnerWrite, personId: string): Promise<LockedObject | null> {
  const [row] = await PEOPLE.lock(at.sql, at.owner, { personId });
  return row === undefined ? null : new StoredPerson(at, row);
}
