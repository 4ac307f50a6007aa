// engines: both
/** `storage/account_hostile_files_test.ts` with many more files and their memory. */

import { assert, assertEquals } from "@std/assert";
import { print } from "../../../scripts/print.ts";
import { assertNothingImported, type Tally } from "../../storage/hostile_files.ts";
import { DAMAGES } from "../../support/account_mutations.ts";

const FILES = 10_000;
/** By then all code has run once. */
const SETTLED = 2_000;
const MAX_GROWTH_MIB = 64;

Deno.test("Ten thousand damaged files are rejected, leave nothing, and memory stays level", async () => {
  const held = new Map<number, number>();
  const { damages, rules } = await assertNothingImported(20_261_123, FILES, ({ files }) => {
    const memory = Math.round(Deno.memoryUsage().rss / 1024 / 1024);
    held.set(files, memory);
    print(`${files} files: ${memory} MiB`);
  });
  print(`Damages: ${told(damages)}`);
  print(`Refusals: ${told(rules)}`);
  assertEquals([...damages.keys()].sort(), [...DAMAGES].sort());
  const growth = (held.get(FILES) ?? Infinity) - (held.get(SETTLED) ?? 0);
  assert(growth < MAX_GROWTH_MIB, `${growth} MiB more after ${FILES} files than after ${SETTLED}`);
});

function told(tally: Tally): string {
  return [...tally].sort(([one], [other]) => one < other ? -1 : 1)
    .map(([name, count]) => `${count} ${name}`).join(", ");
}
