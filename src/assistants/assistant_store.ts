/** The rows of assistants. `access/assistant_authenticator.ts` authenticates their secrets. */

import { isOpenSignIn } from "../access/assistants.ts";
import { newSecret, sha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { PageQuery } from "../http/page.ts";
import { namesOf, valuesOf } from "../kit/columns.ts";
import { ASSISTANT, type AssistantRow, type NewAssistant } from "./assistant.ts";

/** Maximum number of an account's assistants that have not ended. */
export const MAX_LIVE_ASSISTANTS = 10;

/**
 * Stores an assistant. The secret is not stored and cannot be shown again; it is null for an
 * assistant that signs in.
 */
export async function insertAssistant(
  tx: Tx,
  accountId: string,
  stated: NewAssistant,
  now: Date,
): Promise<{ readonly row: AssistantRow; readonly secret: string | null }> {
  const secret = stated.program === null ? newSecret("prs_a_") : null;
  const unused = { revoked_at: null, last_used_at: null, bound_callback: null };
  const row = { ...stated, ...unused, assistant_id: newId(now), created_at: now, sign_ins: 0 };
  await tx.sql`
    insert into assistants (account_id, secret_digest, ${namesOf(tx.sql, ASSISTANT)})
    values (${accountId}, ${secret === null ? null : sha256(secret)},
            ${valuesOf(tx.sql, ASSISTANT, row)})`;
  return { row, secret };
}

/** A condition: a token of the code `c` is valid, or can be refreshed. */
export function isLiveSignIn(sql: Sql, now: Date): Query<object> {
  return sql`${isOpenSignIn(sql)} and (
    select t.refresh_expires_at from assistant_tokens t
     where t.account_id = c.account_id and t.code_id = c.code_id
     order by t.token_id desc limit 1) > ${now}`;
}

/** The columns of `AssistantRow` from `assistants a`. */
function assistantColumns(sql: Sql, now: Date): Query<object> {
  return sql`${namesOf(sql, ASSISTANT)}, (
      select count(*)::integer from assistant_codes c
       where c.account_id = a.account_id and c.assistant_id = a.assistant_id
         and a.revoked_at is null and a.expires_at > ${now}
         and ${isLiveSignIn(sql, now)}) as sign_ins`;
}

/** Selects an account's assistants before `cursor`, newest first, except revoked ones. */
export function listAssistants(
  sql: Sql,
  accountId: string,
  { cursor, limit }: PageQuery,
  now: Date,
): Query<AssistantRow> {
  return sql<AssistantRow>`
    select ${assistantColumns(sql, now)} from assistants a
     where account_id = ${accountId} and revoked_at is null
       ${cursor === null ? sql`` : sql`and assistant_id < ${cursor}`}
     order by assistant_id desc limit ${limit}`;
}

/** Also finds an assistant that has ended. */
export function findAssistant(
  sql: Sql,
  accountId: string,
  id: string,
  now: Date,
): Query<AssistantRow> {
  return sql<AssistantRow>`
    select ${assistantColumns(sql, now)} from assistants a
     where account_id = ${accountId} and assistant_id = ${id}`;
}

/**
 * Selects the assistants that sign in and have not ended, newest first.
 *
 * @param id The only one to select, or null.
 */
export function listSigningIn(
  sql: Sql,
  accountId: string,
  id: string | null,
  now: Date,
): Query<AssistantRow> {
  return sql<AssistantRow>`
    select ${assistantColumns(sql, now)} from assistants a
     where account_id = ${accountId} and program is not null
       and revoked_at is null and expires_at > ${now}
       ${id === null ? sql`` : sql`and assistant_id = ${id}`}
     order by assistant_id desc`;
}

/**
 * Stores the callback that an owner allowed first. The database decides between two at once.
 *
 * @returns false if another callback was first.
 */
export async function bindCallback(
  { sql }: Tx,
  accountId: string,
  id: string,
  callback: string,
): Promise<boolean> {
  const bound = await sql`
    update assistants set bound_callback = ${callback}
     where account_id = ${accountId} and assistant_id = ${id}
       and (bound_callback is null or bound_callback = ${callback})
    returning 1`;
  return bound.length > 0;
}

/** Call it only while the account is locked. */
export async function countLiveAssistants(sql: Sql, accountId: string, now: Date): Promise<number> {
  const [row] = await sql<{ readonly live: number }>`
    select count(*)::integer as live from assistants
     where account_id = ${accountId} and revoked_at is null and expires_at > ${now}`;
  return row?.live ?? 0;
}

/** Locks an assistant until the transaction ends, so that its calls are counted in turn. */
export async function lockAssistant(sql: Sql, accountId: string, id: string): Promise<void> {
  await sql`
    select 1 from assistants where account_id = ${accountId} and assistant_id = ${id}
       for no key update`;
}

/** Returns false if it is already revoked, or does not exist. */
export async function revokeAssistant(
  { sql }: Tx,
  accountId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const ended = await sql`
    update assistants set revoked_at = ${now}
     where account_id = ${accountId} and assistant_id = ${id} and revoked_at is null
    returning 1`;
  return ended.length > 0;
}
