/** People: new ones, and what items add to people who are there. */

import { idAfter } from "../core/ids.ts";
import type { Query } from "../database/sql.ts";
import { newContact } from "../families/relationship/contact.ts";
import { contactEntries } from "../families/relationship/contact_store.ts";
import { type DetailBody, type DetailRow, newDetail } from "../families/relationship/detail.ts";
import { findLiveDetails } from "../families/relationship/detail_store.ts";
import { MAX_LIVE_DETAILS } from "../families/relationship/detail_value.ts";
import { newExperience } from "../families/relationship/experience.ts";
import { experienceEntries } from "../families/relationship/experience_store.ts";
import {
  type DetailDifference,
  detailDifference,
  manyDetailEntries,
  manyRetractionEntries,
  type NewPerson,
} from "../families/relationship/imported_people.ts";
import type { PersonRow } from "../families/relationship/person.ts";
import {
  decideArchive,
  decideContact,
  decideDetail,
  decideRestore,
  isOpen,
} from "../families/relationship/person_rules.ts";
import { importedPeople, PEOPLE, STORED_PEOPLE } from "../families/relationship/person_store.ts";
import { moved } from "../families/relationship/status_routes.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { comparedForms } from "./converters/people.ts";
import {
  claimed,
  type LockedObject,
  type ObjectChange,
  type OwnerWrite,
  type WrittenRevision,
} from "./locked_object.ts";

/** A person who is locked, or new. */
class StoredPerson implements LockedObject {
  readonly #at: OwnerWrite;
  #row: PersonRow;
  /** Revisions that the running write made. */
  #written: WrittenRevision[] = [];

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

  async create(person: NewPerson, recordedAt: Date): Promise<readonly WrittenRevision[]> {
    const { sql, owner } = this.#at;
    const root = importedPeople(recordedAt).entries(sql, owner, this.#row, "CREATED");
    const details = newDetails(this.#row, person.details);
    const entries = details.length === 0
      ? root
      : sql`${root}, ${manyDetailEntries(sql, owner, details)}`;
    await claimed(sql, entries);
    this.#note();
    await this.#addEntries(person);
    return this.#written;
  }

  async write(change: ObjectChange): Promise<readonly WrittenRevision[]> {
    const { content, own = null, isArchived } = change;
    this.#written = [];
    if (this.#row.status === "ARCHIVED" && !isArchived) await this.#move(decideRestore);
    if (content?.target === "people") {
      if (own === null) await this.#addEntries(content.person);
      await this.#changeDetails(await this.#differenceOf(change));
    }
    if (isOpen(this.#row) && isArchived) await this.#move(decideArchive);
    return this.#written;
  }

  async refusal(change: ObjectChange): Promise<string | null> {
    const { added, gone, live, links } = await this.#differenceOf(change);
    const { laterLinks = 0 } = change;
    const count = live + added.length - gone.length + Math.max(0, laterLinks - links);
    return count > MAX_LIVE_DETAILS ? "detail.count" : null;
  }

  /** Adds experiences and contacts. */
  async #addEntries({ experiences, contacts }: NewPerson): Promise<void> {
    const { sql, owner, now } = this.#at;
    for (const columns of experiences) {
      const { person_id, updated_at } = this.#row;
      const experience = newExperience(person_id, columns, updated_at);
      await claimed(sql, experienceEntries(sql, owner, experience));
    }
    for (const columns of contacts) {
      const next = decideContact(this.#row, columns.contacted_at, now);
      await this.#take(next, contactEntries(sql, owner, newContact(next.row, columns)));
    }
  }

  /** Adds and retracts details; the added ones come last. */
  async #changeDetails({ added, gone }: DetailDifference): Promise<void> {
    const { sql, owner, now } = this.#at;
    if (gone.length > 0) {
      const next = decideDetail(this.#row, "DETAIL_CONTROLLED", now);
      await this.#take(next, manyRetractionEntries(sql, owner, next.row, gone));
    }
    if (added.length > 0) {
      const next = decideDetail(this.#row, "DETAIL_RECORDED", now);
      await this.#take(next, manyDetailEntries(sql, owner, newDetails(next.row, added)));
    }
  }

  async #differenceOf({ content, own = null, part }: ObjectChange) {
    if (content?.target !== "people") return { added: [], gone: [], live: 0, links: 0 };
    const { sql, owner } = this.#at;
    const live = await findLiveDetails(sql, owner, [this.#row.person_id], true);
    const written = new Set(live.filter((row) => own?.(row.person_revision)));
    const isLink = ({ kind }: DetailRow) => kind === "LINK";
    const isOwn = (row: DetailRow) =>
      written.has(row) && (part === undefined || isLink(row) === (part === "links"));
    const difference = detailDifference(content.person.details, live, isOwn, compare);
    const links = part === "others" ? [...written].filter(isLink).length : 0;
    return { ...difference, live: live.length, links };
  }

  async #move(decide: typeof decideArchive): Promise<void> {
    const { sql, owner, now } = this.#at;
    const { row, change, entries } = moved(this.#row, decide(this.#row, now), undefined);
    const more = entries?.(sql, owner);
    if (change !== null && more !== undefined) await this.#take({ row, change }, more);
  }

  async #take(
    { row, change }: ReturnType<typeof decideContact>,
    more: Query<object>,
  ): Promise<void> {
    const { sql, owner } = this.#at;
    await claimed(sql, sql`${STORED_PEOPLE.entries(sql, owner, row, change)}, ${more}`);
    this.#row = row;
    this.#note();
  }

  #note(): void {
    const { person_id: subjectId, revision } = this.#row;
    this.#written.push({ moduleCode: "relationship", subjectId, revision });
  }
}

/** Details whose identifiers rise in their order. */
function newDetails(row: PersonRow, bodies: readonly DetailBody[]): DetailRow[] {
  let last: string | null = null;
  return bodies.map((body) => {
    last = idAfter(last, row.updated_at);
    return { ...newDetail(row, body), detail_id: last };
  });
}

/** Returns the revisions that it wrote. */
export async function createPerson(
  { sql, owner }: OwnerWrite,
  person: NewPerson,
  recordedAt: Date,
): Promise<readonly WrittenRevision[]> {
  const at = { sql, owner, now: person.row.updated_at };
  return await new StoredPerson(at, person.row).create(person, recordedAt);
}

/** Locks a person; null if there is none. */
export async function lockPerson(at: OwnerWrite, personId: string): Promise<LockedObject | null> {
  const [row] = await PEOPLE.lock(at.sql, at.owner, { personId });
  return row === undefined ? null : new StoredPerson(at, row);
}

/** Emails and numbers are compared by their compared forms. */
function compare({ kind, value }: Pick<DetailBody, "kind" | "value">): string {
  const [form] = comparedForms([{ kind, value }]);
  return form ?? canonicalJson({ kind, value });
}
