/** Created by the service's code, each with a session. */

import { openSession } from "../../src/access/sessions.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { insertAccount } from "../../src/accounts/account_store.ts";
import { newId } from "../../src/core/ids.ts";
import type { Tx } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";

export const PASSWORD = "a password that only the model knows";

/** Accounts per transaction. */
const BATCH = 100;

export interface ModelAccount {
  readonly accountId: string;
  /** All have one length. */
  readonly email: string;
  readonly token: string;
}

const SESSION = { transport: "bearer", deviceName: null, client: null, absoluteDays: 30 } as const;

export async function makeAccounts(url: string, count: number): Promise<ModelAccount[]> {
  // One hash for all, at the service's cost, so that sign-ins pay it.
  const passwordHash = await new PasswordHasher().hash(PASSWORD, "known");
  const database = openPostgres(url, 1);
  try {
    const accounts: ModelAccount[] = [];
    while (accounts.length < count) {
      const first = accounts.length + 1;
      const size = Math.min(BATCH, count - accounts.length);
      accounts.push(
        ...await database.transaction((tx) => makeBatch(tx, passwordHash, { first, size })),
      );
    }
    return accounts;
  } finally {
    await database.close();
  }
}

async function makeBatch(
  tx: Tx,
  passwordHash: string,
  { first, size }: { readonly first: number; readonly size: number },
): Promise<ModelAccount[]> {
  const accounts: ModelAccount[] = [];
  for (let number = first; number < first + size; number++) {
    const email = `model-${String(number).padStart(9, "0")}@example.org`;
    const now = new Date();
    const context = { requestId: newId(now), now, client: null };
    const account = { email, displayName: "A model", passwordHash };
    const { accountId } = await insertAccount(tx, account, context);
    const { secret: token } = await openSession(tx, accountId, SESSION, now);
    accounts.push({ accountId, email, token });
  }
  return accounts;
}
