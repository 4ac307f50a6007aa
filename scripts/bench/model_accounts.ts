/** The accounts of the model: created by the service's own code, each with a session. */

import { openSession } from "../../src/access/sessions.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { insertAccount } from "../../src/accounts/account_store.ts";
import { newId } from "../../src/core/ids.ts";
import type { Tx } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";

/** The password of each. */
export const PASSWORD = "a password that only the model knows";

/** How many are made in one transaction. */
const BATCH = 100;

/** An account, and the secret of its session. */
export interface ModelAccount {
  readonly accountId: string;
  /** All have the same length. */
  readonly email: string;
  readonly token: string;
}

const SESSION = { transport: "bearer", deviceName: null, client: null, absoluteDays: 30 } as const;

/** Makes so many accounts in the database of a URL. */
export async function makeAccounts(url: string, count: number): Promise<ModelAccount[]> {
  // One hash for all, of the cost that the service has: a sign-in pays for it as any.
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
