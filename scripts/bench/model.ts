/**
 * `deno task bench:model`: the capacity of one cell, and the needs of very many accounts. It measures the
 * cost of each kind of request, prints the arithmetic line by line, and checks it with a compressed day of
 * all accounts. Linux only, on a throw-away PostgreSQL.
 *
 * `--accounts 1000` (active ones in the check), `--days 1` (how much of a day is sent), `--cores 2` (of a
 * cell; default: this machine's), `--json data/model.json`.
 *
 * @module
 */

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { startCluster } from "../postgres_cluster.ts";
import { writeAll } from "../../src/core/files.ts";
import { runBackupTask } from "../../tests/support/backup_process.ts";
import { OptionError } from "../../tests/support/option_error.ts";
import { createServerDatabase } from "../../tests/support/template.ts";
import { LoadProcess } from "./load.ts";
import { makeAccounts } from "./model_accounts.ts";
import { type Assumptions, type Habit, keptBytes } from "./model_arithmetic.ts";
import { readCounters, readPostmaster, type Watched } from "./model_counters.ts";
import { type Model, modelLines } from "./model_lines.ts";
import { measureCosts, measureDay, type Subject } from "./model_measure.ts";
import { prepareRequests } from "./model_requests.ts";
import { serviceEnvironment, startServiceProcess } from "./service_process.ts";
import { tell } from "./tell.ts";

/** Per active account and day. */
const HABIT: Habit = {
  create: 6,
  change: 3,
  read: 20,
  list: 10,
  search: 2,
  upload: 0.5,
  download: 1,
  "sign-in": 0.1,
};
const TERABYTE = 1e12;
/** Written to measure the disk. */
const WRITTEN_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** The measurement triggers checkpoints itself. */
const SETTINGS = { checkpoint_timeout: "1h", max_wal_size: "16GB" };

Deno.exit(await main());

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      accounts: { type: "string", default: "1000" },
      days: { type: "string", default: "1" },
      cores: { type: "string", default: String(navigator.hardwareConcurrency) },
      json: { type: "string", default: "data/model.json" },
    },
  });
  try {
    const accounts = readPositive("accounts", values.accounts);
    const days = readPositive("days", values.days);
    const model = await measureModel(accounts, days, readPositive("cores", values.cores));
    Deno.stdout.writeSync(new TextEncoder().encode(modelLines(model).join("\n") + "\n"));
    await Deno.mkdir(dirname(values.json), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(values.json, JSON.stringify(model, null, 2) + "\n");
    return 0;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    tell(error.message);
    return 1;
  }
}

function readPositive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0 && number < 1e6) return number;
  throw new OptionError(`--${name} takes a number above 0`);
}

async function measureModel(accounts: number, days: number, cores: number): Promise<Model> {
  await using opened = new AsyncDisposableStack();
  const cluster = await startCluster({ durable: true, settings: SETTINGS });
  if (cluster === null) throw new Error("PostgreSQL is not installed");
  opened.defer(() => cluster.stop());
  const dataDir = opened.adopt(
    await Deno.makeTempDir({ prefix: "prs-model-" }),
    (folder) => Deno.remove(folder, { recursive: true }),
  );
  const made = await createServerDatabase({ empty: true, clusterUrl: cluster.url });
  const place = { databaseUrl: made.url, dataDir };
  const service = opened.use(await startServiceProcess(place));
  const load = opened.use(new LoadProcess());
  const sql = opened.adopt(postgres(made.url, { max: 1 }), (client) => client.end());
  tell(`Making ${accounts} accounts`);
  const people = await makeAccounts(made.url, accounts);
  tell("Seeding");
  const { port } = service;
  const subject: Subject = {
    load,
    port,
    accounts,
    watched: {
      sql,
      servicePid: service.pid,
      objects: `${dataDir}/objects`,
      postmasterPid: await readPostmaster(sql),
    },
    requests: await prepareRequests(sql, { load, port }, people),
  };
  const { costs, laterLogBytes } = await measureCosts(subject, (kind) => tell(`Measuring ${kind}`));
  tell("A day of all accounts");
  const day = await measureDay(subject, costs, scaled(HABIT, days));
  tell("A backup");
  const backupRate = await measureBackup(subject.watched, serviceEnvironment(place));
  const assumptions = { ...await assume(dataDir), cores, backupRate };
  const server = cluster.version;
  return { accounts, days, habit: HABIT, costs, laterLogBytes, day, assumptions, server };
}

function scaled(habit: Habit, factor: number): Habit {
  const entries = Object.entries(habit).map(([kind, often]) => [kind, often * factor]);
  return Object.fromEntries(entries) as Habit;
}

async function assume(folder: string): Promise<Omit<Assumptions, "cores" | "backupRate">> {
  return {
    peakFactor: 6,
    processorShare: 0.6,
    years: 5,
    diskBytes: 2 * TERABYTE,
    diskShare: 0.7,
    diskRate: await measureDisk(folder),
    logShare: 0.25,
    backupHours: 8,
    databaseNodes: 3,
    leastProcesses: 2,
  };
}

/** Sequential writes, in bytes per second. */
async function measureDisk(folder: string): Promise<number> {
  const path = `${folder}/written`;
  const chunk = crypto.getRandomValues(new Uint8Array(65_536));
  const bytes = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; at < bytes.length; at += chunk.length) bytes.set(chunk, at);
  using file = await Deno.open(path, { createNew: true, write: true });
  const begun = performance.now();
  for (let written = 0; written < WRITTEN_BYTES; written += bytes.length) {
    await writeAll(file, bytes);
  }
  await file.sync();
  const seconds = (performance.now() - begun) / 1000;
  await Deno.remove(path);
  return WRITTEN_BYTES / seconds;
}

/** Bytes per second of the service's backup, attachments included. */
async function measureBackup(
  watched: Watched,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const kept = keptBytes(await readCounters(watched));
  const begun = performance.now();
  const { code, stderr } = await runBackupTask("backup", env);
  if (code !== 0) throw new Error(`The backup failed: ${stderr}`);
  return kept / ((performance.now() - begun) / 1000);
}
