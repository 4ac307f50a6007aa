/** Runs database tests of the current folder on one PostgreSQL server. */

import { findTestFiles, planShards, readEngines } from "./test_plan.ts";
import { type Counts, runShards } from "./test_runs.ts";

const AT_ONCE = 3;

/**
 * @param paths Files and folders.
 * @param cluster URL of a cluster whose databases the tests copy.
 */
export async function runOnServer(
  paths: readonly string[],
  cluster: string,
  title: string,
): Promise<Counts> {
  const files = (await Promise.all(paths.map(findTestFiles))).flat();
  const shards = planShards(await readEngines(files), { available: ["postgres"] })
    .filter(({ engine }) => engine === "postgres");
  const env = { TEST_ENGINE: "postgres", TEST_TEMPLATE: cluster };
  const runs = shards.map(({ files }) => ({ title, engine: "postgres" as const, files, env }));
  return await runShards(runs, [], AT_ONCE);
}
