/** Assistants: credentials that read the modules lent to them, and can only propose changes. */

import { DAY_MS } from "../core/clock.ts";
import { newSecret, sha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Revocation } from "./identity.ts";

/** Maximum number of an account's assistants that have not ended. */
export const MAX_LIVE_ASSISTANTS = 10;
/** Maximum lifetime of an assistant, which is also the default. */
export const ASSISTANT_LIFETIME_MS = 90 * DAY_MS;

/** An assistant as it is stored, without its secret. */
export interface AssistantRow {
  readonly assistant_id: string;
  readonly name: string;
  /** With a space between, in the order of the catalog. */
  readonly modules: string;
  readonly may_propose: boolean;
  readonly sensitive: "HIDDEN" | "SHOWN";
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

/** The values of a new assistant. */
export type NewAssistant = Pick<
  AssistantRow,
  "name" | "modules" | "may_propose" | "sensitive" | "expires_at"
>;

/** Makes an assistant. The secret is not stored and cannot be shown again. */
export async function insertAssistant(
  tx: Tx,
  accountId: string,
  { name, modules, may_propose, sensitive, expires_at }: NewAssistant,
  now: Date,
): Promise<{ readonly row: AssistantRow; readonly secret: string }> {
  const secret = newSecret("prs_a_");
  const [row] = await tx.sql<AssistantRow>`
    insert into assistants (account_id, assistant_id, name, modules, may_propose, sensitive,
                            secret_digest, created_at, expires_at)
    values (${accountId}, ${newId(now)}, ${name}, ${modules}, ${may_propose}, ${sensitive},
            ${sha256(secret)}, ${now}, ${expires_at})
    returning ${assistantColumns(tx.sql)}`;
  if (row === undefined) throw new Error("An insert returns its row");
  return { row, secret };
}

/** An account's assistants that were not revoked, before `cursor`, newest first. */
export function listAssistants(
  sql: Sql,
  accountId: string,
  cursor: string | null,
  limit: number,
): Query<AssistantRow> {
  return sql<AssistantRow>`
    select ${assistantColumns(sql)} from assistants
     where account_id = ${accountId} and revoked_at is null
       ${cursor === null ? sql`` : sql`and assistant_id < ${cursor}`}
     order by assistant_id desc limit ${limit}`;
}

/** An assistant of an account, live or ended. */
export function findAssistant(sql: Sql, accountId: string, id: string): Query<AssistantRow> {
  return sql<AssistantRow>`
    select ${assistantColumns(sql)} from assistants
     where account_id = ${accountId} and assistant_id = ${id}`;
}

/** How many assistants of an account have not ended. Call it only while the account is locked. */
export async function countLiveAssistants(sql: Sql, accountId: string, now: Date): Promise<number> {
  const [row] = await sql<{ readonly live: number }>`
    select count(*)::integer as live from assistants
     where account_id = ${accountId} and revoked_at is null and expires_at > ${now}`;
  return row?.live ?? 0;
}

/** Locks an assistant, so that its proposals are written one after the other. */
export async function lockAssistant(sql: Sql, accountId: string, id: string): Promise<void> {
  await sql`
    select 1 from assistants where account_id = ${accountId} and assistant_id = ${id}
       for no key update`;
}

/** Ends an assistant. Returns when it ended, now or before; null when the account never had it. */
export async function revokeAssistant(
  tx: Tx,
  accountId: string,
  id: string,
  now: Date,
): Promise<Revocation | null> {
  const [ended] = await tx.sql`
    update assistants set revoked_at = ${now}
     where account_id = ${accountId} and assistant_id = ${id} and revoked_at is null
    returning 1`;
  if (ended !== undefined) return { revokedAt: now, isNew: true };
  const [row] = await findAssistant(tx.sql, accountId, id);
  return row === undefined ? null : { revokedAt: row.revoked_at ?? now, isNew: false };
}

/** Ends an account's assistants. Returns how many ended. */
export async function revokeAssistants(tx: Tx, accountId: string, now: Date): Promise<number> {
  const ended = await tx.sql`
    update assistants set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning 1`;
  return ended.length;
}

function assistantColumns(sql: Sql): Query<object> {
  return sql`assistant_id, name, modules, may_propose, sensitive, created_at, expires_at, revoked_at,
    last_used_at`;
}
