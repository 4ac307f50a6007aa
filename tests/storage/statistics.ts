import type { World } from "../support/world.ts";

/**
 * Has the server count what has been done so far: left to itself, a session tells of its reads and
 * writes some time later. Only where nothing else runs is each operation's session the one that was used
 * before.
 */
export async function countNow({ database }: World): Promise<void> {
  await database.write((sql) => sql`select pg_stat_force_next_flush()`);
  await database.transaction((tx) => tx.commitWith(tx.sql`select pg_stat_force_next_flush()`));
  const countRead = () => database.read((sql) => sql`select pg_stat_force_next_flush()`);
  // A read and the look-up of its credential are sent at once, over two sessions.
  await Promise.all([countRead(), countRead()]);
}
