// engines: both
/** Backup, restore and verification as processes, across engines. */

import { assertEquals, assertMatch } from "@std/assert";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import {
  assertDone,
  backUp,
  embeddedPlace,
  fill,
  PROMISE,
  RECORDS,
  restore,
  runBackupTask,
  signIn,
  stop,
} from "../support/backup_process.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { ENGINE } from "../support/world.ts";

/** Differs from the request of `fill`'s key. */
const OTHER = { ...PROMISE, title: "Another promise" };

Deno.test({
  name: "Backup moves from PostgreSQL to embedded and back with equal digests",
  ignore: ENGINE !== "postgres",
  fn: async () => {
    await using first = await createInstallation();
    await using middle = await embeddedPlace({ untouched: true });
    await using last = await createInstallation({ untouched: true });
    const server = await startServer(first.env);
    await fill(server);
    await stop(server);

    const files = [await backUp(first)];
    for (const place of [middle, last]) {
      const { stdout } = await restore(place, files.at(-1) ?? "");
      assertMatch(stdout, /^[^\n]+\n$/, "nothing is said of a secret");
      files.push(await backUp(place));
    }
    const [original, ...others] = await Promise.all(files.map((file) => checkBackup(file)));
    for (const other of others) {
      assertEquals(other.manifest.tables, original?.manifest.tables);
      assertEquals(other.manifest.objects, { count: 1, bytes: 10 });
    }

    const SERVER_SECRET = "another server secret that only tests know";
    await using restored = await startServer({ ...last.env, SERVER_SECRET });
    const caller = await signIn(restored);
    const list = await caller.call("GET", RECORDS);
    assertEquals(list.body.data.items[0].payload, PROMISE.payload);
    const attachments = await caller.call("GET", "/api/v2/attachments");
    const [{ attachmentId }] = attachments.body.data.items;
    const content = await caller.call("GET", `/api/v2/attachments/${attachmentId}/content`);
    assertEquals(content.text, "some bytes");
    // Without the secret differing requests cannot be recognised.
    const replay = await caller.call("POST", RECORDS, { key: "one", body: OTHER });
    assertEquals([replay.status, replay.headers.get("Idempotency-Replayed")], [201, "true"]);
  },
});

Deno.test("Backup of a running server is verified and restored elsewhere, but not onto itself", async () => {
  await using place = await createInstallation();
  const server = await startServer(place.env);
  const caller = await fill(server);
  const before = await backUp(place);
  const path = `${RECORDS}/${(await caller.create("commitment", PROMISE.payload)).recordId}`;
  const after = await backUp(place, "--with-secret");
  assertEquals((await Deno.stat(after)).mode, 0o100600);
  const refused = await runBackupTask("restore", place.env, after);
  assertEquals([refused.code, refused.stdout], [1, ""]);
  assertMatch(
    refused.stderr,
    ENGINE === "embedded"
      ? /^The data directory is in use by process \d+\n$/
      : /^The database is not empty: there are rows in accounts\n$/,
  );
  assertEquals((await caller.call("GET", path)).status, 200, "the server goes on");
  await stop(server);

  const files = await Promise.all([before, after].map((file) => checkBackup(file)));
  assertEquals(files.map(({ manifest }) => manifest.tables.records?.rows), [1, 2]);
  assertEquals(files.map(({ manifest }) => manifest.objects.count), [1, 1]);
  assertEquals(files.map(({ head }) => head.serverSecret === null), [true, false]);

  const verified = await runBackupTask("backup:verify", place.env, after);
  assertDone(verified);
  assertMatch(verified.stdout, /^Whole: \d+ rows and 1 files \(10 bytes\), as they were at /);
  const left = await Array.fromAsync(Deno.readDir(`${place.dataDir}/backups`), ({ name }) => name);
  assertEquals(left.length, 2, left.join());
  if (ENGINE === "embedded") await assertRestoredWithSecret(after);
});

/** A backup with the secret restores it. */
async function assertRestoredWithSecret(file: string): Promise<void> {
  await using place = await embeddedPlace();
  const { stdout } = await restore(place, file);
  assertEquals(stdout.split("\n").slice(1).join("\n"), "The server secret is the backup's\n");
  await using restored = await startServer(place.env);
  const caller = await signIn(restored);
  const response = await caller.call("POST", RECORDS, { key: "one", body: OTHER });
  assertEquals(response.status, 409, response.text);
}
