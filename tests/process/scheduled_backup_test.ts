/** Scheduled backups, stopped and killed. */

import { assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { ulid } from "@std/ulid";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { identityOf, KEYS } from "../support/age.ts";
import { fill } from "../support/backup_process.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import type { Owner } from "../support/owner.ts";
import { startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { callerOf, type Json } from "../support/world.ts";

/** A backup takes a second or two, enough to interrupt it. */
const OBJECT_BYTES = 32 * 1024 * 1024;

/** Repeated at a distance that packing does not look back. */
const OBJECT = Buffer.alloc(OBJECT_BYTES, crypto.getRandomValues(Buffer.alloc(64 * 1024)));

/** Adds an attachment and a large file that cannot be packed. */
async function fillLargely(place: Installation): Promise<Owner> {
  const owner = await place.settle();
  const { accountId } = owner;
  {
    await using server = await place.serve();
    await fill(callerOf(server.app, owner));
  }
  const sha256 = createHash("sha256").update(OBJECT).digest("hex");
  const folder = `${place.dataDir}/objects/${accountId}/${sha256.slice(0, 2)}`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeFile(`${folder}/${sha256}`, OBJECT);
  await place.raw(`
    insert into attachments
      (owner_id, attachment_id, size, sha256, media_type, filename, created_at)
    values ('${accountId}', '${ulid()}', ${OBJECT_BYTES}, '\\x${sha256}', 'text/plain', 'noise',
            now())`);
  return owner;
}

async function filesIn({ dataDir }: Installation): Promise<string[]> {
  try {
    return await Array.fromAsync(Deno.readDir(`${dataDir}/backups`), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

async function untilWriting(place: Installation): Promise<void> {
  await waitUntil("a draft stands there", async () => {
    const [name = "", ...others] = await filesIn(place);
    assertEquals(others, []);
    if (!name.endsWith(".new")) return false;
    return (await Deno.stat(`${place.dataDir}/backups/${name}`)).size > 0;
  });
}

Deno.test("A stopped or killed scheduled backup leaves none, and the next one is complete", async () => {
  await using place = await createInstallation();
  const owner = await fillLargely(place);
  const env = {
    ...place.env,
    BACKUP_EVERY_HOURS: "24",
    BACKUP_KEEP: "1",
    BACKUP_RECIPIENT: KEYS.publicKey,
  };
  {
    await using stopped = await startServer(env);
    await untilWriting(place);
    stopped.kill("SIGTERM");
    assertEquals((await stopped.ended).code, 0);
    assertEquals(await filesIn(place), []);
  }
  {
    await using killed = await startServer(env);
    await untilWriting(place);
    killed.kill("SIGKILL");
    await killed.ended;
    const [draft = "", ...others] = await filesIn(place);
    assertMatch(draft, /\.scheduled\.prs-backup\.gz\.age\.new$/);
    assertEquals(others, []);
  }
  // As if an hour had passed.
  await place.raw("update scheduled_backups set next_at = null, claimed_until = started_at");
  const server = await startServer(env);
  const schedule = { everyHours: 24, keep: 1, encrypted: true };
  const caller = callerOf(server.app, owner);
  let status: Json;
  await waitUntil("the backup is written", async () => {
    status = (await caller.call("GET", "/api/v2/operations/backup")).body.data;
    return !["RUNNING", "INTERRUPTED"].includes(status.lastRun.state);
  });
  const names = await filesIn(place);
  assertEquals([status.schedule, status.lastRun.state], [schedule, "SUCCEEDED"]);
  assertEquals(names, [status.newest.name]);
  const path = `${place.dataDir}/backups/${names[0]}`;
  const { manifest } = await checkBackup(path, identityOf(KEYS));
  assertEquals(manifest.objects, { count: 2, bytes: OBJECT_BYTES + 10 });
  server.kill("SIGTERM");
  const { stdout } = await server.ended;
  assertMatch(stdout, /"event":"scheduled_backup_interrupted"[^]*"scheduled_backup_written"/);
});
