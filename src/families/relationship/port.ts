/** What relationship offers to the routine module (ROU-007) and to search, and nothing else of it. */

import type { Query, Sql } from "../../database/sql.ts";

/** Six fields of a person, by which a rhythm of contacts is kept. */
export interface ContactRhythm {
  readonly personId: string;
  readonly personName: string;
  readonly relationshipType: string;
  /** 1 to 5. */
  readonly importance: number;
  /** Null without a contact. */
  readonly lastContactAt: Date | null;
  /** Null where the owner wishes no rhythm. */
  readonly desiredContactIntervalDays: number | null;
}

/** Reads them of one of an owner's people, whatever its status; no row where there is none. */
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
