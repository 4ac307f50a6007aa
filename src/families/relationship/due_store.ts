/** Due items of people: the next contact, and proposals that expire (`date_walk.ts` has dates). */

import type { Query, Sql } from "../../database/sql.ts";
import type { DuePart, DueRow } from "../../kit/due.ts";

/** Reads the active people whose next contact is due, by the index `people_due`. */
export function findDueContacts(
  sql: Sql,
  owner: string,
  { from, until, after, limit }: DuePart,
): Query<DueRow> {
  const due = sql`
    contact_due_at(last_contact_at, created_at, desired_contact_interval_days)`;
  const start = from === null
    ? sql``
    : after === null
    ? sql`and ${due} >= ${from}`
    : sql`and (${due}, person_id) > (${from}, ${after.recordId})`;
  return sql<DueRow>`
    select person_id as record_id, null as source_id, person_name as title, null as what,
           null as label, null::integer as years, ${due} as due,
           revision - 1 as sequence,
           updated_at as changed_at, false as is_secret
      from people
     where owner_id = ${owner} and status = 'ACTIVE'
       and desired_contact_interval_days is not null ${start} and ${due} < ${until}
     order by ${due}, person_id limit ${limit}`;
}

/** Reads the ready proposals that expire, by the index `person_proposals_due`. */
export function findDueProposals(
  sql: Sql,
  owner: string,
  { from, until, after, limit }: DuePart,
): Query<DueRow> {
  const start = from === null
    ? sql``
    : after === null
    ? sql`and r.expires_at >= ${from}`
    : sql`and (r.expires_at, r.person_id, r.proposal_id)
        > (${from}, ${after.recordId}, ${after.sourceId ?? ""})`;
  return sql<DueRow>`
    select r.person_id as record_id, r.proposal_id as source_id, p.person_name as title,
           null as what, null as label, null::integer as years, r.expires_at as due,
           v.revision as sequence,
           greatest(r.ready_at, v.created_at) as changed_at, false as is_secret
      from person_proposals r
      join people p on p.owner_id = r.owner_id and p.person_id = r.person_id
      join person_revisions v on v.owner_id = p.owner_id and v.person_id = p.person_id
       and v.revision = coalesce(p.name_revision, 1)
     where r.owner_id = ${owner} and r.state = 'READY' ${start} and r.expires_at < ${until}
       and p.status in ('ACTIVE', 'PAUSED')
     order by r.expires_at, r.person_id, r.proposal_id limit ${limit}`;
}
