/** The part of relationship for the routine module (ROU-007), search, due items and insight. */

import type { Query, Sql } from "../../database/sql.ts";

export { contactDay, type ContactTimeRow, findContactTimes } from "./contact_times.ts";
export { findDates } from "./date_walk.ts";
export { DATE_WORDS } from "./detail_value.ts";
export {
  countOverdueContacts,
  findDueContacts,
  findDueProposals,
  type NextContact,
  readNextContacts,
} from "./due_store.ts";

interface ContactRhythm {
  readonly personId: string;
  readonly personName: string;
  readonly relationshipType: string;
  /** 1 to 5. */
  readonly importance: number;
  /** Null if there was no contact. */
  readonly lastContactAt: Date | null;
  /** Null if the owner wants no rhythm. */
  readonly desiredContactIntervalDays: number | null;
}

/** Selects the rhythm of contacts with an owner's person of any status. */
export function findContactRhythm(
  sql: Sql,
  owner: string,
  personId: string,
): Query<ContactRhythm> {
  return sql<ContactRhythm>`
    select person_id as "personId", person_name as "personName",
           relationship_type as "relationshipType", importance,
           last_contact_at as "lastContactAt",
           desired_contact_interval_days as "desiredContactIntervalDays"
      from people where owner_id = ${owner} and person_id = ${personId}`;
}

/** JSON object of the fields that the person's record does not show. */
export function unshownPersonFields(
  sql: Sql,
  owner: Query<object>,
  personId: Query<object>,
): Query<object> {
  return sql`
    select json_build_object('opinion', opinion, 'evidence', evidence,
                             'counterEvidence', counter_evidence)
      from people where owner_id = ${owner} and person_id = ${personId}`;
}

/** A condition: a person is sealed. */
export function isSealedPerson(
  sql: Sql,
  owner: Query<object>,
  personId: Query<object>,
): Query<object> {
  return sql`exists (
    select from people p
     where p.owner_id = ${owner} and p.person_id = ${personId} and p.status = 'SEALED')`;
}

/** Selects the last contact with a person. */
export function lastContact(
  sql: Sql,
  owner: Query<object>,
  personId: Query<object>,
): Query<object> {
  return sql`
    select last_contact_at from people where owner_id = ${owner} and person_id = ${personId}`;
}
