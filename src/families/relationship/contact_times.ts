import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import type { PrivacyLevel } from "../../kit/stored_ledger.ts";
import { localTimesOf, parseClocks } from "../../validate/local_time.ts";
import { isHidden } from "./privacy.ts";

/** The time of a contact with any of an owner's people. */
export interface ContactTimeRow {
  readonly contact_id: string;
  readonly person_id: string;
  readonly contacted_at: Date;
  /** JSON text of `Clocks`; null without any. */
  readonly clocks: string | null;
  readonly privacy: PrivacyLevel;
  readonly is_retracted: boolean;
}

interface ContactRange {
  readonly owner: string;
  readonly from: Date;
  /** Exclusive end. */
  readonly to: Date;
}

/**
 * Selects contacts by time, also retracted ones.
 *
 * @param last The row after which to begin; null at the beginning.
 */
export function findContactTimes(
  sql: Sql,
  { owner, from, to }: ContactRange,
  last: ContactTimeRow | null,
  limit: number,
): Query<ContactTimeRow> {
  const begin = last === null
    ? sql`contacted_at >= ${from}`
    : sql`(contacted_at, contact_id) > (${last.contacted_at}::timestamptz, ${last.contact_id}::text)`;
  return sql<ContactTimeRow>`
    select c.contact_id, c.person_id, c.contacted_at, c.clocks::text as clocks, c.privacy,
           k.contact_id is not null as is_retracted
      from (select contact_id, person_id, contacted_at, clocks, privacy from person_contacts
             where owner_id = ${owner} and ${begin} and contacted_at < ${to}
             order by contacted_at, contact_id limit ${limit}) c
           left join lateral (
             select contact_id from person_contact_controls
              where owner_id = ${owner} and person_id = c.person_id and contact_id = c.contact_id
             offset 0) k on true
     order by c.contacted_at, c.contact_id`;
}

/**
 * The local date of a contact, `YYYY-MM-DD`; null without a clock. A SECRET contact shows its clock
 * only to readers of secrets.
 */
export function contactDay(
  { contacted_at, clocks, privacy }: ContactTimeRow,
  reader: Caller,
): string | null {
  if (isHidden(privacy, reader)) return null;
  const contactedAt = contacted_at.toISOString();
  const { contactedAt: local } = localTimesOf({ contactedAt }, parseClocks(clocks));
  return local?.slice(0, "YYYY-MM-DD".length) ?? null;
}
