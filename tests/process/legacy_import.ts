/** An account for imports of legacy records by the command, and the command's words. */

import { assertEquals } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import type { Installation } from "../support/installation.ts";

/** The account that a server's set-up makes. */
export const OWNER = "owner@example.org";

/** Writes a file of records into the data directory, and returns the words that import it. */
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

/** Makes the account without a server. */
export async function makeOwner({ env }: Installation): Promise<void> {
  const create = ["account", "create", "--email", OWNER, "--name", "Me"];
  assertEquals((await runAdmin(env, create, "a password that only tests know")).code, 0);
}

/** How many rows an import has left, of each kind. */
export async function rowsOf({ rows }: Installation): Promise<readonly number[]> {
  const [counts] = await rows(`
    select (select count(*)::int from records) as records,
           (select count(*)::int from record_revisions) as revisions,
           (select count(*)::int from audit_entries where operation = 'legacy.import') as entries`);
  return [counts.records, counts.revisions, counts.entries];
}
