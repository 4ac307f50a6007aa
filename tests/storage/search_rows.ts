/** Compares the search index with its records. */

import type { IndexedRecord } from "../../src/records/search_index/index_store.ts";
import { WORD_RULE } from "../../src/records/search_index/lexemes.ts";
import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { buildIndex } from "../../src/search/build.ts";
import type { World } from "../support/world.ts";

/** Marks the index as incomplete and of unknown rules. */
export async function forgetIndex(world: Pick<World, "raw">, script = ""): Promise<void> {
  await world.raw(`
    ${script};
    update search_index set rule = 0;
    update record_order set rule = 0;
    update search_index_build
       set order_rule = 0, is_complete = false, order_is_complete = false,
           order_after_owner_id = null, order_after_record_id = null`);
}

/** A record to index, of which only the texts matter. */
export function indexedTextsOf(recordId: string, texts: readonly string[]): IndexedRecord {
  const order = {
    moduleCode: "commitment",
    isArchived: false,
    guard: null,
    kind: null,
    time: null,
    day: null,
  };
  return { recordId, title: texts[0] ?? "", texts, order };
}

export function makeIndex(
  { database }: Pick<World, "database">,
  signal?: AbortSignal,
): Promise<number> {
  return buildIndex({ database, catalog: CATALOG }, signal);
}

/** Records with their words and order, null for a missing row; by a condition, or all. */
export async function readIndex(
  { rows }: Pick<World, "rows">,
  condition = "true",
): Promise<Map<string, { readonly words: string | null; readonly order: string | null }>> {
  const indexed = await rows(`
    select r.owner_id || r.record_id as key, i.lexemes || i.words::text as words, o::text as "order"
      from records r
           left join search_index i using (owner_id, record_id)
           left join record_order o using (owner_id, record_id)
     where ${condition}`);
  return new Map(indexed.map(({ key, words, order }) => [key, { words, order }]));
}

/**
 * Writes left the same rows as a build of the whole index.
 *
 * @param condition For tests that add other records past the service.
 */
export async function assertIndexed(world: World, condition?: string): Promise<void> {
  const written = await readIndex(world, condition);
  assert(written.size > 0);
  await forgetIndex(world);
  await makeIndex(world);
  assertEquals(written, await readIndex(world, condition));
  assertEquals(
    await world.rows(
      "select order_rule as rule, order_is_complete as is_complete from search_index_build",
    ),
    [
      { rule: WORD_RULE, is_complete: true },
    ],
  );
}
