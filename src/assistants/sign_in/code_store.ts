/** The rows of codes, one for each Allow of an owner. `token_store.ts` exchanges them. */

import { newSecret, sha256 } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import type { Tx } from "../../database/database.ts";

/** RFC 6749 recommends at most ten minutes; programs exchange a code at once. */
const CODE_LIFETIME_MS = 60_000;

/** A row of `assistant_codes`, without the digest. */
export interface CodeRow {
  readonly account_id: string;
  readonly code_id: string;
  readonly assistant_id: string;
  /** The client id of the request: the assistant's, or the one that registered programs share. */
  readonly client: string;
  readonly callback: string;
  readonly challenge: string;
  readonly is_offline: boolean;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export type NewCode = Omit<CodeRow, "code_id" | "created_at" | "expires_at">;

/** Stores an Allow. Returns its code, which is not stored itself. */
export async function insertCode({ sql }: Tx, code: NewCode, now: Date): Promise<string> {
  const secret = newSecret("prs_g_");
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
  await sql`
    insert into assistant_codes (account_id, code_id, assistant_id, code_digest, client, callback,
                                 challenge, is_offline, created_at, expires_at)
    values (${code.account_id}, ${newId(now)}, ${code.assistant_id}, ${sha256(secret)},
            ${code.client}, ${code.callback}, ${code.challenge}, ${code.is_offline}, ${now},
            ${expiresAt})`;
  return secret;
}
