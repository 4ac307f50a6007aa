/**
 * The tests of storage (with those of migrations), requests, races and families on each supported
 * version of PostgreSQL. `POSTGRES_SERVERS` names the folder of those that npm has.
 */

import { assert, assertEquals } from "@std/assert";
import { installedVersion } from "../../scripts/postgres_cluster.ts";
import { POSTGRES_RELEASES, programsOf } from "../../scripts/postgres_servers.ts";
import { runOnServer } from "../../scripts/test_runs.ts";
import { startClusterWithTemplate } from "../../scripts/test_templates.ts";

const PATHS = ["tests/storage", "tests/http", "tests/races", "tests/families"];
/** Fewer would mean that the tests were not found. */
const MIN_TESTS = 1_500;

const servers = Deno.env.get("POSTGRES_SERVERS") ?? "";

for (const release of POSTGRES_RELEASES) {
  const programs = programsOf(release, servers);
  const pinned = release.pinned?.split(".0-").at(0) ?? `${release.major}.`;
  Deno.test({
    name: `PostgreSQL ${release.major} passes the tests of storage, requests, races and families`,
    ignore: !await exists(programs),
    async fn() {
      // Tests that start servers of their own use the same version.
      Deno.env.set("POSTGRES_PROGRAMS", programs);
      try {
        const version = await installedVersion() ?? "";
        assert(version.includes(`(PostgreSQL) ${pinned}`), version);
        const cluster = await startClusterWithTemplate(version);
        try {
          const { passed, failed, failures } = await runOnServer(PATHS, cluster.url, version);
          assertEquals([failed, failures], [0, []]);
          assert(passed > MIN_TESTS, `${passed} tests`);
        } finally {
          await cluster.stop();
        }
      } finally {
        Deno.env.delete("POSTGRES_PROGRAMS");
      }
    },
  });
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
