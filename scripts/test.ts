/**
 * Runs tests as `scripts/test_plan.ts` plans them: each file on the engines that matter, in shards that share
 * a process, several at once.
 *
 * Without PostgreSQL everything runs on the embedded engine; `REQUIRE_POSTGRES=1` makes that a failure. Types
 * are not checked.
 *
 * Arguments: `--matrix` runs database tests on both engines; `--map` writes what each file costs and proves
 * (`scripts/test_map.ts`); paths select files and folders; flags go to `deno test`:
 * `deno task test tests/http --filter list`. Slow attacks run only if named, as by `deno task test:attack`.
 */

import { type Cluster, installedVersion } from "./postgres_cluster.ts";
import { ArgumentError, readArguments } from "./test_arguments.ts";
import { describeCosts, processSeconds } from "./test_costs.ts";
import { writeMap } from "./test_map.ts";
import { findTestFiles, LONG, planShards, readEngines, type Shard } from "./test_plan.ts";
import { print, runShards, type ShardRun } from "./test_runs.ts";
import { embeddedTemplates, startClusterWithTemplate } from "./test_templates.ts";

const MAX_AT_ONCE = 4;

const { paths, matrix, map, flags } = await readArguments(Deno.args).catch(endWithReason);
const postgres = await installedVersion();
const shards = planShards(await readEngines(await filesOf(paths)), {
  available: postgres === null ? ["embedded"] : ["embedded", "postgres"],
  matrix,
});

let cluster: Cluster | null = null;
try {
  const runs = await prepareRuns();
  // One more than processors: the embedded engine waits for the disk. The map measures one by one.
  const atOnce = map ? 1 : Math.min(navigator.hardwareConcurrency + 1, MAX_AT_ONCE);
  const counts = await runShards(runs, flags, atOnce);
  if (postgres === null) {
    print("\nPostgreSQL is not installed: everything ran on the embedded engine");
    if (Deno.env.get("REQUIRE_POSTGRES") === "1") {
      counts.failed++;
      counts.failures.push("PostgreSQL is required");
    }
  }
  const server = processSeconds(...serverProcess());
  for (const line of describeCosts(counts.costs, map ? 0 : server)) print(line);
  if (map) await writeMap(counts.costs, paths.length === 0);
  if (counts.failures.length > 0) print("");
  for (const failure of counts.failures) print(`FAILED: ${failure}`);
  print(`\n${counts.passed} passed, ${counts.failed} failed`);
  Deno.exitCode = counts.failed === 0 ? 0 : 1;
} finally {
  await (cluster as Cluster | null)?.stop();
}

/** Ends with one sentence if the words are wrong. */
function endWithReason(error: unknown): never {
  if (!(error instanceof ArgumentError)) throw error;
  print(error.message);
  Deno.exit(2);
}

async function filesOf(named: readonly string[]): Promise<string[]> {
  if (named.length === 0) {
    return (await findTestFiles("tests")).filter((file) =>
      !LONG.some((folder) => file.startsWith(folder))
    );
  }
  return [...new Set((await Promise.all(named.map(findTestFiles))).flat())];
}

function serverProcess(): number[] {
  return cluster === null ? [] : [(cluster as Cluster).pid];
}

/** Opens only what the shards need. */
async function prepareRuns(): Promise<ShardRun[]> {
  const uses = (engine: Shard["engine"]) => shards.some((shard) => shard.engine === engine);
  const folder = uses("embedded") ? await embeddedTemplates() : "";
  if (postgres !== null && uses("postgres")) cluster = await startClusterWithTemplate(postgres);
  const environment = (engine: string, template = "") => ({
    TEST_SERVER: JSON.stringify(map ? serverProcess() : []),
    TEST_ENGINE: engine,
    TEST_TEMPLATE: template,
    TEST_EMBEDDED_TEMPLATE: folder,
  });
  const places = {
    none: { title: "Without a database", env: {} },
    embedded: { title: "On the embedded engine", env: environment("embedded", folder) },
    postgres: { title: `On ${postgres}`, env: environment("postgres", cluster?.url) },
  };
  return shards.map(({ engine, files }) => ({ engine, files, ...places[engine ?? "none"] }));
}
