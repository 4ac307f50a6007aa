/** Runs shards in processes, and counts passed tests. */

import type { FileCost, Measured } from "./test_costs.ts";
import type { EngineName } from "./test_plan.ts";

/** A shard and the environment of its process. */
export interface ShardRun {
  readonly title: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** null: without a database. */
  readonly engine: EngineName | null;
}

export interface Counts {
  passed: number;
  failed: number;
  failures: string[];
}

/** The results of all shards, and what each file cost. */
export interface Results extends Counts {
  readonly costs: FileCost[];
}

/**
 * For tests and their processes: V8 does not optimise the built-in engine, because most processes end before
 * that pays.
 */
const V8_FLAGS = "--liftoff-only";

/** Loads a shard's files. */
const SHARD = "tests/support/shard.ts";

/**
 * Runs some shards at once, and shows their output one after the other. After a stop signal no shard starts,
 * and those that did not run count as failures.
 */
export async function runShards(
  runs: readonly ShardRun[],
  flags: readonly string[],
  atOnce: number,
): Promise<Results> {
  const total: Results = { passed: 0, failed: 0, failures: [], costs: [] };
  const waiting = [...runs];
  const folders: string[] = [];
  using _stopping = onStop(() => {
    for (const { title, files } of waiting.splice(0)) {
      total.failed++;
      total.failures.push(`${title}, not run: ${files.join(" ")}`);
    }
  });
  let shown: Promise<void> = Promise.resolve();
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const shard = await startShard(run, flags);
      folders.push(shard.folder);
      shown = finishShard(shard, shown).then(({ passed, failed, failures }) => {
        total.passed += passed;
        total.failed += failed;
        total.failures.push(...failures.map((failure) => `${shard.run.title}: ${failure}`));
      });
      // Awaited below.
      shown.catch(() => {});
      // The next shard does not wait for this one's output to be shown.
      await shard.child.status;
      const { costs, headings } = await readMeasured(shard);
      for (const [file, seconds] of Object.entries(costs)) {
        total.costs.push({ file, engine: run.engine, seconds });
      }
      total.passed -= headings.length;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await shown;
  await Promise.all(folders.map((folder) => Deno.remove(folder, { recursive: true })));
  return total;
}

/** Instead of exiting. */
function onStop(stop: () => void): Disposable {
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) Deno.removeSignalListener(signal, stop);
    },
  };
}

interface RunningShard {
  readonly run: ShardRun;
  readonly child: Deno.ChildProcess;
  /** The folder for its sockets and costs; removed after it ends. */
  readonly folder: string;
}

/** Reads the measurements of a shard. A process that broke off has written none. */
async function readMeasured({ folder }: RunningShard): Promise<Measured> {
  try {
    return JSON.parse(await Deno.readTextFile(`${folder}/costs.json`));
  } catch {
    return { costs: {}, headings: [] };
  }
}

async function startShard(run: ShardRun, flags: readonly string[]): Promise<RunningShard> {
  // A Unix socket is allowed by its whole path, so tests share a folder.
  const folder = await Deno.makeTempDir({ prefix: "prs-sockets-" });
  const sockets = `${folder}/tests`;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--no-check",
      "--no-prompt",
      ...permissions(sockets),
      ...flags,
      SHARD,
    ],
    env: {
      ...run.env,
      TEST_FILES: JSON.stringify(run.files),
      TEST_FILTERED: flags.some((flag) => flag.startsWith("--filter")) ? "1" : "",
      TEST_SOCKETS: sockets,
      TEST_COSTS: `${folder}/costs.json`,
      DENO_V8_FLAGS: V8_FLAGS,
      NO_COLOR: "1",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { run, child, folder };
}

/** Shows output once `shown` is over, and counts passes. A process without a summary is a failure. */
async function finishShard(
  { run: { title, files }, child }: RunningShard,
  shown: Promise<void>,
): Promise<Counts> {
  let ended = false;
  void child.status.then(() => ended = true);
  using _stopping = onStop(() => ended || child.kill("SIGTERM"));
  const heading = `\n${title}, ${files.length} ${files.length === 1 ? "file" : "files"}:\n`;
  const output = await show(child.stdout, shown.then(() => print(heading + files.join("\n"))));
  const { success } = await child.status;
  const counts = readCounts(output, success);
  // A process that broke off names no test.
  return counts.failed > 0 && counts.failures.length === 0
    ? { ...counts, failures: [`broken off: ${files.join(" ")}`] }
    : counts;
}

/** Reads the end of `deno test` output. */
export function readCounts(output: string, success: boolean): Counts {
  const counts = /^(?:ok|FAILED) \| (\d+) passed.* \| (\d+) failed/m.exec(output);
  const failed = Number(counts?.[2] ?? 0);
  return {
    passed: Number(counts?.[1] ?? 0),
    failed: success && counts !== null ? failed : Math.max(1, failed),
    failures: /^ FAILURES \n\n(.*?)\n\n/ms.exec(output)?.[1]?.split("\n") ?? [],
  };
}

function permissions(sockets: string): string[] {
  const unix = ["admin.sock", "admin.new/s", "bound"].map((name) => `unix:${sockets}/${name}`);
  return [
    `--allow-net=${["127.0.0.1", "localhost", ...unix].join()}`,
    "--allow-env",
    "--allow-sys",
    "--allow-read",
    "--allow-write",
    "--allow-run",
  ];
}

export function print(line: string): void {
  write(new TextEncoder().encode(`${line}\n`));
}

/** A pipe may accept a part only. */
function write(bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

/** Shows the stream from its turn on, and returns its end. */
async function show(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  turn: Promise<void>,
): Promise<string> {
  const decoder = new TextDecoder();
  let tail = "";
  let held: Uint8Array[] | null = [];
  const begun = turn.then(() => {
    for (const chunk of held ?? []) write(chunk);
    held = null;
  });
  for await (const chunk of stream) {
    if (held === null) write(chunk);
    else held.push(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4_000);
  }
  await begun;
  return tail;
}
