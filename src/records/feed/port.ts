/** The parts of the changes feed that the start of the service and a restore use. */

import type { Database, Tx } from "../../database/database.ts";

/**
 * Begins a new feed if another server numbered the revisions; see `check_change_feed` in
 * sql/0006_changes.sql.
 */
export async function checkChangeFeed(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.withoutTimeouts();
    await tx.sql`call check_change_feed()`;
  });
}

/**
 * Begins a new feed, in which all existing revisions come first. Must be the last step of a
 * transaction, because it runs the deferred checks. Does nothing in an older schema, whose
 * migration begins a feed.
 */
export async function beginChangeFeed({ sql }: Tx): Promise<void> {
  const [schema] = await sql<{ has_feed: boolean }>`
    select to_regclass('change_feed') is not null as has_feed`;
  if (schema?.has_feed) await sql`call begin_change_feed()`;
}
