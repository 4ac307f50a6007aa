/** Due items of people: the next contact, yearly days, proposals that end. */

import type { Query, Sql } from "../../database/sql.ts";
import type { DuePart, DueRow } from "../kit/due.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

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
           ${due} as due, revision, updated_at as changed_at, false as is_secret
      from people
     where owner_id = ${owner} and status = 'ACTIVE'
       and desired_contact_interval_days is not null ${start} and ${due} < ${until}
     order by ${due}, person_id limit ${limit}`;
}

/** Reads the ready proposals that end, by the index `person_proposals_due`. */
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
           null as what, r.expires_at as due, null::integer as revision, r.ready_at as changed_at,
           false as is_secret
      from person_proposals r
      join people p on p.owner_id = r.owner_id and p.person_id = r.person_id
     where r.owner_id = ${owner} and r.state = 'READY' ${start} and r.expires_at < ${until}
       and p.status in ('ACTIVE', 'PAUSED')
     order by r.expires_at, r.person_id, r.proposal_id limit ${limit}`;
}

/** The days `MM-DD` of one year, from the first to the last. */
interface DaysOfYear {
  readonly year: number;
  readonly first: string;
  readonly last: string;
  /** The day on which 29 February is in this year; null for the other days. */
  readonly leapDay: string | null;
}

/**
 * Reads the days on which dates of people return, by the index `person_details_by_day`: one statement, with
 * one walk along the index for each year. A day is due at its midnight in UTC.
 *
 * @param part Its `from` is set.
 * @param withSecrets Whether SECRET dates are among them.
 */
export async function findDueDates(
  sql: Sql,
  owner: string,
  { from, until, after, limit }: DuePart & { readonly from: Date },
  withSecrets: boolean,
): Promise<readonly DueRow[]> {
  const first = Math.ceil(from.getTime() / DAY_MS) * DAY_MS;
  const start = after === null ? null : { day: isoDay(first), ...after };
  const walks = daysOfYears(first, until.getTime())
    .map((days) => walkOfYear(sql, owner, days, { start, limit, withSecrets }));
  if (walks.length === 0) return [];
  const all = walks.reduce((rest, walk) => sql`${rest} union all ${walk}`);
  return await sql<DueRow>`
    select * from (${all}) days order by due, record_id, source_id limit ${limit}`;
}

function walkOfYear(
  sql: Sql,
  owner: string,
  { year, first, last, leapDay }: DaysOfYear,
  { start, limit, withSecrets }: {
    readonly start: { day: string; recordId: string; sourceId: string | null } | null;
    readonly limit: number;
    readonly withSecrets: boolean;
  },
): Query<object> {
  const day = sql`right(d.value ->> 'date', 5) collate "C"`;
  const written = String(year).padStart(4, "0");
  const isStart = start?.day === `${written}-${leapDay ?? first}`;
  const beyond = isStart
    ? sql`and (${day}, d.person_id, d.detail_id)
        > (${first}, ${start.recordId}, ${start.sourceId ?? ""})`
    : sql`and ${day} >= ${first}`;
  // In a year without it, 29 February has a walk of its own.
  const others = leapDay === null && !isLeapYear(year) ? sql`and ${day} <> '02-29'` : sql``;
  return sql`(
    select d.person_id as record_id, d.detail_id as source_id, p.person_name as title,
           d.value ->> 'what' as what,
           ${written} || '-' || ${leapDay === null ? day : sql`${leapDay}`} collate "C" as due,
           null::integer as revision, d.recorded_at as changed_at,
           k.privacy = 'SECRET' as is_secret
      from person_details d
      join people p on p.owner_id = d.owner_id and p.person_id = d.person_id
      cross join lateral (
        select greatest(d.privacy, max(c.privacy)) as privacy,
               count(*) filter (where c.kind <> 'PRIVACY_RECLASSIFIED') as endings
          from person_detail_controls c
         where c.owner_id = d.owner_id and c.detail_id = d.detail_id) k
     where d.owner_id = ${owner} and d.kind = 'DATE'
       and d.value ->> 'what' in ('BIRTHDAY', 'ANNIVERSARY', 'DEATH')
       and octet_length(d.value ->> 'date') > 4
       ${beyond} and ${day} <= ${last} ${others}
       and coalesce(substring(d.value ->> 'date' from '^[0-9]{4}')::integer, 0) <= ${year}::integer
       and p.status in ('ACTIVE', 'PAUSED') and k.endings = 0
       ${withSecrets ? sql`` : sql`and k.privacy <> 'SECRET'`}
     order by ${day}, d.person_id, d.detail_id limit ${limit})`;
}

/** The days from one midnight to the last one before a time, split by years. */
function daysOfYears(first: number, until: number): DaysOfYear[] {
  const last = Math.ceil(until / DAY_MS) * DAY_MS - DAY_MS;
  if (last < first) return [];
  const [firstDay, lastDay] = [isoDay(first), isoDay(last)];
  const days: DaysOfYear[] = [];
  for (
    let year = new Date(first).getUTCFullYear();
    year <= new Date(last).getUTCFullYear();
    year++
  ) {
    const written = `${String(year).padStart(4, "0")}-`;
    const span = {
      first: firstDay.startsWith(written) ? firstDay.slice(5) : "01-01",
      last: lastDay.startsWith(written) ? lastDay.slice(5) : "12-31",
    };
    days.push({ year, ...span, leapDay: null });
    const hasLeapDay = span.first <= "02-28" && "02-28" <= span.last;
    if (hasLeapDay && !isLeapYear(year)) {
      days.push({ year, first: "02-29", last: "02-29", leapDay: "02-28" });
    }
  }
  return days;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
