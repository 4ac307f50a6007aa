import type { Tx } from "../database/database.ts";

/** Returns how many ended. `assistants/assistant_store.ts` has the rows. */
export async function revokeAssistants(tx: Tx, accountId: string, now: Date): Promise<number> {
  const ended = await tx.sql`
    update assistants set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning 1`;
  return ended.length;
}
