/**
 * `deno task bench:growth`: how speed changes as the database grows, the disk space of a record, and the log
 * bytes of a write. About twelve minutes.
 *
 * `--stages 1000,100000,1000000` (records of one owner), `--owners 1000` (who share as many records in a
 * second database), `--json data/growth.json` (the figures). `DATABASE_URL` names a server, on which it makes
 * databases.
 *
 * One service process with the same connections serves every stage, as in a growing installation.
 *
 * @module
 */

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { startCluster } from "../postgres_cluster.ts";
import { OptionError } from "../../tests/support/option_error.ts";
import { createServerDatabase } from "../../tests/support/template.ts";
import { measureLogCost, readDiskCost } from "./growth_cost.ts";
import { measurePages, type Page, planPages } from "./growth_pages.ts";
import { measureRates, type Rates } from "./growth_rates.ts";
import { type Growth, growthLines, type Stage } from "./growth_report.ts";
import { MODULE, OWNERS_HEADER, Seeding } from "./growth_seed.ts";
import { LoadProcess } from "./load.ts";
import { type ServiceProcess, startServiceProcess } from "./service_process.ts";
import { tell } from "./tell.ts";

const READ_RECORDS = 1_000;

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
      owners: { type: "string", default: "1000" },
      json: { type: "string", default: "data/growth.json" },
    },
  });
  try {
    const stages = values.stages.split(",").map((text) => readNumber("stages", text, 1_000));
    const owners = readNumber("owners", values.owners, 2);
    const growth = await measureGrowth(stages.toSorted((a, b) => a - b), owners);
    Deno.stdout.writeSync(new TextEncoder().encode(growthLines(growth).join("\n") + "\n"));
    await Deno.mkdir(dirname(values.json), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(values.json, JSON.stringify(growth, null, 2) + "\n");
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return 130;
    if (!(error instanceof OptionError)) throw error;
    tell(error.message);
    return 1;
  }
}

function readNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least) return number;
  throw new OptionError(`--${name} takes whole numbers from ${least}`);
}

async function measureGrowth(stages: readonly number[], owners: number): Promise<Growth> {
  await using opened = new AsyncDisposableStack();
  const url = Deno.env.get("DATABASE_URL") || null;
  const cluster = url === null ? await startCluster({ durable: true }) : null;
  if (cluster !== null) opened.defer(() => cluster.stop());
  const serverUrl = url ?? cluster?.url;
  if (serverUrl === undefined) throw new Error("PostgreSQL is not installed");
  const load = opened.use(new LoadProcess());
  const most = stages.at(-1) ?? 0;
  const one = await measureOneOwner(serverUrl, load, stages, cluster !== null);
  return { ...one, shared: { owners, ...await measureOwners(serverUrl, load, most, owners) } };
}

interface Installation extends AsyncDisposable {
  readonly service: ServiceProcess;
  readonly sql: postgres.Sql;
}

async function install(serverUrl: string): Promise<Installation> {
  await using opening = new AsyncDisposableStack();
  const dataDir = opening.adopt(
    await Deno.makeTempDir({ prefix: "prs-growth-" }),
    (folder) => Deno.remove(folder, { recursive: true }),
  );
  const made = opening.adopt(
    await createServerDatabase({ empty: true, clusterUrl: serverUrl }),
    (database) => database.drop(),
  );
  const service = opening.use(await startServiceProcess({ databaseUrl: made.url, dataDir }));
  // Temporary tables belong to one connection.
  const options = { max: 1, max_lifetime: null, onnotice: () => {} };
  const sql = opening.adopt(postgres(made.url, options), (client) => client.end());
  const running = opening.move();
  return { service, sql, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function measureOneOwner(
  serverUrl: string,
  load: LoadProcess,
  counts: readonly number[],
  isOurs: boolean,
): Promise<Omit<Growth, "shared">> {
  await using installation = await install(serverUrl);
  const { service, sql } = installation;
  const most = counts.at(-1) ?? 0;
  const seeding = await Seeding.begin(sql, service, { most, owners: 1 });
  const [account] = await sql<{ account_id: string }[]>`select account_id from accounts`;
  const owner = account?.account_id ?? "";
  const stages: Stage[] = [];
  let pages: Page[] = [];
  for (const records of counts) {
    await step(`One owner: seeding ${records} records`, () => seeding.growTo(records));
    pages = await planPages(sql, owner);
    const askers = { port: service.port, headers: service.headers, ids: await someIds(sql) };
    const measureStage = async (): Promise<Stage> => {
      const times = await step("Pages", () => measurePages(load, service, pages));
      const rates = await step("Rates", () => measureRates(load, askers));
      return { records, ...rates, pages: times };
    };
    // A fresh process is slower, which would hide the cost of later stages.
    if (stages.length === 0) await measureStage();
    stages.push(await measureStage());
  }
  const disk = await step("Sizes", () => readDiskCost(sql));
  const askers = { port: service.port, headers: service.headers, ids: await someIds(sql) };
  const log = await step("Log", () => measureLogCost(sql, load, askers, isOurs));
  const [server] = await sql<{ server_version: string }[]>`show server_version`;
  return { server: `PostgreSQL ${server?.server_version}`, pages, stages, disk, log };
}

async function measureOwners(
  serverUrl: string,
  load: LoadProcess,
  records: number,
  owners: number,
): Promise<{ readonly create: Rates; readonly get: Rates }> {
  await using installation = await install(serverUrl);
  const { service: { port }, service, sql } = installation;
  const seeding = await Seeding.begin(sql, service, { most: records, owners });
  await step(`${owners} owners: seeding ${records} records`, () => seeding.growTo(records));
  const ids = await seeding.openSessions();
  const measure = () => measureRates(load, { port, headers: OWNERS_HEADER, ids });
  await step("Warm-up", measure);
  return await step("Rates", measure);
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
  tell(`${name}: ${seconds} s`);
  return result;
}
