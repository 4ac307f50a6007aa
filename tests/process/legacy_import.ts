/** Imports of legacy records by the command. */

import type { Installation } from "../support/installation.ts";
import { OWNER } from "../support/owner.ts";

/** Writes the file; returns the command's words. */
export async function importWords(
  { dataDir }: Installation,
  text: string,
  name = "records.jsonl",
): Promise<string[]> {
  const file = `${dataDir}/${name}`;
  await Deno.mkdir(dataDir, { recursive: true });
  await Deno.writeTextFile(file, text);
  return ["legacy", "import", "--owner", OWNER.email, "--file", file];
}

export async function rowsOf({ rows }: Installation): Promise<readonly number[]> {
  const [counts] = await rows(`
    select (select count(*)::int from records) as records,
           (select count(*)::int from record_revisions) as revisions,
           (select count(*)::int from audit_entries where operation = 'legacy.import') as entries`);
  return [counts.records, counts.revisions, counts.entries];
}
