/**
 * The days on which yearly dates of people return: one statement, with one walk along an index for
 * each year. A 29 February is the 28th in other years. A year alone does not return.
 */

import { DAY_MS } from "../../core/clock.ts";
import type { Query, Sql } from "../../database/sql.ts";
import type { DueRow, DueRows } from "../../kit/due.ts";
import { boundedWalk, untilEnd, type WalkedRow } from "./bounded_walk.ts";
import { isDead } from "./death.ts";
import type { DateWord } from "./detail_value.ts";

/** A date of a person on one of the days on which it returns. */
export interface DateRow extends DueRow {
  readonly source_id: string;
  readonly what: DateWord;
  /** `YYYY-MM-DD`. */
  readonly due: string;
}

/** A range of days, each at its midnight in UTC. */
interface DatePart {
  readonly from: Date;
  /** Exclusive end. */
  readonly until: Date;
  /** If set, only the dates of the first day after these identifiers. */
  readonly after: { readonly recordId: string; readonly sourceId: string | null } | null;
  readonly limit: number;
  /** Whether to include SECRET dates, except days of death. */
  readonly withSecrets: boolean;
}

/**
 * The order within a day: by person and detail along the index `person_details_by_day`, or by
 * detail along `person_details_by_date`.
 */
type DateOrder = "PERSON" | "DETAIL";

/**
 * Reads dates of active and paused people by day. Each year's walk examines at most
 * `FILTERED_PAGE_BUDGET` dates; the part ends where the first walk does.
 */
export async function findDates(
  sql: Sql,
  owner: string,
  part: DatePart,
  order: DateOrder,
): Promise<DueRows<DateRow>> {
  const first = Math.ceil(part.from.getTime() / DAY_MS) * DAY_MS;
  const start = part.after === null ? null : { day: isoDay(first), ...part.after };
  const walks = daysOfYears(first, part.until.getTime())
    .map((days) =>
      walkOfYear(sql, days, candidatesOf(sql, owner, days, start, order), part, order)
    );
  if (walks.length === 0) return { rows: [], end: null };
  const all = walks.reduce((rest, walk) => sql`${rest} union all ${walk}`);
  const ids = order === "PERSON" ? sql`record_id, source_id` : sql`source_id`;
  return untilEnd(
    await sql<WalkedRow<DateRow>>`
    select * from (${all}) days order by due, ${ids}, is_end limit ${part.limit}`,
  );
}

/** The days `MM-DD` of one year, from the first to the last. */
interface DaysOfYear {
  readonly year: number;
  readonly first: string;
  readonly last: string;
  /** The day on which 29 February is in this year; null for the other days. */
  readonly leapDay: string | null;
}

/** The last date before a part. */
type Start = { readonly day: string } & NonNullable<DatePart["after"]>;

/** The dates of one year's days in order, without conditions on them. */
function candidatesOf(
  sql: Sql,
  owner: string,
  { year, first, last, leapDay }: DaysOfYear,
  start: Start | null,
  order: DateOrder,
): Query<object> {
  const isStart = start?.day === `${writtenYear(year)}-${leapDay ?? first}`;
  const { recordId = "", sourceId } = isStart ? start : {};
  const day = sql`right(value ->> 'date', 5) collate "C"`;
  const place = sql`(right(value ->> 'date', 5) || detail_id::text) collate "C"`;
  // Identifiers are not empty, and sort before the tilde.
  const walk = order === "PERSON"
    ? sql`
       and (${day}, person_id, detail_id) > (${first}, ${recordId}, ${sourceId ?? ""})
       and ${day} <= ${last} order by ${day}, person_id, detail_id`
    : sql`
       and ${place} > ${first + (sourceId ?? "")} and ${place} < ${`${last}~`} order by ${place}`;
  return sql`
    select owner_id, person_id, detail_id, value, label, privacy, recorded_at, ${day} as day,
           ${place} as place
      from person_details
     where owner_id = ${owner} and kind = 'DATE' and is_yearly_date(value, label)
       and octet_length(value ->> 'date') > 4 ${walk}`;
}

/** The dates that return; if the walk ended early, also the last date examined. */
function walkOfYear(
  sql: Sql,
  { year, leapDay }: DaysOfYear,
  candidates: Query<object>,
  { limit, withSecrets }: DatePart,
  order: DateOrder,
): Query<object> {
  const due = sql`${writtenYear(year)} || '-' || ${
    leapDay === null ? sql`d.day` : sql`${leapDay}`
  } collate "C"`;
  const isDeath = sql`d.value ->> 'what' = 'DEATH'`;
  // In a year without it, 29 February has a walk of its own.
  const others = leapDay === null && !isLeapYear(year) ? sql`and d.day <> '02-29'` : sql``;
  return boundedWalk(sql, {
    candidates,
    order: order === "PERSON" ? sql`d.day, d.person_id, d.detail_id` : sql`d.place`,
    due,
    source: sql`d.detail_id`,
    select: (bounded) =>
      sql`
      select d.person_id as record_id, d.detail_id as source_id, p.person_name as title,
             d.value ->> 'what' as what, d.label, ${year}::integer - stated.year as years,
             ${due} as due, named.revision as sequence,
             greatest(d.recorded_at, named.since) as changed_at,
             k.privacy = 'SECRET' as is_secret, false as is_end
        from (${bounded}) d
        cross join lateral (
          select person_name, status, name_revision from people
           where owner_id = d.owner_id and person_id = d.person_id offset 0) p
        cross join lateral (
          select substring(d.value ->> 'date' from '^[0-9]{4}')::integer as year) stated
        cross join lateral (${nameSince(sql)}) named
        cross join lateral (${controlsOf(sql)}) k
       where coalesce(stated.year, 0) <= ${year}::integer ${others}
         and p.status in ('ACTIVE', 'PAUSED') and k.endings = 0
         and (k.privacy <> 'SECRET' ${withSecrets ? sql`or not ${isDeath}` : sql``})
         and (${isDeath} or not ${isDead(sql, sql`d.owner_id`, sql`d.person_id`, due)})`,
    limit,
  });
}

/** The revision of `p` in which the person of date `d` got the current name. */
function nameSince(sql: Sql): Query<object> {
  return sql`
    select revision, created_at as since from person_revisions
     where owner_id = d.owner_id and person_id = d.person_id
       and revision = coalesce(p.name_revision, 1) offset 0`;
}

/** The current level of date `d`, and the number of controls that ended it. */
function controlsOf(sql: Sql): Query<object> {
  return sql`
    select greatest(d.privacy, max(c.privacy)) as privacy,
           count(*) filter (where c.kind <> 'PRIVACY_RECLASSIFIED') as endings
      from person_detail_controls c
     where c.owner_id = d.owner_id and c.detail_id = d.detail_id`;
}

/** The days from a midnight to the last midnight before a time, split by years. */
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
    const written = `${writtenYear(year)}-`;
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

function writtenYear(year: number): string {
  return String(year).padStart(4, "0");
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
