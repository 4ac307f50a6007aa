/**
 * `deno task bench:start`: time and processor time from process start until ready, and memory. On
 * PostgreSQL and on the built-in engine, with an existing schema and account; on the built-in
 * engine also in an empty data directory. For comparison an empty Deno program, and PGlite alone.
 *
 * `--starts 11` (of each), `--json data/start.json` (the figures). `DATABASE_URL` names a server,
 * on which it makes a database.
 *
 * @module
 */

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { ownEnvironment, PROJECT, taskFlags } from "../../tests/support/server_process.ts";
import { align } from "./report_lines.ts";
import { makeDatabase } from "./server.ts";
import {
  processorMilliseconds,
  residentMegabytes,
  serviceEnvironment,
  type ServicePlace,
} from "./service_process.ts";
import { median } from "./statistics.ts";
import { print } from "../print.ts";

/** Ready at its first line on standard error. */
interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Subject {
  readonly name: string;
  readonly program: () => Program | Promise<Program>;
}

interface Start {
  /** From before the process is created. */
  readonly milliseconds: number;
  /** Sums all threads. */
  readonly cpuMilliseconds: number;
  readonly megabytes: number;
}

interface Starts {
  readonly name: string;
  readonly milliseconds: number[];
  readonly cpuMilliseconds: number[];
  readonly megabytes: number[];
}

/** For work after a start to end. */
const REST_MS = 300;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      starts: { type: "string", default: "11" },
      json: { type: "string", default: "data/start.json" },
    },
  });
  const starts = await measure(Number(values.starts));
  print(linesOf(starts).join("\n"));
  await Deno.mkdir(dirname(values.json), { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(values.json, JSON.stringify(starts, null, 2) + "\n");
}

async function measure(count: number): Promise<Starts[]> {
  await using opened = new AsyncDisposableStack();
  const makeFolder = async () =>
    opened.adopt(
      await Deno.makeTempDir({ prefix: "prs-start-" }),
      (folder) => Deno.remove(folder, { recursive: true }),
    );
  const onServer = { databaseUrl: await makeDatabase(opened), dataDir: await makeFolder() };
  const embedded = { databaseUrl: null, dataDir: await makeFolder() };
  const own = (file: string) => new URL(file, import.meta.url).pathname;
  const services = [
    { name: "the service on PostgreSQL", program: () => service(onServer) },
    { name: "the service on the built-in engine", program: () => service(embedded) },
  ];
  // The first starts create schemas and accounts.
  for (const { program } of services) await startOnce(await program());
  const subjects: Subject[] = [
    {
      name: "Deno, an empty program",
      program: () => ({ args: ["run", own("start_nothing.ts")], env: {} }),
    },
    {
      name: "PGlite by itself",
      program: () => ({
        args: ["run", "--allow-all", own("start_engine.ts")],
        env: { DATA_DIR: embedded.dataDir },
      }),
    },
    ...services,
    {
      name: "its first start",
      program: async () => service({ databaseUrl: null, dataDir: await makeFolder() }),
    },
  ];
  return await measureSubjects(subjects, count);
}

async function measureSubjects(subjects: readonly Subject[], count: number): Promise<Starts[]> {
  const starts = subjects.map(({ name }): Starts => ({
    name,
    milliseconds: [],
    cpuMilliseconds: [],
    megabytes: [],
  }));
  for (let round = 0; round < count; round++) {
    for (const [index, { program }] of subjects.entries()) {
      const { milliseconds, cpuMilliseconds, megabytes } = await startOnce(await program());
      starts[index]?.milliseconds.push(milliseconds);
      starts[index]?.cpuMilliseconds.push(cpuMilliseconds);
      starts[index]?.megabytes.push(megabytes);
    }
  }
  return starts;
}

function service(place: ServicePlace): Program {
  const env = serviceEnvironment(place);
  return { args: ["run", ...taskFlags("start", place.dataDir, env), "main.ts"], env };
}

/** Starts, waits until ready, and shuts down. */
async function startOnce({ args, env }: Program): Promise<Start> {
  const begun = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.getReader();
  const { value } = await reader.read();
  const milliseconds = performance.now() - begun;
  const words = new TextDecoder().decode(value);
  if (!/^.* ready\b/.test(words)) throw new Error(`A start failed: ${words}`);
  const cpuMilliseconds = await processorMilliseconds(child.pid);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const megabytes = await residentMegabytes(child.pid);
  child.kill("SIGTERM");
  await child.status;
  await reader.cancel();
  return { milliseconds, cpuMilliseconds, megabytes };
}

function linesOf(starts: readonly Starts[]): string[] {
  return align([
    ["start to ready", "ms", "fastest", "processor ms", "MB idle"],
    ...starts.map(({ name, milliseconds, cpuMilliseconds, megabytes }) => [
      name,
      ...[
        median(milliseconds),
        Math.min(...milliseconds),
        median(cpuMilliseconds),
        median(megabytes),
      ].map((figure) => String(Math.round(figure))),
    ]),
  ]);
}
