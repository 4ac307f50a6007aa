import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { namesOf, valuesOf } from "../../kit/columns.ts";
import { CONTACT, type ContactRow } from "./contact.ts";
import { mayReadSecrets } from "./privacy.ts";
import { timelineEntry } from "./timeline_store.ts";

/** CTEs of a contact and its timeline entry, conditional on the claim. */
export function contactEntries(sql: Sql, owner: string, row: ContactRow): Query<object> {
  return sql`
    contact as (
      insert into person_contacts (owner_id, ${namesOf(sql, CONTACT)})
      select ${owner}, ${valuesOf(sql, CONTACT, row)}
        from claim where verdict = 'GO'
    ),
    ${
    timelineEntry(sql, owner, {
      person_id: row.person_id,
      kind: "CONTACT_RECORDED",
      source_id: row.contact_id,
      occurred_at: row.contacted_at,
      recorded_at: row.recorded_at,
    })
  }`;
}

export interface ContactControl {
  readonly control_id: string;
  readonly contact_id: string;
  readonly person_id: string;
  /** The revision that the retraction appended to the person. */
  readonly person_revision: number;
  readonly recorded_at: Date;
}

/** CTEs of a retraction and its timeline entry, conditional on the claim. */
export function retractionEntries(sql: Sql, owner: string, row: ContactControl): Query<object> {
  return sql`
    contact_control as (
      insert into person_contact_controls (owner_id, control_id, person_id, contact_id,
                                           person_revision, kind, recorded_at)
      select ${owner}, ${row.control_id}, ${row.person_id}, ${row.contact_id},
             ${row.person_revision}::integer, 'RETRACTED', ${row.recorded_at}::timestamptz
        from claim where verdict = 'GO'
    ),
    ${
    timelineEntry(sql, owner, {
      person_id: row.person_id,
      kind: "CONTACT_RETRACTED",
      source_id: row.contact_id,
      occurred_at: null,
      recorded_at: row.recorded_at,
    })
  }`;
}

export function findContact(
  sql: Sql,
  owner: string,
  personId: string,
  contactId: string,
): Query<ContactRow> {
  return sql<ContactRow>`
    select ${shortColumns(sql)}, c.note from ${contacts(sql)}
     where c.owner_id = ${owner} and c.person_id = ${personId} and c.contact_id = ${contactId}`;
}

/** Newest first. */
export async function readContacts(
  sql: Sql,
  reader: Caller,
  personId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<ContactRow>> {
  return await readRows<ContactRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from ${contacts(sql)}
         where c.owner_id = ${reader.account.accountId} and c.person_id = ${personId}
           ${cursor === null ? sql`` : sql`and c.contact_id < ${cursor}`}
         order by c.contact_id desc limit ${limit}`,
    {
      columns: shortColumns(sql),
      long: {
        kind: "text",
        // A flag comes first: the first long column must not be null, as a note may be.
        columns: { is_read: sql`true`, note: sql`c.note` },
        hidden: mayReadSecrets(reader) ? null : sql`c.privacy = 'SECRET'`,
      },
      limit,
    },
  );
}

/**
 * Returns the time of the person's newest contact that is not retracted, other than the given one; null if
 * there is none. Call it only while the person is locked.
 */
export async function findNewestContact(
  sql: Sql,
  owner: string,
  personId: string,
  leftAside: string,
): Promise<Date | null> {
  const [newest] = await sql<Pick<ContactRow, "contacted_at">>`
    select c.contacted_at from person_contacts c
     where c.owner_id = ${owner} and c.person_id = ${personId} and c.contact_id <> ${leftAside}
       and not exists (
         select from person_contact_controls k
          where k.owner_id = c.owner_id and k.person_id = c.person_id
            and k.contact_id = c.contact_id)
     order by c.contacted_at desc limit 1`;
  return newest?.contacted_at ?? null;
}

function contacts(sql: Sql): Query<object> {
  return sql`person_contacts c left join person_contact_controls k
    on k.owner_id = c.owner_id and k.person_id = c.person_id and k.contact_id = c.contact_id`;
}

function shortColumns(sql: Sql): Query<object> {
  return sql`c.contact_id, c.person_id, c.person_revision, c.contacted_at, c.channel, c.direction,
    c.privacy, c.content_hash, c.recorded_at, k.control_id is not null as is_retracted`;
}
