/**
 * `deno task bench:start`: time and processor time from process start until ready, and memory. On
 * PostgreSQL and on the built-in engine, with an existing schema and account; on the built-in
 * engine also in an empty data directory, without and with the owner's account. For comparison an
 * empty Deno program, and PGlite alone. A folder as the argument is another checkout, whose starts
 * are measured in the same rounds.
 *
 * `--starts 11` (of each), `--json data/start.json` (the figures). `DATABASE_URL` names a server,
 * on which it makes a database for each checkout.
 *
 * @module
 */

import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { V8_FLAGS } from "../../src/operator/config/program_flags.ts";
import { ownEnvironment, PROJECT } from "../../tests/support/server_process.ts";
import { align } from "./report_lines.ts";
import { type Checkout, openCheckout } from "./checkout.ts";
import { makeDatabase } from "./server.ts";
import {
  peakMegabytes,
  processorMilliseconds,
  residentMegabytes,
  type ServicePlace,
} from "./service_process.ts";
import { median } from "./statistics.ts";
import { print } from "../print.ts";

/** Ready at its first line on standard error. */
interface Program {
  readonly cwd: string;
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
  readonly peakMegabytes: number;
  readonly megabytes: number;
}

interface Starts {
  readonly name: string;
  readonly milliseconds: number[];
  readonly cpuMilliseconds: number[];
  readonly peakMegabytes: number[];
  readonly megabytes: number[];
}

/** For work after a start to end. */
const REST_MS = 300;

await main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      starts: { type: "string", default: "11" },
      json: { type: "string", default: "data/start.json" },
    },
  });
  const checkouts = await Promise.all([PROJECT, ...positionals].map(openCheckout));
  const starts = await measure(Number(values.starts), checkouts);
  print(linesOf(starts).join("\n"));
  await Deno.mkdir(dirname(values.json), { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(values.json, JSON.stringify(starts, null, 2) + "\n");
}

async function measure(count: number, checkouts: readonly Checkout[]): Promise<Starts[]> {
  await using opened = new AsyncDisposableStack();
  const makeFolder = async () =>
    opened.adopt(
      await Deno.makeTempDir({ prefix: "prs-start-" }),
      (folder) => Deno.remove(folder, { recursive: true }),
    );
  const own = (file: string) => new URL(file, import.meta.url).pathname;
  const engineFolder = await makeFolder();
  const subjects: Subject[] = [{
    name: "Deno, an empty program",
    program: () => ({
      cwd: PROJECT,
      args: ["run", V8_FLAGS, own("start_nothing.ts")],
      env: ownEnvironment(),
    }),
  }, {
    name: "PGlite by itself",
    program: () => ({
      cwd: PROJECT,
      args: ["run", V8_FLAGS, "--allow-all", own("start_engine.ts")],
      env: { ...ownEnvironment(), DATA_DIR: engineFolder },
    }),
  }];
  for (const [index, checkout] of checkouts.entries()) {
    const onServer = { databaseUrl: await makeDatabase(opened), dataDir: await makeFolder() };
    const dataDir = index === 0 ? engineFolder : await makeFolder();
    const embedded = { databaseUrl: null, dataDir };
    // These create schemas and accounts.
    for (const place of [onServer, embedded]) await startOnce(service(checkout, place));
    const first = async (env: Record<string, string>) =>
      service(checkout, { databaseUrl: null, dataDir: await makeFolder() }, env);
    const starts: readonly (readonly [string, Subject["program"]])[] = [
      ["on PostgreSQL", () => service(checkout, onServer)],
      ["on the built-in engine", () => service(checkout, embedded)],
      ["its first start", () => first({ OWNER_EMAIL: "", OWNER_PASSWORD: "" })],
      ["its first start, with the owner's account", () => first({})],
    ];
    for (const [name, program] of starts) {
      subjects.push({ name: `${checkout.folder}: ${name}`, program });
    }
  }
  return await measureSubjects(subjects, count);
}

async function measureSubjects(subjects: readonly Subject[], count: number): Promise<Starts[]> {
  const starts = subjects.map(({ name }): Starts => ({
    name,
    milliseconds: [],
    cpuMilliseconds: [],
    peakMegabytes: [],
    megabytes: [],
  }));
  for (let round = 0; round < count; round++) {
    for (const [index, { program }] of subjects.entries()) {
      const start = await startOnce(await program());
      starts[index]?.milliseconds.push(start.milliseconds);
      starts[index]?.cpuMilliseconds.push(start.cpuMilliseconds);
      starts[index]?.peakMegabytes.push(start.peakMegabytes);
      starts[index]?.megabytes.push(start.megabytes);
    }
  }
  return starts;
}

function service(
  checkout: Checkout,
  place: ServicePlace,
  other: Readonly<Record<string, string>> = {},
): Program {
  const env = { ...checkout.serviceEnvironment(place), ...other };
  const args = ["run", ...checkout.taskFlags("start", place.dataDir, env), "main.ts"];
  return { cwd: checkout.folder, args, env: { ...checkout.ownEnvironment(), ...env } };
}

/** Starts, waits until ready, and shuts down. */
async function startOnce({ cwd, args, env }: Program): Promise<Start> {
  const begun = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    clearEnv: true,
    env: { ...env, NO_COLOR: "1" },
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
  const [peak, megabytes] = [await peakMegabytes(child.pid), await residentMegabytes(child.pid)];
  child.kill("SIGTERM");
  await child.status;
  await reader.cancel();
  return { milliseconds, cpuMilliseconds, peakMegabytes: peak, megabytes };
}

function linesOf(starts: readonly Starts[]): string[] {
  return align([
    ["start to ready", "ms", "fastest", "processor ms", "MB peak", "MB idle"],
    ...starts.map(({ name, milliseconds, cpuMilliseconds, peakMegabytes, megabytes }) => [
      name,
      ...[
        median(milliseconds),
        Math.min(...milliseconds),
        median(cpuMilliseconds),
        median(peakMegabytes),
        median(megabytes),
      ].map((figure) => String(Math.round(figure))),
    ]),
  ]);
}
