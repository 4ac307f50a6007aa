/** Locked and new people of imports. */

import type { Query } from "../../database/sql.ts";
import {
  claimed,
  type InsertedObject,
  type LockedObject,
  type NewObject,
  type ObjectChange,
  type OwnerWrite,
} from "../../kit/import_target.ts";
import { newContact } from "./contact.ts";
import { contactEntries } from "./contact_store.ts";
import type { DetailRow } from "./detail.ts";
import { findLiveDetails } from "./detail_store.ts";
import { MAX_LIVE_DETAILS } from "./detail_value.ts";
import { newExperience } from "./experience.ts";
import { experienceEntries } from "./experience_store.ts";
import {
  decideImported,
  type DetailDifference,
  detailDifference,
  manyDetailEntries,
  manyPersonEntries,
  manyRetractionEntries,
  newDetails,
  type NewPerson,
} from "./imported_people.ts";
import type { PersonRow } from "./person.ts";
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

/** A person who is locked, or new. */
class StoredPerson implements LockedObject {
  readonly #at: OwnerWrite;
  #row: PersonRow;

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

  async write(change: ObjectChange): Promise<void> {
    const { content, own = null, isArchived } = change;
    if (this.#row.status === "ARCHIVED" && !isArchived) await this.#move(decideRestore);
    if (content !== null) {
      if (own === null) await this.#addEntries(decideImported(content, this.#at.now));
      await this.#changeDetails(await this.#differenceOf(change));
    }
    if (isOpen(this.#row) && isArchived) await this.#move(decideArchive);
  }

  async refusal(change: ObjectChange): Promise<string | null> {
    const { added, gone, live, links } = await this.#differenceOf(change);
    const { laterLinks = 0 } = change;
    const count = live + added.length - gone.length + Math.max(0, laterLinks - links);
    return count > MAX_LIVE_DETAILS ? "detail.count" : null;
  }

  /** Adds experiences and contacts. */
  async #addEntries({ experiences, contacts }: NewPerson): Promise<void> {
    const { sql, owner } = this.#at;
    const { person_id, updated_at } = this.#row;
    const rows = experiences.map((columns) => newExperience(person_id, columns, updated_at));
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

  /** Adds and retracts details; the added ones come last. */
  async #changeDetails({ added, gone }: DetailDifference): Promise<void> {
    const { sql, owner, now } = this.#at;
    if (gone.length > 0) {
      const next = decideDetail(this.#row, "DETAIL_CONTROLLED", now);
      await this.#append(next, manyRetractionEntries(sql, owner, next.row, gone));
    }
    if (added.length > 0) {
      const next = decideDetail(this.#row, "DETAIL_RECORDED", now);
      await this.#append(next, manyDetailEntries(sql, owner, newDetails(next.row, added)));
    }
  }

  async #differenceOf({ content, own = null, part }: ObjectChange) {
    if (content === null) return { added: [], gone: [], live: 0, links: 0 };
    const { sql, owner, now } = this.#at;
    const live = await findLiveDetails(sql, owner, [this.#row.person_id], true);
    const written = new Set<DetailRow>(live.filter((row) => own?.(row.person_revision)));
    const isLink = ({ kind }: DetailRow) => kind === "LINK";
    const isOwn = (row: DetailRow) =>
      written.has(row) && (part === undefined || isLink(row) === (part === "links"));
    const { details } = decideImported(content, now);
    const difference = detailDifference(details, live, isOwn);
    const links = part === "others" ? [...written].filter(isLink).length : 0;
    return { ...difference, live: live.length, links };
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
