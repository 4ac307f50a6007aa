/** Backup, restore and verification as real processes, between engines and beside a running server. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { checkBackup } from "../../src/backup/read_backup.ts";
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

Deno.test({
  name: "Backup goes from embedded to PostgreSQL and back with equal digests",
  ignore: ENGINE !== "postgres",
  fn: async () => {
    await using first = await embeddedPlace();
    await using middle = await createInstallation({ untouched: true });
    await using last = await embeddedPlace();
    const server = await startServer(first.env);
    await fill(server);
    await stop(server);

    const files = [await backUp(first)];
    for (const place of [middle, last]) {
      await restore(place, files.at(-1) ?? "");
      files.push(await backUp(place));
    }
    const [original, ...others] = await Promise.all(files.map((file) => checkBackup(file)));
    for (const other of others) {
      assertEquals(other.manifest.tables, original?.manifest.tables);
      assertEquals(other.manifest.objects, { count: 1, bytes: 10 });
    }

    await using restored = await startServer(last.env);
    const person = await signIn(restored);
    const list = await person.call("GET", RECORDS);
    assertEquals(list.body.data.items[0].payload, PROMISE.payload);
    const attachments = await person.call("GET", "/api/v2/attachments");
    const [{ attachmentId }] = attachments.body.data.items;
    const content = await person.call("GET", `/api/v2/attachments/${attachmentId}/content`);
    assertEquals(content.text, "some bytes");
    const replay = await person.call("POST", RECORDS, { key: "one", body: PROMISE });
    assertEquals(replay.headers.get("Idempotency-Replayed"), "true");
  },
});

Deno.test("Backup beside a running server holds what was acknowledged before", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  const person = await fill(server);
  const before = await backUp(place);
  const path = `${RECORDS}/${(await person.create("commitment", PROMISE.payload)).recordId}`;
  const after = await backUp(place, "--with-secret");
  assertEquals((await person.call("GET", path)).status, 200, "the server goes on");
  const files = await Promise.all([before, after].map((file) => checkBackup(file)));
  assertEquals(files.map(({ manifest }) => manifest.tables.records?.rows), [1, 2]);
  assertEquals(files.map(({ manifest }) => manifest.objects.count), [1, 1]);
  assertEquals(files.map(({ head }) => head.serverSecret === null), [true, false]);
});

Deno.test("Backup is verified in a scratch database, which goes again", async () => {
  await using place = await createInstallation();
  const server = await startServer(place.env);
  await fill(server);
  await stop(server);
  const path = await backUp(place);
  assertEquals((await Deno.stat(path)).mode, 0o100600);
  const verified = await runBackupTask("backup:verify", place.env, path);
  assertDone(verified);
  assertMatch(verified.stdout, /^Whole: \d+ rows and 1 files \(10 bytes\), as they were at /);
  const left = await Array.fromAsync(Deno.readDir(`${place.dataDir}/backups`), ({ name }) => name);
  assertEquals(left.length, 1, left.join());
});

Deno.test("Restore refuses a place that is in use", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  await fill(server);
  const file = `${place.dataDir}/backup`;
  {
    await using source = await embeddedPlace();
    await Deno.copyFile(await backUp(source), file);
  }
  const ended = await runBackupTask("restore", place.env, file);
  assertEquals(ended.code, 1);
  assertMatch(
    ended.stderr,
    ENGINE === "embedded"
      ? /^The data directory is in use by process \d+\n$/
      : /^The database is not empty: there are rows in accounts\n$/,
  );
  assert((await signIn(server)).secret !== "");
});
