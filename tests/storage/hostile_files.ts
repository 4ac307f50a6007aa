/** Sends damaged account files, some small and some with everything, and looks for what they leave. */

import { assert, assertEquals } from "@std/assert";
import { importFile } from "../http/account.ts";
import { damage } from "../support/account_mutations.ts";
import { filesUnder } from "../support/attachments.ts";
import { generatedAccount } from "../support/generated_account.ts";
import { seededRandom } from "../support/random.ts";
import { createWorld, type Json, type World } from "../support/world.ts";

const SMALL_LIFE = { records: 40, attachments: 3, attachmentBytes: 60_000 };

/** Asserts that none of so many damaged files is imported. */
export async function assertNothingImported(seed: number, count: number): Promise<void> {
  await using world = await createWorld();
  const person = await world.person();
  const parts = await Array.fromAsync(generatedAccount(seed, SMALL_LIFE));
  const whole = await new Blob(parts as BlobPart[]).text();
  const before = await rowCounts(world);
  const random = seededRandom(seed);
  const rules = new Set<string>();
  for (let index = 0; index < count; index++) {
    const { label, file } = damage(random, whole);
    const response = await importFile(person, file as BodyInit);
    const { code, details } = response.body.error ?? {};
    const told = `seed ${seed}, file ${index}, ${label}: ${response.text}`;
    assertEquals([response.status, code], [400, "PAYLOAD_INVALID"], told);
    assert(/^(import|json)\.[a-z_]+$/.test(details.rules.join()), told);
    rules.add(details.rules[0]);
  }
  assert(rules.size > 10, `They were refused for ${[...rules].join()} alone`);
  assertEquals(await rowCounts(world), before);
  assertEquals(await filesUnder(world.objectFolder), []);
  assertEquals(await filesUnder(world.spoolFolder), []);
  assertEquals(world.log.filter(({ level }) => level === "error"), []);
  // What was not damaged is imported after all of them.
  const imported = await importFile(person, whole);
  assertEquals(imported.status, 200, imported.text);
}

/** How many rows each table has. */
async function rowCounts(world: World): Promise<Json> {
  const tables = await world.rows(`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`);
  const counts: Json = {};
  for (const { name } of tables) {
    [counts[name]] = await world.rows(`select count(*)::int as n from ${name}`);
  }
  return counts;
}
