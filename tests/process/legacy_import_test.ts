/** The import of legacy records as a command, with and without a server, and killed. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { DAY_MS } from "../../src/core/clock.ts";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { type LegacyRecord, toImportFile } from "../support/legacy_records.ts";
import { startServer } from "../support/server_process.ts";
import { hasTerminals, openTerminal, type Terminal } from "../support/terminal.ts";
import { waitUntil } from "../support/wait.ts";
import { callerOf, ENGINE } from "../support/world.ts";
import { newLegacyRecords } from "../http/legacy.ts";
import { importWords, rowsOf } from "./legacy_import.ts";

const NOW = { now: () => new Date() };

Deno.test("Import next to a running server is visible at its next request, or brings nothing in", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  await using server = await startServer(place.env);
  const caller = callerOf(server.app, owner);
  const records = newLegacyRecords(NOW, 5);
  const words = await importWords(place, toImportFile(records), "imports of a life.jsonl");
  const done = await runAdmin(place.env, words);
  assertEquals([done.code, done.stdout, done.stderr], [
    0,
    "Imported 5 records; 0 records of the file already existed\n",
    "",
  ]);
  const { body } = await caller.call("GET", "/api/v1/identity/export");
  const ids = (each: readonly { recordId: string }[]) => each.map(({ recordId }) => recordId);
  assertEquals(ids(body.data.records), ids(records).sort().reverse());

  const broken = await importWords(place, `${toImportFile(newLegacyRecords(NOW, 2))}{"hunter2"`);
  const refused = await runAdmin(place.env, broken);
  assertEquals([refused.code, refused.stdout, refused.stderr], [
    1,
    "",
    "Nothing was imported: line 3 breaks json.syntax\n",
  ]);
  server.kill("SIGTERM");
  const { stdout, stderr } = await server.ended;
  assertEquals(/hunter2/.test(stdout + stderr), false);
  // The log shows whether the server's socket was used.
  assertEquals(stdout.includes('"command":"legacy import"'), ENGINE === "embedded");
});

/** Enough for many statements, two revisions each. */
function manyRecords(): LegacyRecord[] {
  const begun = Date.now() - DAY_MS;
  const biography = "x".repeat(25_000);
  return Array.from({ length: 120 }, (_, index) => {
    const createdAt = new Date(begun + index).toISOString();
    const members = {
      title: "A",
      summary: "",
      payload: { displayName: "A", biography },
      archivedAt: null,
      createdAt,
    };
    return {
      recordId: ulid(begun + index),
      revisions: [
        { revision: 1, change: "CREATED", ...members },
        { revision: 2, change: "MODIFIED", ...members },
      ],
    };
  });
}

/** Waits for the middle of its file. */
async function untilWriting({ output }: Terminal): Promise<void> {
  assert(await output.until(/\d+ lines checked/) !== null, output.text);
  assert(await output.until(/\d+ records written/) !== null, output.text);
}

async function kill({ output }: Terminal): Promise<void> {
  const [, pid] = await output.until(/pid=(\d+)/) ?? [];
  Deno.kill(Number(pid), "SIGKILL");
  assert(await output.until(/code=137/) !== null, output.text);
}

/** Another transaction inserts its last record, so that it waits. */
async function killHeldUp(
  place: Installation,
  words: readonly string[],
  recordId: string,
): Promise<void> {
  const held = place.withDatabase((database) =>
    database.transaction(async (tx) => {
      await tx.withoutTimeouts();
      await tx.sql`
        insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                             recorded_at, created_at, updated_at, title, summary, payload)
          select account_id, ${recordId}, 'identity', 1, ${recordId}, 'SEED', now(), now(), now(),
                 '', '', '{}' from accounts`;
      await using terminal = openTerminal(place, words);
      await untilWriting(terminal);
      await waitUntil("the import waits", async () => {
        const [row] = await tx.sql<{ waits: boolean }>`
          select exists (
            select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock') as waits`;
        return row?.waits ?? false;
      });
      await kill(terminal);
      throw new Error("rolled back");
    })
  );
  await assertRejects(() => held, Error, "rolled back");
}

async function killServer(place: Installation, words: readonly string[]): Promise<void> {
  await using server = await startServer(place.env);
  await using terminal = openTerminal(place, words);
  await untilWriting(terminal);
  server.kill("SIGKILL");
  await server.ended;
  assert(await terminal.output.until(/code=1\b/) !== null, terminal.output.text);
  assertMatch(terminal.output.text, /The service stopped before it responded/);
}

Deno.test({
  name: "Import shows progress on a terminal, and leaves nothing after kill -9",
  ignore: !await hasTerminals(),
  async fn() {
    await using place = await createInstallation();
    await place.settle();
    const records = manyRecords();
    const words = await importWords(place, toImportFile(records));
    if (ENGINE === "postgres") await killHeldUp(place, words, records.at(-1)?.recordId ?? "");
    else {
      {
        await using terminal = openTerminal(place, words);
        await untilWriting(terminal);
        await kill(terminal);
      }
      assertEquals(await rowsOf(place), [0, 0, 0]);
      await killServer(place, words);
    }
    assertEquals(await rowsOf(place), [0, 0, 0]);
    await place.operate(...words.with(-1, "records.jsonl"));
    assertEquals(await rowsOf(place), [120, 240, 120]);
  },
});
