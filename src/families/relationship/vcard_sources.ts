/** Notes and UIDs of people for their vCards. */

import type { Query, Sql } from "../../database/sql.ts";
import { PART } from "../../kit/export.ts";

interface Note {
  readonly person_id: string;
  readonly narrative: string;
  readonly privacy: string;
}

/** Experiences with the title `Note`, oldest first, up to 8 MiB a person. */
export function findNotes(
  sql: Sql,
  owner: string,
  personIds: readonly string[],
  withSecrets: boolean,
): Query<Note> {
  return sql<Note>`
    select note.* from unnest(string_to_array(${personIds.join(" ")}, ' ')) as wanted (id)
     cross join lateral (
       select person_id, experience_id, narrative, privacy
         from (select e.*, sum(octet_length(narrative)) over (order by experience_id) as bytes
                 from person_experiences e
                where owner_id = ${owner} and person_id = wanted.id and title = 'Note'
                  and narrative is not null
                  ${withSecrets ? sql`` : sql`and privacy <> 'SECRET'`}) e
        where bytes <= ${PART.bytes} offset 0) note
     order by note.person_id, note.experience_id`;
}

/** Bytes of the notes of a person `p`, at most those that a card has. */
export function notesBytes(sql: Sql): Query<object> {
  return sql`(
      select least(coalesce(sum(octet_length(e.narrative)), 0), ${PART.bytes})::integer
        from person_experiences e
       where e.owner_id = p.owner_id and e.person_id = p.person_id and e.title = 'Note')`;
}

/** A UID of another program's card that made or joined a person. */
export interface StoredUid {
  readonly person_id: string;
  readonly uid: string;
}

/**
 * UIDs of people, oldest first; of those with one compared form, the oldest.
 *
 * @param people A query of identifiers.
 */
export type FindUids = (sql: Sql, owner: string, people: Query<object>) => Query<StoredUid>;

/** These people and those that they link to. */
export function withLinked(sql: Sql, owner: string, personIds: readonly string[]): Query<object> {
  const given = sql`unnest(string_to_array(${personIds.join(" ")}, ' ')) as given (id)`;
  return sql`
    select id from ${given}
    union
    select d.linked_person from ${given} cross join lateral (
      select linked_person from person_details
       where owner_id = ${owner} and person_id = given.id and linked_person is not null offset 0) d`;
}
