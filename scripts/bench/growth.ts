/**
 * `deno task bench:growth`: how speed changes as one owner's records grow to a million.
 *
 * `--stages 1000,100000,1000000` (records), `--json data/growth.json` (the figures). `DATABASE_URL`
 * names a server, on which it makes a database.
 *
 * One service process with the same connections serves every stage, as in a growing installation. A
 * second one stores uploads in the database.
 *
 * @module
 */

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { OptionError } from "../../tests/support/option_error.ts";
import { measurePages, type Page, planPages } from "./growth_pages.ts";
import { measureRates } from "./growth_rates.ts";
import { type Growth, growthLines, type Stage } from "./growth_report.ts";
import { writeLife } from "./growth_life.ts";
import { MODULE, Seeding } from "./growth_seed.ts";
import { LoadProcess } from "./load.ts";
import { makeDatabase } from "./server.ts";
import { type ServiceProcess, startServiceProcess } from "./service_process.ts";
import { printProgress } from "./progress.ts";
import { print } from "../print.ts";

const READ_RECORDS = 1_000;
const MIN_RECORDS = 1_000;

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Stops started processes on exit.
  Deno.addSignalListener(signal, () => interruption.abort());
}
Deno.exit(await main());

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      stages: { type: "string", default: "1000,100000,1000000" },
      json: { type: "string", default: "data/growth.json" },
    },
  });
  try {
    const stages = values.stages.split(",").map(readStage);
    const growth = await measureGrowth(stages.toSorted((a, b) => a - b));
    print(growthLines(growth).join("\n"));
    await Deno.mkdir(dirname(values.json), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(values.json, JSON.stringify(growth, null, 2) + "\n");
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return 130;
    if (!(error instanceof OptionError)) throw error;
    printProgress(error.message);
    return 1;
  }
}

function readStage(text: string): number {
  const records = Number(text);
  if (Number.isInteger(records) && records >= MIN_RECORDS) return records;
  throw new OptionError(`--stages takes whole numbers from ${MIN_RECORDS}`);
}

async function measureGrowth(counts: readonly number[]): Promise<Growth> {
  await using opened = new AsyncDisposableStack();
  const databaseUrl = await makeDatabase(opened);
  const service = await startService(opened, databaseUrl, "files");
  const chunked = await startService(opened, databaseUrl, "database");
  const load = opened.use(new LoadProcess());
  // Temporary tables belong to one connection.
  const options = { max: 1, max_lifetime: null, onnotice: () => {} };
  const sql = opened.adopt(postgres(databaseUrl, options), (client) => client.end());
  const seeding = await Seeding.begin(sql, service, counts.at(-1) ?? 0);
  await step("Writing people, memories, tags and routines", () => writeLife(service));
  const [account] = await sql<{ account_id: string }[]>`select account_id from accounts`;
  const owner = account?.account_id ?? "";
  const stages: Stage[] = [];
  let pages: Page[] = [];
  for (const records of counts) {
    await step(`Seeding ${records} records`, () => seeding.growTo(records));
    pages = await planPages(sql, owner);
    const bytesPerRecord = await databaseBytes(sql) / records;
    const ids = await someIds(sql);
    const measureStage = async (): Promise<Stage> => {
      const times = await step("Pages", () => measurePages(load, service, pages));
      const rates = await step("Rates", () => measureRates(load, { service, chunked, ids }));
      return { records, bytesPerRecord, ...rates, pages: times };
    };
    // A fresh process is slower, which would hide the cost of later stages.
    if (stages.length === 0) await measureStage();
    stages.push(await measureStage());
  }
  const [server] = await sql<{ server_version: string }[]>`show server_version`;
  return { server: `PostgreSQL ${server?.server_version}`, pages, stages };
}

async function startService(
  opened: AsyncDisposableStack,
  databaseUrl: string,
  attachments: "files" | "database",
): Promise<ServiceProcess> {
  const dataDir = opened.adopt(
    await Deno.makeTempDir({ prefix: "prs-growth-" }),
    (folder) => Deno.remove(folder, { recursive: true }),
  );
  return opened.use(await startServiceProcess({ databaseUrl, dataDir, attachments }));
}

async function databaseBytes(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`
    select pg_database_size(current_database()) as bytes`;
  return Number(row?.bytes);
}

async function someIds(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from records where module_code = ${MODULE} and archived_at is null
     order by random() limit ${READ_RECORDS}`;
  return rows.map((row) => row.record_id);
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  interruption.signal.throwIfAborted();
  const begun = performance.now();
  const result = await work();
  const seconds = Math.round((performance.now() - begun) / 1000);
  printProgress(`${name}: ${seconds} s`);
  return result;
}
