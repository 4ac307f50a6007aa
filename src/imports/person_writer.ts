/** Writes people: new ones, and what items add to people who are there. */

import { idAfter } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import { newContact } from "../families/relationship/contact.ts";
import { contactEntries } from "../families/relationship/contact_store.ts";
import { type DetailBody, type DetailRow, newDetail } from "../families/relationship/detail.ts";
import { findLiveDetails } from "../families/relationship/detail_store.ts";
import { MAX_LIVE_DETAILS } from "../families/relationship/detail_value.ts";
import { newExperience } from "../families/relationship/experience.ts";
import { experienceEntries } from "../families/relationship/experience_store.ts";
import {
  detailDifference,
  manyDetailEntries,
  manyRetractionEntries,
  type NewPerson,
} from "../families/relationship/imported_people.ts";
import type { PersonChange, PersonRow } from "../families/relationship/person.ts";
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
import { claimed } from "./claimed.ts";
import { comparedForms } from "./converters/people.ts";
import type { LockedObject, ObjectChange, WrittenRevision } from "./locked_object.ts";

/** Writes one person, revision by revision. */
class PersonWriter {
  readonly written: WrittenRevision[] = [];
  row: PersonRow;
  readonly #sql: Sql;
  readonly #owner: string;
  readonly #now: Date;

  constructor(sql: Sql, owner: string, row: PersonRow, now: Date) {
    this.#sql = sql;
    this.#owner = owner;
    this.row = row;
    this.#now = now;
  }

  async create(person: NewPerson, recordedAt: Date): Promise<void> {
    const root = importedPeople(recordedAt).entries(this.#sql, this.#owner, this.row, "CREATED");
    const details = newDetails(this.row, person.details);
    const entries = details.length === 0
      ? root
      : this.#sql`${root}, ${manyDetailEntries(this.#sql, this.#owner, details)}`;
    await claimed(this.#sql, entries);
    this.#note();
    await this.addEntries(person);
  }

  /** Adds experiences and contacts. */
  async addEntries({ experiences, contacts }: NewPerson): Promise<void> {
    for (const columns of experiences) {
      const experience = newExperience(this.row.person_id, columns, this.row.updated_at);
      await claimed(this.#sql, experienceEntries(this.#sql, this.#owner, experience));
    }
    for (const columns of contacts) {
      const next = decideContact(this.row, columns.contacted_at, this.#now);
      await this.#take(next, contactEntries(this.#sql, this.#owner, newContact(next.row, columns)));
    }
  }

  /** Adds and retracts details; the added ones come last. */
  async changeDetails({ added, gone }: ReturnType<typeof detailDifference>): Promise<void> {
    if (gone.length > 0) {
      const next = decideDetail(this.row, "DETAIL_CONTROLLED", this.#now);
      await this.#take(next, manyRetractionEntries(this.#sql, this.#owner, next.row, gone));
    }
    if (added.length > 0) {
      const next = decideDetail(this.row, "DETAIL_RECORDED", this.#now);
      const details = newDetails(next.row, added);
      await this.#take(next, manyDetailEntries(this.#sql, this.#owner, details));
    }
  }

  async archive(): Promise<void> {
    const { row, change, entries } = moved(this.row, decideArchive(this.row, this.#now), undefined);
    await this.#move(row, change, entries);
  }

  async restore(): Promise<void> {
    const { row, change, entries } = moved(this.row, decideRestore(this.row, this.#now), undefined);
    await this.#move(row, change, entries);
  }

  async #move(
    row: PersonRow,
    change: PersonChange | null,
    entries: ReturnType<typeof moved>["entries"],
  ): Promise<void> {
    const more = entries?.(this.#sql, this.#owner);
    if (change !== null && more !== undefined) await this.#take({ row, change }, more);
  }

  async #take(
    { row, change }: { readonly row: PersonRow; readonly change: PersonChange },
    more: Query<object>,
  ): Promise<void> {
    const root = STORED_PEOPLE.entries(this.#sql, this.#owner, row, change);
    await claimed(this.#sql, this.#sql`${root}, ${more}`);
    this.row = row;
    this.#note();
  }

  #note(): void {
    const { person_id: subjectId, revision } = this.row;
    this.written.push({ moduleCode: "relationship", subjectId, revision });
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
  sql: Sql,
  owner: string,
  person: NewPerson,
  recordedAt: Date,
): Promise<readonly WrittenRevision[]> {
  const writer = new PersonWriter(sql, owner, person.row, person.row.updated_at);
  await writer.create(person, recordedAt);
  return writer.written;
}

/** Locks a person; null if there is none. */
export async function lockPerson(
  sql: Sql,
  owner: string,
  personId: string,
): Promise<LockedObject | null> {
  const [locked] = await PEOPLE.lock(sql, owner, { personId });
  if (locked === undefined) return null;
  let row: PersonRow = locked;
  return {
    get revision() {
      return row.revision;
    },
    get isArchived() {
      return !isOpen(row);
    },
    async write(change, now) {
      const writer = new PersonWriter(sql, owner, row, now);
      if (row.status === "ARCHIVED" && !change.isArchived) await writer.restore();
      const { content, own = null } = change;
      if (content?.room === "people") {
        if (own === null) await writer.addEntries(content.person);
        await writer.changeDetails(await differenceOf(sql, owner, row, change));
      }
      if (isOpen(writer.row) && change.isArchived) await writer.archive();
      row = writer.row;
      return writer.written;
    },
    async refusal(change) {
      const { added, gone, live, links } = await differenceOf(sql, owner, row, change);
      const { laterLinks = 0 } = change;
      const count = live + added.length - gone.length + Math.max(0, laterLinks - links);
      return count > MAX_LIVE_DETAILS ? "detail.count" : null;
    },
  };
}

async function differenceOf(
  sql: Sql,
  owner: string,
  { person_id }: PersonRow,
  { content, own = null, keepsLinks = false, onlyLinks = false }: ObjectChange,
) {
  if (content?.room !== "people") return { added: [], gone: [], live: 0, links: 0 };
  const live = await findLiveDetails(sql, owner, [person_id], true);
  const isKeptLink = ({ kind, person_revision }: DetailRow) =>
    own !== null && own(person_revision) && keepsLinks && kind === "LINK";
  const isOwn = (row: DetailRow) =>
    own !== null && own(row.person_revision) && !isKeptLink(row) &&
    !(onlyLinks && row.kind !== "LINK");
  const difference = detailDifference(content.person.details, live, isOwn, compare);
  return { ...difference, live: live.length, links: live.filter(isKeptLink).length };
}

/** Emails and numbers are compared by their compared forms. */
function compare({ kind, value }: Pick<DetailBody, "kind" | "value">): string {
  const [form] = comparedForms([{ kind, value }]);
  return form ?? canonicalJson({ kind, value });
}
