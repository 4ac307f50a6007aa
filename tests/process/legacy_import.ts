/** Imports of legacy records by the command. */

import { assertEquals } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import type { Installation } from "../support/installation.ts";

/** Made by set-up. */
export const OWNER = "owner@example.org";

/** Writes the file; returns the command's words. */
export async function importWords(
  { dataDir }: Installation,
  text: string,
  name = "records.jsonl",
): Promise<string[]> {
  const file = `${dataDir}/${name}`;
  await Deno.mkdir(dataDir, { recursive: true });
  await Deno.writeTextFile(file, text);
  return ["legacy", "import", "--owner", OWNER, "--file", file];
}

export async function makeOwner({ env }: Installation): Promise<void> {
  const create = ["account", "create", "--email", OWNER, "--name", "Me"];
  assertEquals((await runAdmin(env, create, "a password that only tests know")).code, 0);
}

export async function rowsOf({ rows }: Installation): Promise<readonly number[]> {
  const [counts] = await rows(`
    select (select count(*)::int from records) as records,
           (select count(*)::int from record_revisions) as revisions,
           (select count(*)::int from audit_entries where operation = 'legacy.import') as entries`);
  return [counts.records, counts.revisions, counts.entries];
}
