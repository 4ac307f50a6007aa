// engines: embedded
/** A stopped built-in database ends the process, for its supervisor. */

import { assertEquals, assertNotMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { COMMITMENT } from "../http/kernel.ts";
import { createInstallation } from "../support/installation.ts";
import type { OwnService } from "../support/own_service.ts";
import type { Owner } from "../support/owner.ts";
import { seededRandom } from "../support/random.ts";
import { startServer } from "../support/server_process.ts";
import { type Caller, callerOf, ENGINE, type Json } from "../support/world.ts";

const PATH = "/api/v2/records/commitment";

/** More than two log files can hold. */
const MAX_WRITES = 200;

/** Writes until rejected; returns acknowledged writes in order. */
async function writeUntilRefused(caller: Caller): Promise<string[]> {
  const random = seededRandom(20_261_122);
  const kept: string[] = [];
  for (let write = 0; write < MAX_WRITES; write++) {
    // Incompressible, to fill the log fast.
    const content = Array.from({ length: 3_800 }, () => random.ulid()).join("");
    const body = { title: "A title", payload: { ...COMMITMENT, content } };
    const response = await caller.call("POST", PATH, { key: ulid(), body }).catch(() => null);
    if (response?.status !== 201) {
      // The connection may be closed first.
      assertEquals(response?.status ?? 503, 503, response?.text);
      return kept;
    }
    kept.push(response.body.data.recordId);
  }
  throw new Error("The engine never needed another file for its log");
}

async function recordIds(server: OwnService, owner: Owner): Promise<string[]> {
  const caller = callerOf(server.app, owner);
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Json = await caller.call("GET", `${PATH}?sort=createdAt&limit=10${cursor}`);
    ids.push(...page.body.data.items.map((item: Json) => item.recordId));
    const { nextCursor } = page.body.data;
    cursor = nextCursor === null ? null : `&cursor=${nextCursor}`;
  }
  return ids;
}

Deno.test({
  name: "An engine panic is logged once and ends the process with 1, without loss",
  ignore: ENGINE !== "embedded",
  async fn() {
    await using installation = await createInstallation();
    const log = `${installation.dataDir}/postgres/pg_wal`;
    let kept: string[] = [];
    const caller = await installation.settle();
    {
      await using server = await startServer(installation.env);
      // The engine cannot create its next log file.
      await Deno.rename(log, `${log}.away`);
      kept = await writeUntilRefused(callerOf(server.app, caller));
      const { code, signal, stdout, stderr } = await server.ended;
      assertEquals([code, signal], [1, null], stderr);
      const lines: Json[] = stdout.trim().split("\n").map((line) => JSON.parse(line));
      const stops = lines.filter(({ event }) => event === "engine_stopped");
      assertEquals(stops.map(({ level, error, code }) => ({ level, error, code })), [
        { level: "error", error: "RuntimeError", code: "58P01" },
      ]);
      assertEquals(Object.keys(stops[0]).sort(), ["at", "code", "error", "event", "level"]);
      assertNotMatch(stderr, /Uncaught|error:/);
    }
    await Deno.remove(log, { recursive: true }).catch(() => {});
    await Deno.rename(`${log}.away`, log);
    await using server = await installation.serve();
    assertEquals((await recordIds(server, caller)).slice(0, kept.length), kept);
  },
});
