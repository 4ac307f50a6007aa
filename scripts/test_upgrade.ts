/**
 * `deno task test:upgrade --from REVISION`: runs another release's tests of reads and writes on
 * this release's schema, as during a rollout.
 *
 * The revision is checked out with its code and tests; only the template database is made by this
 * tree's `sql/`. Paths replace `tests/http`. Requires git and PostgreSQL. Tests about the newest
 * schema fail; tests that read and write must pass.
 *
 * With `--life` the other release writes a life instead, which this one takes over
 * (`upgrade/upgraded_life.ts`).
 */

import { parseArgs } from "node:util";
import { installedVersion } from "./postgres_cluster.ts";
import { print } from "./print.ts";
import { runOnServer } from "./test_runs.ts";
import { startClusterWithTemplate } from "./test_templates.ts";
import { upgradeLife } from "./upgrade/upgraded_life.ts";

const DEFAULT_PATHS = ["tests/http"];

await main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    options: { from: { type: "string" }, life: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const version = await installedVersion();
  if (values.from === undefined || version === null) {
    print(values.from === undefined ? "--from names a revision" : "PostgreSQL is not installed");
    Deno.exitCode = 2;
    return;
  }
  await using opened = new AsyncDisposableStack();
  const cluster = await startClusterWithTemplate(version);
  opened.defer(() => cluster.stop());
  const tree = await checkOut(values.from, opened);
  if (values.life) return await upgradeLife(tree, cluster.url);
  const present = Deno.cwd();
  Deno.chdir(tree);
  opened.defer(() => Deno.chdir(present));
  const paths = positionals.length > 0 ? positionals : DEFAULT_PATHS;
  const { passed, failed, failures } = await runOnServer(paths, cluster.url, "On this schema");
  for (const failure of failures) print(`FAILED: ${failure}`);
  print(`\n${values.from} on this schema: ${passed} passed, ${failed} failed`);
  Deno.exitCode = failed === 0 ? 0 : 1;
}

async function checkOut(revision: string, opened: AsyncDisposableStack): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "prs-upgrade-" });
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const tree = `${folder}/tree`;
  await git("worktree", "add", "--detach", "--quiet", tree, revision);
  opened.defer(() => git("worktree", "remove", "--force", tree));
  return tree;
}

async function git(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args }).output();
  if (!success) throw new Error(`git ${args[0]}: ${new TextDecoder().decode(stderr)}`);
}
