/** The owner of an installation, without the cost of a set-up. */

import { findAccountByEmail, insertAccount } from "../../src/accounts/account_store.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { openSession } from "../../src/access/sessions.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database } from "../../src/database/database.ts";
import { CHEAP_COST } from "./world.ts";

/** Signs in by this password, whose stored hash is checked at a low cost. */
export const OWNER = { email: "owner@example.org", password: "a password that only tests know" };

export const CHEAP_HASHER = new PasswordHasher({ cost: CHEAP_COST });

/** An account with an open session, for `callerOf`. */
export interface Owner {
  readonly accountId: string;
  readonly sessionId: string;
  readonly secret: string;
}

/** Opens a session of `OWNER`, whose account is made unless it exists, as after a restore. */
export async function openOwner(database: Database): Promise<Owner> {
  const { email, password } = OWNER;
  const passwordHash = await CHEAP_HASHER.hash(password, "known");
  const now = new Date();
  return await database.transaction(async (tx) => {
    const known = await findAccountByEmail(tx.sql, email);
    const context = { requestId: newId(now), now, client: null };
    const account = { email, displayName: "Owner", passwordHash };
    const accountId = known?.account_id ?? (await insertAccount(tx, account, context)).accountId;
    const client = { transport: "bearer", deviceName: null, client: null } as const;
    const wanted = { ...client, absoluteDays: 30 };
    const { session: { sessionId }, secret } = await openSession(tx, accountId, wanted, now);
    return { accountId, sessionId, secret };
  });
}
