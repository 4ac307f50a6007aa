import type { Tx } from "../database/database.ts";

/** Ends an account's assistants, whose rows `assistants/assistant_store.ts` has. Returns how many ended. */
export async function revokeAssistants(tx: Tx, accountId: string, now: Date): Promise<number> {
  const ended = await tx.sql`
    update assistants set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning 1`;
  return ended.length;
}
