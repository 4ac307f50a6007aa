import type { Query, Sql } from "../../database/sql.ts";
import type { RowOf } from "../../kit/columns.ts";
import { flag } from "../../kit/kinds.ts";
import { addedRow, storedLedger } from "../../kit/stored_ledger.ts";
import {
  CONTACT,
  type Contact,
  CONTACT_CONTROL_COLUMNS,
  CONTACT_SCHEMA,
  type ContactRow,
  type ContactTime,
  showContact,
} from "./contact.ts";
import { mayReadSecrets, shownClocks } from "./privacy.ts";
import { timelineEntry } from "./timeline_store.ts";

export const CONTACT_LEDGER = storedLedger<ContactRow, Contact>({
  policy: "relationship-contact",
  table: "person_contacts",
  columns: CONTACT,
  id: "contact_id",
  root: "person_id",
  from: (sql) =>
    sql`(
      select c.*, true as is_read, k.control_id is not null as is_retracted
        from person_contacts c left join person_contact_controls k
          on k.owner_id = c.owner_id and k.person_id = c.person_id
             and k.contact_id = c.contact_id) contact`,
  derived: {
    // The first long column must not be null, as a note may be.
    is_read: { ...flag, isLong: true },
    is_retracted: flag,
  },
  level: "privacy",
  mayReadSecrets,
  schema: CONTACT_SCHEMA,
  show: showContact,
  asMade: (row) => ({ ...row, is_retracted: false }),
});

/** CTEs of a contact and its timeline entry, conditional on the claim. */
export function contactEntries(sql: Sql, owner: string, row: ContactRow): Query<object> {
  const clocks = shownClocks("occurredAt", row);
  const line = { ...row, occurred_at: row.contacted_at, clocks };
  return sql`
    ${CONTACT_LEDGER.added(sql, owner, row)},
    ${timelineEntry(sql, owner, "CONTACT_RECORDED", row.contact_id, line)}`;
}

export type ContactControl = RowOf<typeof CONTACT_CONTROL_COLUMNS>;

/** CTEs of a retraction and its timeline entry, conditional on the claim. */
export function retractionEntries(sql: Sql, owner: string, row: ContactControl): Query<object> {
  return sql`
    ${addedRow(sql, "person_contact_controls", CONTACT_CONTROL_COLUMNS, owner, row)},
    ${timelineEntry(sql, owner, "CONTACT_RETRACTED", row.contact_id, row)}`;
}

/**
 * Returns the person's newest contact that is not retracted, other than the given one, or null.
 * Call it only while the person is locked.
 */
export async function findNewestContact(
  sql: Sql,
  owner: string,
  personId: string,
  leftAside: string,
): Promise<ContactTime | null> {
  const [newest] = await sql<ContactTime>`
    select c.contacted_at, c.clocks::text as clocks, c.privacy from person_contacts c
     where c.owner_id = ${owner} and c.person_id = ${personId} and c.contact_id <> ${leftAside}
       and not exists (
         select from person_contact_controls k
          where k.owner_id = c.owner_id and k.person_id = c.person_id
            and k.contact_id = c.contact_id)
     order by c.contacted_at desc, c.person_revision desc limit 1`;
  return newest ?? null;
}
