/** PostgreSQL servers configured to lose commits. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type Cluster,
  type ClusterOptions,
  startCluster,
} from "../../../scripts/postgres_cluster.ts";
import { createInstallation } from "../../support/installation.ts";
import { startServer } from "../../support/server_process.ts";
import { waitUntil } from "../../support/wait.ts";
import { ENGINE } from "../../support/world.ts";
import { refusalOf } from "./starts.ts";

const RECORDS = "/api/v2/records/commitment";
const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};
const WRITES = 8;

function onPostgres(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: ENGINE !== "postgres" });
}

/** Runs a function with a server and an installation. */
async function withServer(
  settings: ClusterOptions["settings"],
  use: (server: Cluster, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const server = await startCluster({ durable: true, settings: settings ?? {} });
  assert(server !== null);
  try {
    await using place = await createInstallation({ untouched: true });
    const { ALLOW_UNSAFE_DATABASE: _, ...env } = place.env;
    await use(server, { ...env, DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

onPostgres(
  "Acknowledged writes outlive a server that commits in its own time and is killed",
  async () => {
    // It flushes its log every ten seconds, so that unforced commits are lost.
    const careless = { synchronous_commit: "off", wal_writer_delay: "10s" };
    await withServer(careless, async (server, env) => {
      await using service = await startServer(env);
      const owner = await service.setUp();
      const write = (key: string) => owner.call("POST", RECORDS, { key, body: PROMISE });
      const made: string[] = [];
      for (let count = 0; count < WRITES; count++) {
        const response = await write(`write-${count}`);
        assertEquals(response.status, 201, response.text);
        made.push(response.body.data.recordId);
      }
      await server.crash();
      await server.start();
      await waitUntil("it is back", async () => (await owner.call("GET", RECORDS)).status !== 503);
      for (const [index, recordId] of made.entries()) {
        assertEquals((await owner.call("GET", `${RECORDS}/${recordId}`)).status, 200);
        const again = await write(`write-${index}`);
        assertEquals(again.headers.get("Idempotency-Replayed"), "true");
        assertEquals(again.body.data.recordId, recordId);
      }
    });
  },
);

onPostgres(
  "Start refuses a server without fsync and full_page_writes, unless it is accepted",
  async () => {
    await withServer({ full_page_writes: "off" }, async ({ url, port, call }, env) => {
      const [alone, reason = ""] = await refusalOf(url, {}) ?? [0];
      assertStringIncludes(reason, "PostgreSQL runs with full_page_writes=off");
      assertEquals(alone, 1);
      const login = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres"];
      const change = ["-c", "alter system set fsync = off", "-c", "select pg_reload_conf()"];
      await call("psql", "-qAtX", ...login, ...change);
      const named = "PostgreSQL runs with fsync=off and full_page_writes=off";
      const [code, sentence = ""] = await refusalOf(url, {}) ?? [0];
      assertStringIncludes(sentence, named);
      assertEquals([code, sentence.includes(new URL(url).host)], [1, false]);
      {
        await using service = await startServer({ ...env, ALLOW_UNSAFE_DATABASE: "true" });
        service.kill("SIGTERM");
        const { stdout } = await service.ended;
        const lines = stdout.trim().split("\n").map((line) => JSON.parse(line));
        const warnings = lines.filter(({ event }) => event === "unsafe_database");
        assertEquals(
          warnings.map(({ level, settings }) => [level, settings]),
          [["warn", "fsync=off and full_page_writes=off"]],
        );
      }
    });
  },
);
