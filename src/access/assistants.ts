import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";

/** Returns how many ended. `assistants/assistant_store.ts` has the rows. */
export async function revokeAssistants(tx: Tx, accountId: string, now: Date): Promise<number> {
  const ended = await tx.sql`
    update assistants set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning 1`;
  return ended.length;
}

/**
 * A condition: the sign-in of a code `c` has not ended. Its first pair has the end of all pairs. A
 * value, because a planner without statistics would begin a join at all first pairs.
 */
export function isOpenSignIn(sql: Sql): Query<object> {
  return sql`(
    select f.ended_at is null from assistant_tokens f
     where f.account_id = c.account_id and f.code_id = c.code_id and f.refreshed_from is null)`;
}
