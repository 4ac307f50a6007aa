/** Runs shards in processes, and counts their tests. */

import { writeText } from "../src/core/output.ts";
import type { FileCost, Measured } from "../tests/support/processor_time.ts";
import { type EngineName, findTestFiles, planShards, readEngines } from "./test_plan.ts";
import { print } from "./print.ts";

/** A shard and the environment of its process. */
export interface ShardRun {
  readonly title: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null without a database. */
  readonly engine: EngineName | null;
}

interface Counts {
  passed: number;
  failed: number;
  failures: string[];
}

interface Results extends Counts {
  readonly costs: FileCost[];
}

/**
 * For tests and their processes: V8 does not optimise the built-in engine, because most processes
 * end before that pays.
 */
const V8_FLAGS = "--liftoff-only";

/**
 * A shard takes a few minutes. One that hangs is stopped, and its output names the test. There is
 * no limit if the output is shown as it comes.
 */
const SHARD_LIMIT_MS = 15 * 60_000;

/** Loads a shard's files. */
const SHARD = "tests/support/shard.ts";

/**
 * Runs some shards at once, and shows the output of each when it ends; or as it comes, if a single
 * one runs at a time. After a stop signal no shard starts, and those that did not run count as
 * failures.
 */
export async function runShards(
  runs: readonly ShardRun[],
  flags: readonly string[],
  atOnce: number,
): Promise<Results> {
  const total: Results = { passed: 0, failed: 0, failures: [], costs: [] };
  const waiting = [...runs];
  using stop = stopSignal();
  const work = async () => {
    while (!stop.signal.aborted) {
      const run = waiting.shift();
      if (run === undefined) return;
      const { passed, failed, failures, costs } = await runShard(run, {
        flags,
        isShown: runs.length === 1 || atOnce === 1,
        signal: stop.signal,
      });
      total.passed += passed;
      total.failed += failed;
      total.failures.push(...failures.map((failure) => `${run.title}: ${failure}`));
      total.costs.push(...costs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  total.failed += waiting.length;
  const describe = ({ title, files }: ShardRun) => `${title}, not run: ${files.join(" ")}`;
  total.failures.push(...waiting.map(describe));
  return total;
}

/** Aborts on a stop signal, instead of exiting. */
function stopSignal(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const signal of signals) Deno.removeSignalListener(signal, stop);
    },
  };
}

interface RunOptions {
  readonly flags: readonly string[];
  /** Whether the output is shown as it comes. */
  readonly isShown: boolean;
  readonly signal: AbortSignal;
}

/** A process without a summary is a failure. */
async function runShard(run: ShardRun, { flags, isShown, signal }: RunOptions): Promise<Results> {
  const { title, files, engine } = run;
  const folder = await Deno.makeTempDir({ prefix: "prs-sockets-" });
  try {
    const child = new Deno.Command(Deno.execPath(), {
      ...shardCommand(run, folder, flags),
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
      signal: isShown ? signal : AbortSignal.any([signal, AbortSignal.timeout(SHARD_LIMIT_MS)]),
    }).spawn();
    const heading = `\n${title}, ${files.length} ${files.length === 1 ? "file" : "files"}:`;
    const output = await show(child.stdout, [heading, ...files, ""].join("\n"), isShown);
    const { success } = await child.status;
    const counts = readCounts(output, success);
    const { costs, headings } = await readMeasured(folder);
    return {
      passed: counts.passed - headings.length,
      failed: counts.failed,
      // A process that broke off names no test.
      failures: counts.failed > 0 && counts.failures.length === 0
        ? [`broken off: ${files.join(" ")}`]
        : counts.failures,
      costs: Object.entries(costs).map(([file, seconds]) => ({ file, engine, seconds })),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** @param folder For sockets and measurements. */
function shardCommand(
  { files, env }: ShardRun,
  folder: string,
  flags: readonly string[],
): Pick<Deno.CommandOptions, "args" | "env"> {
  const sockets = `${folder}/tests`;
  // A Unix socket is allowed by its whole path, so tests share a folder.
  const unix = ["admin.sock", "admin.new/s", "bound"].map((name) => `unix:${sockets}/${name}`);
  const net = ["127.0.0.1", "localhost", ...unix].join();
  const access = ["env", "sys", "read", "write", "run", `net=${net}`];
  return {
    args: ["test", "--no-check", "--no-prompt"]
      .concat(access.map((each) => `--allow-${each}`), flags, SHARD),
    env: {
      ...env,
      TEST_FILES: JSON.stringify(files),
      TEST_FILTERED: flags.some((flag) => flag.startsWith("--filter")) ? "1" : "",
      TEST_SOCKETS: sockets,
      TEST_COSTS: `${folder}/costs.json`,
      DENO_V8_FLAGS: V8_FLAGS,
      NO_COLOR: "1",
    },
  };
}

/** Reads the measurements of a shard. A process that broke off has written none. */
async function readMeasured(folder: string): Promise<Measured> {
  try {
    return JSON.parse(await Deno.readTextFile(`${folder}/costs.json`));
  } catch {
    return { costs: {}, headings: [] };
  }
}

/** Returns the output after showing it. */
async function show(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  heading: string,
  isShown: boolean,
): Promise<string> {
  let output = "";
  const [engine = ""] = heading.split("\n");
  print(isShown ? heading : `Begins: ${engine}`);
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    if (isShown) writeText(Deno.stdout, text);
    output += text;
  }
  if (!isShown) writeText(Deno.stdout, `${heading}\n${output}`);
  return output;
}

/** Reads the end of `deno test` output. */
export function readCounts(output: string, success: boolean): Counts {
  const summary = /^(?:ok|FAILED) \| (\d+) passed.* \| (\d+) failed/gm;
  const counts = [...output.matchAll(summary)].at(-1);
  const failed = Number(counts?.[2] ?? 0);
  return {
    passed: Number(counts?.[1] ?? 0),
    failed: success && counts !== undefined ? failed : Math.max(1, failed),
    failures: /^ FAILURES \n\n(.*?)\n\n/ms.exec(output)?.[1]?.split("\n") ?? [],
  };
}

const SERVER_RUNS_AT_ONCE = 3;

/**
 * Runs database tests of the current folder on one PostgreSQL server.
 *
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
  const runs = shards.map(({ engine, files }) => ({ title, engine, files, env }));
  return await runShards(runs, [], SERVER_RUNS_AT_ONCE);
}
