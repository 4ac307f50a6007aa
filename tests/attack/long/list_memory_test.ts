// engines: both
/** Memory of service and database under ever-changing filters. */

import { assert, assertEquals } from "@std/assert";
import { createInstallation, type Installation } from "../../support/installation.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { randomList } from "../../support/random_lists.ts";
import { startServer } from "../../support/server_process.ts";
import { type Caller, ENGINE } from "../../support/world.ts";

/** A leak of 80 KB per statement would be 800 MiB in the last third. */
const LISTS = 30_000;
const CLIENTS = 8;
const MAX_GROWTH_MIB = 60;

/** Private memory of a process and its database sessions, in MiB. */
async function heldMemory(pid: number, installation: Installation): Promise<number> {
  const sessions = ENGINE === "postgres"
    ? await installation.rows(`select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    : [];
  const held = await Promise.all([pid, ...sessions.map((session) => session.pid)].map(ownMemory));
  return held.reduce((sum, each) => sum + each, 0);
}

async function ownMemory(pid: number): Promise<number> {
  // Deno reads /proc only with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(new TextDecoder().decode(stdout)) ?? [];
  return Number(kibibytes) / 1024;
}

async function sendLists(caller: Caller, random: Random, count: number): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const response = await caller.call("GET", randomList(random));
      assertEquals(response.status, 200, response.text);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

Deno.test({
  name: "Lists with random filters in random order do not grow memory",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using installation = await createInstallation();
    await using server = await startServer(installation.env);
    const caller = await server.setUp();
    const random = seededRandom(20_261_122);
    await sendLists(caller, random, LISTS * 2 / 3);
    const before = await heldMemory(server.pid, installation);
    await sendLists(caller, random, LISTS / 3);
    const growth = await heldMemory(server.pid, installation) - before;
    assert(growth < MAX_GROWTH_MIB, `${Math.round(growth)} MiB more than ${Math.round(before)}`);
  },
});
