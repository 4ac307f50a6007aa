/** Runs shards of tests, each in its own process, and counts the passed tests. */

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

/** The results of tests, and the names of failed ones. */
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
 * For the tests and every process that they start: V8 optimises the built-in engine's functions much later
 * than by default, because most of these processes end before that would pay.
 */
const V8_FLAGS = "--wasm-tiering-budget=500000000";

/** The module that loads the files of a shard. */
const SHARD = "tests/support/shard.ts";

/**
 * Runs shards in order, some at once, and shows their output one after the other. After a signal to stop,
 * no other shard starts, and each that did not run counts as a failure.
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
      // The next one does not wait until this one's turn to be shown has come.
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

/** Calls back on SIGINT and SIGTERM instead of exiting. */
function onStop(stop: () => void): Disposable {
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) Deno.removeSignalListener(signal, stop);
    },
  };
}

/** A running shard. */
interface RunningShard {
  readonly run: ShardRun;
  readonly child: Deno.ChildProcess;
  /** The folder for its sockets and costs; removed after it ends. */
  readonly folder: string;
}

/** What a shard measured. A process that broke off has written nothing. */
async function readMeasured({ folder }: RunningShard): Promise<Measured> {
  try {
    return JSON.parse(await Deno.readTextFile(`${folder}/costs.json`));
  } catch {
    return { costs: {}, headings: [] };
  }
}

async function startShard(run: ShardRun, flags: readonly string[]): Promise<RunningShard> {
  // A Unix socket is allowed by its whole path, so the tests of sockets share a folder.
  const folder = await Deno.makeTempDir({ prefix: "prs-sockets-" });
  const sockets = `${folder}/tests`;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "--no-check", "--no-prompt", ...permissions(sockets), ...flags],
      SHARD,
    ],
    env: {
      ...run.env,
      TEST_FILES: JSON.stringify(run.files),
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

/**
 * Shows the output of a shard once `shown` is over, and counts what passed. A process that ends without its
 * summary is a failure.
 */
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

/** The counts of a run of `deno test`, read from the end of its output. */
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
    ...["--allow-env", "--allow-sys=uid", "--allow-read", "--allow-write", "--allow-run"],
  ];
}

/** Prints a line. */
export function print(line: string): void {
  write(new TextEncoder().encode(`${line}\n`));
}

/** A pipe may accept only a part of the bytes. */
function write(bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

/** Shows a stream once its turn has come, then while it comes, and returns its end. */
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
