/** The part of relationship that the routine module (ROU-007) and search may use. */

import type { Query, Sql } from "../../database/sql.ts";

/** Six fields of a person for a contact rhythm. */
export interface ContactRhythm {
  readonly personId: string;
  readonly personName: string;
  readonly relationshipType: string;
  /** 1 to 5. */
  readonly importance: number;
  /** Null without a contact. */
  readonly lastContactAt: Date | null;
  /** Null if the owner wants no rhythm. */
  readonly desiredContactIntervalDays: number | null;
}

/** Reads them for one of an owner's people, with any status; no row if there is none. */
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

/** The fields of a person that its record does not show, as a JSON object. */
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
