import type { World } from "../support/world.ts";

/**
 * Flushes the statistics of sessions, which otherwise report late. Without other activity each operation
 * reuses the last session.
 */
export async function countNow({ database }: World): Promise<void> {
  await database.write((sql) => sql`select pg_stat_force_next_flush()`);
  await database.transaction((tx) => tx.commitWith(tx.sql`select pg_stat_force_next_flush()`));
  const countRead = () => database.read((sql) => sql`select pg_stat_force_next_flush()`);
  // A read and its credential look-up use two sessions at once.
  await Promise.all([countRead(), countRead()]);
}
