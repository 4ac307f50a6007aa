/**
 * Runs the whole suite: on the embedded engine always, on PostgreSQL where one is installed.
 *
 * `REQUIRE_POSTGRES=1` makes a missing PostgreSQL a failure. Arguments are handed to `deno test`:
 * `deno task test tests/http --filter list`.
 */

import { type Cluster, startCluster } from "./postgres_cluster.ts";
import { createTemplate } from "../tests/support/template.ts";

const templates = await Deno.makeTempDir({ prefix: "prs-templates-" });
// A Unix socket is allowed by its whole path, so the tests of sockets share a folder.
const sockets = `${templates}/sockets`;
const SOCKETS = ["admin.sock", "admin.new/s", "bound"].map((name) => `unix:${sockets}/${name}`);
const PERMISSIONS = [
  `--allow-net=${["127.0.0.1", "localhost", ...SOCKETS].join()}`,
  ...["--allow-env", "--allow-sys=uid"],
];

let cluster: Cluster | null = null;
try {
  const embedded = { TEST_ENGINE: "embedded", TEST_TEMPLATE: `${templates}/embedded` };
  await createTemplate(embedded);
  const results = [await runSuite("embedded PostgreSQL", embedded)];
  cluster = await startCluster();
  if (cluster !== null) {
    const served = { TEST_ENGINE: "postgres", TEST_TEMPLATE: cluster.url };
    await createTemplate(served);
    results.push(await runSuite(cluster.version, served));
  } else if (Deno.env.get("REQUIRE_POSTGRES") === "1") {
    print("PostgreSQL is not installed and REQUIRE_POSTGRES is set");
    results.push({ passed: 0, failed: 1 });
  } else {
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

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
}

async function runSuite(name: string, env: Record<string, string>): Promise<SuiteResult> {
  print(`\nOn ${name}:`);
  const paths = Deno.args.some((argument) => !argument.startsWith("-")) ? [] : ["tests"];
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "--no-prompt", ...PERMISSIONS],
      ...["--allow-read", "--allow-write", "--allow-run"],
      ...paths,
      ...Deno.args,
    ],
    env: { ...env, TEST_SOCKETS: sockets, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = await echo(child.stdout);
  const { success } = await child.status;
  const counts = /(\d+) passed.* \| (\d+) failed/.exec(output);
  const failed = Number(counts?.[2] ?? 0);
  return { passed: Number(counts?.[1] ?? 0), failed: success ? failed : Math.max(1, failed) };
}

/** Shows a stream while it comes and returns its end. */
async function echo(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of stream) {
    await Deno.stdout.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4_000);
  }
  return tail;
}
