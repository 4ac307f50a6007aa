/**
 * `deno run --allow-all scripts/bench/backup.ts [FOLDER…]`: backups of rows in turn with
 * `pg_dump -Fc` of the same database. A folder is another checkout with the same schema, whose
 * backups are measured in the same run. `--records 50000` (170 MB as lines) and `--rounds 5` change
 * the size.
 *
 * @module
 */

import postgres from "postgres";
import { parseArgs } from "node:util";
import { ownEnvironment, PROJECT, taskFlags } from "../../tests/support/server_process.ts";
import { createServerDatabase } from "../../tests/support/template.ts";
import { startCluster } from "../postgres_cluster.ts";
import { print } from "../print.ts";
import { Seeding } from "./growth_seed.ts";
import { serviceEnvironment, startServiceProcess } from "./service_process.ts";
import { median } from "./statistics.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    records: { type: "string", default: "50000" },
    rounds: { type: "string", default: "5" },
  },
});

await using opened = new AsyncDisposableStack();
const cluster = await startCluster({ durable: true });
if (cluster === null) throw new Error("PostgreSQL is not installed");
opened.defer(() => cluster.stop());
const { url } = await createServerDatabase({ empty: true, clusterUrl: cluster.url });
const dataDir = await Deno.makeTempDir({ prefix: "prs-bench-" });
opened.defer(() => Deno.remove(dataDir, { recursive: true }));
const place = { databaseUrl: url, dataDir };

async function seed(records: number): Promise<void> {
  await using service = await startServiceProcess(place);
  const sql = postgres(url, { max: 1, max_lifetime: null, onnotice: () => {} });
  const seeding = await Seeding.begin(sql, service, records);
  await seeding.growTo(records);
  await sql.end();
}

/** Returns seconds. */
async function time(program: string, args: readonly string[], cwd: string): Promise<number> {
  const env = { ...ownEnvironment(), ...serviceEnvironment(place) };
  const begun = performance.now();
  const { success, stderr } = await new Deno.Command(program, { args: [...args], cwd, env })
    .output();
  const seconds = (performance.now() - begun) / 1000;
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return seconds;
}

const flags = taskFlags("backup", dataDir, serviceEnvironment(place));
const backUp = (folder: string) => () =>
  time(Deno.execPath(), ["run", ...flags, "main.ts", "backup"], folder);
const dump = () =>
  time(`${cluster.programs}/pg_dump`, ["-Fc", "-f", `${dataDir}/dump`, "-d", url], PROJECT);
const subjects = [
  { name: "pg_dump -Fc", run: dump, seconds: [] as number[] },
  ...[PROJECT, ...positionals.map((folder) => Deno.realPathSync(folder))]
    .map((folder) => ({ name: folder, run: backUp(folder), seconds: [] as number[] })),
];

await seed(Number(values.records));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const { run, seconds } of subjects) seconds.push(await run());
}
for (const { name, seconds } of subjects) {
  const range = `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)}`;
  print(`${name}: ${median(seconds).toFixed(1)} s (${range})`);
}
