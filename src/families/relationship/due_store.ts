/** Due items of people: the next contact, and proposals that expire (`date_walk.ts` has dates). */

import type { Query, Sql } from "../../database/sql.ts";
import { FILTERED_PAGE_BUDGET, readWalk, type Walked } from "../../database/walk.ts";
import type { DuePart, DueRow, DueRows, OverdueCount } from "../../kit/due.ts";
import { boundedWalk, untilEnd, type WalkedRow } from "./bounded_walk.ts";
import { isDead } from "./death.ts";

/**
 * Reads the active people whose next contact is due, without the dead: those who died before the
 * day of `moment`, or before the day of the contact.
 */
export async function findDueContacts(
  sql: Sql,
  owner: string,
  { from, until, after, limit }: DuePart,
  moment: Date,
): Promise<DueRows> {
  const start = from === null
    ? sql``
    : after === null
    ? sql`and ${contactDue(sql)} >= ${from}`
    : sql`and (${contactDue(sql)}, person_id) > (${from}, ${after.recordId})`;
  const walk = boundedWalk(sql, {
    candidates: contactsUntil(sql, owner, until, start),
    order: sql`d.due, d.person_id`,
    due: sql`d.due`,
    source: sql`null`,
    select: (bounded) =>
      sql`
      select d.person_id as record_id, null as source_id, d.person_name as title, null as what,
             null as label, null::integer as years, d.due, d.revision - 1 as sequence,
             d.updated_at as changed_at, false as is_secret, false as is_end
        from (${bounded}) d
       where not ${isContactOfDead(sql, sql`d`, moment)}`,
    limit,
  });
  return untilEnd(
    await sql<WalkedRow<DueRow>>`
      select * from (${walk}) contacts order by due, record_id, is_end limit ${limit}`,
  );
}

/**
 * Counts the contacts that are due before `moment` among the first `limit`, which include those of
 * the dead.
 */
export async function countOverdueContacts(
  sql: Sql,
  owner: string,
  moment: Date,
  limit: number,
): Promise<OverdueCount> {
  const first = (count: number) =>
    sql`(${contactsUntil(sql, owner, moment, sql``)} limit ${count}) d`;
  const isOfLiving = sql`not ${isContactOfDead(sql, sql`d`, moment)}`;
  const [count] = await sql<OverdueCount>`
    select count(*) filter (where ${isOfLiving})::integer as overdue,
           count(*)::integer as examined,
           (select d.due from ${first(FILTERED_PAGE_BUDGET)} where ${isOfLiving}
             order by d.due, d.person_id limit 1) as oldest
      from ${first(limit)}`;
  return count as OverdueCount;
}

/** A person and the next contact. */
export interface NextContact {
  readonly person_id: string;
  readonly person_name: string;
  readonly days: number;
  readonly last_contact_at: Date | null;
  /** JSON text of `Clocks`; null without any. */
  readonly clocks: string | null;
  readonly created_at: Date;
  readonly due: Date;
  /** The position after which the next page begins. */
  readonly place: string;
}

/**
 * Reads the active people with a rhythm, in the order of their next contacts, without the dead as
 * in {@linkcode findDueContacts}.
 *
 * @param after A `place`; null for the first page.
 */
export async function readNextContacts(
  sql: Sql,
  owner: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
  moment: Date,
): Promise<Walked<NextContact>> {
  const [due, personId] = after === null ? [] : JSON.parse(after);
  const start = after === null
    ? sql``
    : sql`and (${contactDue(sql)}, person_id) > (${due}::timestamptz, ${personId}::text)`;
  const order = sql`order by due, person_id`;
  const place = sql`json_build_array(due, person_id)::text`;
  const rows = (columns: Query<object>, limit: number) =>
    sql`select ${columns} from (${contactsFrom(sql, owner, start)} limit ${limit}) d ${order}`;
  return await readWalk<NextContact>(
    sql,
    { key: place, ordered: sql`due, person_id`, order, rows },
    {
      columns: sql`person_id, person_name, desired_contact_interval_days as days, last_contact_at,
                   clocks::text as clocks, created_at, due, ${place} as place`,
      long: null,
      conditions: sql`and not ${isContactOfDead(sql, sql`walk`, moment)}`,
      limit,
    },
  );
}

function contactsUntil(
  sql: Sql,
  owner: string,
  until: Date,
  start: Query<object>,
): Query<object> {
  return contactsFrom(sql, owner, sql`${start} and ${contactDue(sql)} < ${until}`);
}

/** The active people with a rhythm in the order of their next contacts, by `people_due`. */
function contactsFrom(sql: Sql, owner: string, bounds: Query<object>): Query<object> {
  return sql`
    select owner_id, person_id, person_name, revision, updated_at, created_at, last_contact_at,
           desired_contact_interval_days, clocks, ${contactDue(sql)} as due
      from people
     where owner_id = ${owner} and status = 'ACTIVE'
       and desired_contact_interval_days is not null ${bounds}
     order by ${contactDue(sql)}, person_id`;
}

function contactDue(sql: Sql): Query<object> {
  return sql`contact_due_at(last_contact_at, created_at, desired_contact_interval_days)`;
}

/** Condition: a candidate died before its contact is due, or before the day of `moment`. */
function isContactOfDead(sql: Sql, candidate: Query<object>, moment: Date): Query<object> {
  const day = sql`to_char(greatest(${candidate}.due, ${moment}) at time zone 'UTC', 'YYYY-MM-DD')`;
  return isDead(sql, sql`${candidate}.owner_id`, sql`${candidate}.person_id`, day);
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
