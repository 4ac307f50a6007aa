/** Sends damaged account files, and checks for remains. */

import { assert, assertEquals } from "@std/assert";
import { importFile, linesOf } from "../http/account.ts";
import { damage } from "../support/account_mutations.ts";
import { filesUnder } from "../support/attachments.ts";
import { generatedAccount, type LifeSize } from "../support/generated_account.ts";
import { seededRandom } from "../support/random.ts";
import { createWorld, type Json, type World } from "../support/world.ts";

const LIFE: LifeSize = { records: 10, attachments: 2, attachmentBytes: 2_000 };
/** Another account's life: everything, and more of each. */
const OTHER_LIFE: LifeSize = { records: 60, attachments: 4, attachmentBytes: 2_000 };

/** Counts by name. */
export type Tally = Map<string, number>;

/** The results so far. */
export interface Refused {
  readonly files: number;
  readonly damages: Tally;
  readonly rules: Tally;
}

/**
 * Asserts that no damaged file is imported.
 *
 * @param onPart Called after each thousand and after the last.
 */
export async function assertNothingImported(
  seed: number,
  count: number,
  onPart: (refused: Refused) => void = () => {},
): Promise<Refused> {
  await using world = await createWorld();
  const stranger = await world.createCaller();
  const others = await lifeOf(seed, OTHER_LIFE);
  assertEquals((await importFile(stranger, others)).status, 200);
  const caller = await world.createCaller();
  const whole = await lifeOf(seed, LIFE);
  const othersLines = linesOf(new TextEncoder().encode(others));
  const before = await kept(world);
  const random = seededRandom(seed);
  const damages: Tally = new Map();
  const rules: Tally = new Map();
  for (let files = 1; files <= count; files++) {
    const { label, file } = damage(random, whole, othersLines);
    const response = await importFile(caller, file);
    const { code, details } = response.body.error ?? {};
    const told = `seed ${seed}, file ${files}, ${label}: ${response.text}`;
    assertEquals([response.status, code], [400, "PAYLOAD_INVALID"], told);
    assert(/^(import|json)\.[a-z_]+$/.test(details.rules.join()), told);
    add(damages, label);
    add(rules, details.rules[0]);
    if (files % 1_000 !== 0 && files !== count) continue;
    assertEquals(await kept(world), before);
    assertEquals(world.log.splice(0).filter(({ level }) => level === "error"), []);
    onPart({ files, damages, rules });
  }
  // Afterwards the undamaged file is imported.
  const imported = await importFile(caller, whole);
  assertEquals(imported.status, 200, imported.text);
  return { files: count, damages, rules };
}

async function lifeOf(seed: number, size: LifeSize): Promise<string> {
  const parts = await Array.fromAsync(generatedAccount(seed, size));
  return await new Blob(parts as BlobPart[]).text();
}

function add(tally: Tally, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

/** Row counts, and files. */
async function kept(world: World): Promise<Json> {
  const tables = await world.rows(`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`);
  const counts: Json = {};
  for (const { name } of tables) {
    [counts[name]] = await world.rows(`select count(*)::int as n from ${name}`);
  }
  const [objects, spooled] = await Promise.all(
    [world.objectFolder, world.spoolFolder].map(filesUnder),
  );
  return { counts, objects, spooled };
}
