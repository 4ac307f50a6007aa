import type { Database } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { databaseUrl, template } from "../support/template.ts";
import type { World } from "../support/world.ts";

/**
 * The world's database on PostgreSQL, by sessions that keep the plan that they first make for a
 * statement.
 */
export async function openWithKeptPlans(world: World): Promise<Database> {
  const [{ name }] = await world.rows("select current_database() as name");
  await world.raw(`alter database ${name} set plan_cache_mode = force_generic_plan`);
  return openPostgres(databaseUrl(template(), name), 8);
}

/**
 * Flushes the statistics of sessions, which otherwise report late. Without other activity each
 * operation reuses the last session.
 */
export async function countNow({ database }: Pick<World, "database">): Promise<void> {
  await database.write((sql) => sql`select pg_stat_force_next_flush()`);
  await database.transaction((tx) => tx.commitWith(tx.sql`select pg_stat_force_next_flush()`));
  const countRead = () => database.read((sql) => sql`select pg_stat_force_next_flush()`);
  // A read and its credential look-up use two sessions at once.
  await Promise.all([countRead(), countRead()]);
}
