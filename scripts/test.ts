/**
 * Runs tests as `scripts/test_plan.ts` plans them: each file on the engines that matter, in shards
 * that share a process, several at once.
 *
 * Without PostgreSQL everything runs on the embedded engine; `REQUIRE_POSTGRES=1` makes that a
 * failure. Types are not checked.
 *
 * Arguments: `--matrix` runs database tests on both engines; `--one-by-one` runs files one after
 * the other, each in its process; paths select files and folders; flags go to `deno test`:
 * `deno task test tests/http --filter list`. Slow attacks run only if named, as by
 * `deno task test:attack`.
 */

import { OptionError } from "../tests/support/option_error.ts";
import { describeCosts, processSeconds } from "../tests/support/processor_time.ts";
import { type Cluster, installedVersion } from "./postgres_cluster.ts";
import { print } from "./print.ts";
import { readArguments } from "./test_arguments.ts";
import { findTestFiles, LONG, planShards, readEngines, type Shard } from "./test_plan.ts";
import { runShards, type ShardRun } from "./test_runs.ts";
import { embeddedTemplates, startClusterWithTemplate } from "./test_templates.ts";

/** One more than processors, because the embedded engine waits for the disk. */
const AT_ONCE = Math.min(navigator.hardwareConcurrency + 1, 4);

try {
  Deno.exitCode = await main();
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  print(error.message);
  Deno.exitCode = 2;
}

async function main(): Promise<number> {
  const { paths, matrix, oneByOne, flags } = await readArguments(Deno.args);
  const postgres = await installedVersion();
  const engines = await readEngines(await filesOf(paths));
  const groups = oneByOne ? Array.from(engines, (file) => new Map([file])) : [engines];
  const shards = groups.flatMap((files) =>
    planShards(files, {
      available: postgres === null ? ["embedded"] : ["embedded", "postgres"],
      matrix,
    })
  );
  const uses = (engine: Shard["engine"]) => shards.some((shard) => shard.engine === engine);
  const folder = uses("embedded") ? await embeddedTemplates() : "";
  const cluster = postgres !== null && uses("postgres")
    ? await startClusterWithTemplate(postgres)
    : null;
  try {
    const runs = shards.map((shard) => runOf(shard, postgres, folder, cluster));
    const { passed, failed, failures, costs } = await runShards(
      runs,
      flags,
      oneByOne ? 1 : AT_ONCE,
    );
    for (const line of describeCosts(costs, cluster ? processSeconds(cluster.pid) : 0)) print(line);
    const isMissing = postgres === null && Deno.env.get("REQUIRE_POSTGRES") === "1";
    if (isMissing) failures.push("PostgreSQL is required");
    if (postgres === null) print("\nPostgreSQL is not installed: all ran on the embedded engine");
    if (failures.length > 0) print("");
    for (const failure of failures) print(`FAILED: ${failure}`);
    const total = failed + (isMissing ? 1 : 0);
    print(`\n${passed} passed, ${total} failed`);
    return total === 0 ? 0 : 1;
  } finally {
    await cluster?.stop();
  }
}

async function filesOf(paths: readonly string[]): Promise<string[]> {
  if (paths.length > 0) return [...new Set((await Promise.all(paths.map(findTestFiles))).flat())];
  const all = await findTestFiles("tests");
  return all.filter((file) => !LONG.some((folder) => file.startsWith(folder)));
}

/** @param folder The embedded engine's templates. */
function runOf(
  shard: Shard,
  postgres: string | null,
  folder: string,
  cluster: Cluster | null,
): ShardRun {
  if (shard.engine === null) return { ...shard, title: "Without a database", env: {} };
  const isEmbedded = shard.engine === "embedded";
  return {
    ...shard,
    title: isEmbedded ? "On the embedded engine" : `On ${postgres}`,
    env: {
      TEST_ENGINE: shard.engine,
      TEST_TEMPLATE: isEmbedded ? folder : cluster?.url ?? "",
      TEST_EMBEDDED_TEMPLATE: folder,
    },
  };
}
