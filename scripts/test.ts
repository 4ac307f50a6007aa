/**
 * Runs the whole suite: on the embedded engine always, on PostgreSQL where one is installed, both at
 * once.
 *
 * `REQUIRE_POSTGRES=1` makes a missing PostgreSQL a failure. Arguments are handed to `deno test`:
 * `deno task test tests/http --filter list`. Attacks that take long are left out unless they are named:
 * `deno task test:attack` does.
 */

import { type Cluster, startCluster } from "./postgres_cluster.ts";
import { createTemplate, type Engine } from "../tests/support/template.ts";

const templates = await Deno.makeTempDir({ prefix: "prs-templates-" });

let cluster: Cluster | null = null;
try {
  cluster = await startCluster();
  const suites: Suite[] = [
    { name: "embedded PostgreSQL", engine: "embedded", template: `${templates}/embedded` },
  ];
  if (cluster !== null) {
    suites.push({ name: cluster.version, engine: "postgres", template: cluster.url });
  }
  const results = await runSuites(suites);
  if (cluster === null && Deno.env.get("REQUIRE_POSTGRES") === "1") {
    print("PostgreSQL is not installed and REQUIRE_POSTGRES is set");
    results.push({ passed: 0, failed: 1 });
  } else if (cluster === null) {
    print("PostgreSQL is not installed: the suite ran on the embedded engine only");
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  print(`${passed} passed, ${failed} failed`);
  Deno.exitCode = failed === 0 ? 0 : 1;
} finally {
  await cluster?.stop();
  await Deno.remove(templates, { recursive: true });
}

/** The whole suite on one engine. */
interface Suite {
  readonly name: string;
  readonly engine: "embedded" | "postgres";
  /** Where the template of each test's database lies: a folder, or the cluster's URL. */
  readonly template: string;
}

interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
}

/** Runs suites at once, each in a process of its own, and shows one after the other. */
async function runSuites(suites: readonly Suite[]): Promise<SuiteResult[]> {
  const results: Promise<SuiteResult>[] = [];
  for (const suite of suites) {
    await createTemplate(environmentOf(suite));
    results.push(runSuite(suite, Promise.allSettled(results)));
  }
  return await Promise.all(results);
}

function environmentOf({ engine, template }: Suite): Engine {
  return { TEST_ENGINE: engine, TEST_TEMPLATE: template };
}

async function runSuite(suite: Suite, shown: Promise<unknown>): Promise<SuiteResult> {
  // A Unix socket is allowed by its whole path, so the tests of sockets share a folder.
  const sockets = `${templates}/${suite.engine}-sockets`;
  const paths = Deno.args.some((argument) => !argument.startsWith("-"))
    ? []
    : ["tests", "--ignore=tests/attack/long"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-prompt", ...permissions(sockets), ...paths, ...Deno.args],
    env: { ...environmentOf(suite), TEST_SOCKETS: sockets, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = await show(child.stdout, shown.then(() => print(`\nOn ${suite.name}:`)));
  const { success } = await child.status;
  const counts = /(\d+) passed.* \| (\d+) failed/.exec(output);
  const failed = Number(counts?.[2] ?? 0);
  return { passed: Number(counts?.[1] ?? 0), failed: success ? failed : Math.max(1, failed) };
}

function permissions(sockets: string): string[] {
  const unix = ["admin.sock", "admin.new/s", "bound"].map((name) => `unix:${sockets}/${name}`);
  return [
    `--allow-net=${["127.0.0.1", "localhost", ...unix].join()}`,
    ...["--allow-env", "--allow-sys=uid", "--allow-read", "--allow-write", "--allow-run"],
  ];
}

function print(line: string): void {
  write(new TextEncoder().encode(`${line}\n`));
}

/** A pipe may take a part of the bytes at a time. */
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
