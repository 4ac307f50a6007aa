/** The entries of stored people with which items of imports are compared. */

import type { JsonObject } from "../../core/json.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import type { ContactColumns } from "./contact.ts";
import type { DetailBody } from "./detail.ts";
import type { ExperienceRow } from "./experience.ts";

export interface StoredDetail {
  readonly person_id: string;
  readonly detail_id: string;
  readonly kind: DetailBody["kind"];
  readonly value: JsonObject;
  readonly label: string | null;
  readonly preferred: boolean;
  readonly note: string | null;
  readonly person_revision: number;
  /** The revision at which it was retracted or superseded; null for a live one. */
  readonly ended_revision: number | null;
  readonly is_secret: boolean;
  /** The name of the person that a link names; null for all others. */
  readonly linked_name: string | null;
  /** `CardLines` of an address as JSON; null for all others, and without lines. */
  readonly lines: string | null;
}

interface StoredName {
  readonly person_id: string;
  readonly name: string;
  /** The revision that brought the name, also of people out of account files without it. */
  readonly name_revision: number;
}

export interface StoredEntries {
  readonly person: StoredName;
  /** Oldest first, with those that ended. */
  readonly details: readonly StoredDetail[];
  /** The texts of experiences, as `textForm` gives them. */
  readonly texts: readonly string[];
  /** All contacts, as `contactForm` gives them. */
  readonly contacts: ReadonlySet<string>;
  /** The greatest identifier of the details; null without one. */
  readonly lastDetail: string | null;
  /** The greatest identifier of the experiences; null without one. */
  readonly lastExperience: string | null;
}

/** Experiences with equal narratives, or without one and with equal titles, have equal forms. */
export function textForm(title: string, contentHash: string | null): string {
  return contentHash ?? `title:${title}`;
}

/** Contacts that differ in nothing but the clock have equal forms. */
export function contactForm(
  { contacted_at, channel, direction, note }: Omit<ContactColumns, "clocks" | "privacy">,
): string {
  return canonicalJson({ at: contacted_at.getTime(), channel, direction, note });
}

/** @param withContacts False if no contacts are compared: then there are none. */
export async function findEntries(
  sql: Sql,
  owner: string,
  personIds: readonly string[],
  withContacts: boolean,
): Promise<ReadonlyMap<string, StoredEntries>> {
  if (personIds.length === 0) return new Map();
  const wanted = sql`unnest(string_to_array(${
    [...new Set(personIds)].join(" ")
  }, ' ')) as wanted (id)`;
  const [people, details, experiences, contacts] = await Promise.all([
    sql<StoredName>`
      select p.* from ${wanted} cross join lateral (
        select person_id, person_name as name,
               coalesce(name_revision, last_renaming(owner_id, person_id), 1) as name_revision
          from people
         where owner_id = ${owner} and person_id = wanted.id offset 0) p`,
    findDetails(sql, owner, wanted),
    sql<Pick<ExperienceRow, "person_id" | "experience_id" | "title" | "content_hash">>`
      select e.* from ${wanted} cross join lateral (
        select person_id, experience_id, title, content_hash from person_experiences
         where owner_id = ${owner} and person_id = wanted.id offset 0) e`,
    withContacts ? findContacts(sql, owner, wanted) : [],
  ]);
  const detailsOf = Map.groupBy(details, ({ person_id }) => person_id);
  const notesOf = Map.groupBy(experiences, ({ person_id }) => person_id);
  const contactsOf = Map.groupBy(contacts, ({ person_id }) => person_id);
  return new Map(people.map((person) => {
    const own = detailsOf.get(person.person_id) ?? [];
    const notes = notesOf.get(person.person_id) ?? [];
    return [person.person_id, {
      person,
      details: own,
      texts: notes.map(({ title, content_hash }) => textForm(title, content_hash)),
      contacts: new Set((contactsOf.get(person.person_id) ?? []).map(contactForm)),
      lastDetail: greatest(own.map(({ detail_id }) => detail_id)),
      lastExperience: greatest(notes.map(({ experience_id }) => experience_id)),
    }];
  }));
}

function greatest(ids: readonly string[]): string | null {
  return ids.toSorted().at(-1) ?? null;
}

async function findDetails(
  sql: Sql,
  owner: string,
  wanted: Query<object>,
): Promise<readonly StoredDetail[]> {
  type Row = Omit<StoredDetail, "value"> & { readonly value: string };
  const rows = await sql<Row>`
    select d.*, controls.ended_revision, linked.person_name as linked_name,
           d.privacy = 'SECRET' or coalesce(controls.is_secret, false) as is_secret
      from ${wanted}
     cross join lateral (
       select person_id, detail_id, kind, value::text as value, label, preferred, note,
              person_revision, linked_person, privacy,
              case kind when 'ADDRESS' then lines::text end as lines
         from person_details where owner_id = ${owner} and person_id = wanted.id offset 0) d
      left join lateral (
        select max(c.person_revision) filter (where c.kind <> 'PRIVACY_RECLASSIFIED')
                 as ended_revision,
               bool_or(c.privacy = 'SECRET') as is_secret
          from person_detail_controls c
         where c.owner_id = ${owner} and c.detail_id = d.detail_id) controls on true
      left join people linked
        on linked.owner_id = ${owner} and linked.person_id = d.linked_person
     order by d.person_id, d.person_revision, d.detail_id`;
  return rows.map((row) => ({ ...row, value: JSON.parse(row.value) }));
}

function findContacts(sql: Sql, owner: string, wanted: Query<object>) {
  return sql<Omit<ContactColumns, "clocks" | "privacy"> & { readonly person_id: string }>`
    select c.* from ${wanted} cross join lateral (
      select person_id, contacted_at, channel, direction, note from person_contacts
       where owner_id = ${owner} and person_id = wanted.id offset 0) c`;
}
