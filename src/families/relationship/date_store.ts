/** Days on which dates of people recur. */

import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { type DateWord, YEARLY_DATES } from "./detail_value.ts";
import { mayReadSecrets, type PrivacyLevel } from "./privacy.ts";

export interface DateRow {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly what: DateWord;
  readonly person_id: string;
  readonly person_name: string;
  readonly detail_id: string;
  /** Since the stated year; null without one. */
  readonly years: number | null;
  readonly effective_privacy: PrivacyLevel;
}

export interface DateRange {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** Last item of the previous page; null for the first page. */
  readonly after: { readonly date: string; readonly detailId: string } | null;
  readonly limit: number;
}

/**
 * Sorted by date and detail, for active and paused people. A 29 February is the 28th in other years; a year
 * alone and other kinds of dates do not recur.
 */
export function findDates(
  sql: Sql,
  reader: Caller,
  { from, to, after, limit }: DateRange,
): Query<DateRow> {
  const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))];
  return sql<DateRow>`
    select day.date, stated.what, p.person_id, p.person_name, d.detail_id,
           in_year.year - stated.year as years, k.effective_privacy
      from person_details d
      join people p on p.owner_id = d.owner_id and p.person_id = d.person_id
      cross join lateral (
        select d.value ->> 'what' as what,
               substring(d.value ->> 'date' from '^[0-9]{4}')::integer as year,
               right(d.value ->> 'date', 5) as month_and_day) stated
      cross join lateral generate_series(${first}::integer, ${last}::integer) as in_year (year)
      cross join lateral (
        select lpad(in_year.year::text, 4, '0') || '-' ||
               case when stated.month_and_day = '02-29' and not (
                 in_year.year % 4 = 0 and (in_year.year % 100 <> 0 or in_year.year % 400 = 0))
               then '02-28' else stated.month_and_day end collate "C" as date) day
      cross join lateral (
        select greatest(d.privacy, max(c.privacy)) as effective_privacy,
               count(*) filter (where c.kind <> 'PRIVACY_RECLASSIFIED') as endings
          from person_detail_controls c
         where c.owner_id = d.owner_id and c.detail_id = d.detail_id) k
     where d.owner_id = ${reader.account.accountId} and d.kind = 'DATE'
       and stated.what = any (string_to_array(${YEARLY_DATES.join(" ")}, ' '))
       and octet_length(d.value ->> 'date') > 4
       and (stated.year is null or stated.year <= in_year.year)
       and p.status in ('ACTIVE', 'PAUSED') and k.endings = 0
       ${mayReadSecrets(reader) ? sql`` : sql`and k.effective_privacy <> 'SECRET'`}
       and day.date >= ${from} and day.date < ${to}
       ${
    after === null ? sql`` : sql`and (day.date, d.detail_id) > (${after.date}, ${after.detailId})`
  }
     order by day.date, d.detail_id limit ${limit}`;
}
