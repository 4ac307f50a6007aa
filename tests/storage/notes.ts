/** Two test tables: notes, and promises that a commit must keep. */

import { assertEquals, assertRejects } from "@std/assert";
import { databaseFailure } from "../../src/database/failures.ts";
import type { World } from "../support/world.ts";

export async function makeNotes(world: World): Promise<void> {
  await world.raw(`
    create table notes (name text primary key);
    create table promises (
      name text primary key,
      kept_by text constraint promise_is_kept references notes deferrable initially deferred
    )`);
}

export async function isNoted(
  { database }: Pick<World, "database">,
  name: string,
): Promise<boolean> {
  const found = await database.read((sql) => sql`select 1 from notes where name = ${name}`);
  return found.length > 0;
}

/** The database rejects an action with this SQLSTATE. */
export async function assertSqlstate(
  action: () => Promise<unknown>,
  sqlstate: string,
): Promise<void> {
  const error = await assertRejects(action);
  assertEquals(databaseFailure(error)?.sqlstate, sqlstate, String(error));
}
