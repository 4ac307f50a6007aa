/** The rows of the search index, compared with those that the records ask for. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { buildIndex } from "../../src/search/build.ts";
import type { World } from "../support/world.ts";

/** Makes the index forget that it is complete, and by which rules it was made. */
export async function forgetIndex(world: Pick<World, "raw">, script = ""): Promise<void> {
  await world.raw(`
    ${script};
    update search_index set rule = 0;
    update search_index_build
       set rule = 0, is_complete = false, after_owner_id = null, after_record_id = null`);
}

/** Makes the index from the records. */
export function makeIndex(
  { database }: Pick<World, "database">,
  signal?: AbortSignal,
): Promise<number> {
  return buildIndex({ database, catalog: CATALOG }, signal);
}

/** Records with their words as the index has them, null for one that it lacks: those of a condition, or all. */
export async function readIndex(
  { rows }: Pick<World, "rows">,
  condition = "true",
): Promise<Map<string, string | null>> {
  const indexed = await rows(`
    select r.owner_id || r.record_id as key, i.words::text as words
      from records r left join search_index i using (owner_id, record_id)
     where ${condition}`);
  return new Map(indexed.map(({ key, words }) => [key, words]));
}

/**
 * Asserts that every write has left the rows that a build of the whole index makes.
 *
 * @param condition The records in question, where a test has put others past the service.
 */
export async function assertIndexed(world: World, condition?: string): Promise<void> {
  const written = await readIndex(world, condition);
  assert(written.size > 0);
  await forgetIndex(world);
  await makeIndex(world);
  assertEquals(written, await readIndex(world, condition));
  assertEquals(await world.rows("select rule, is_complete from search_index_build"), [
    { rule: 1, is_complete: true },
  ]);
}
