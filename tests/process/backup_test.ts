// engines: embedded
/**
 * Backup, restore and verification as processes. `storage/engines_test.ts` moves between engines.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import {
  assertDone,
  backUp,
  embeddedPlace,
  fill,
  restore,
  runBackupTask,
  stop,
} from "../support/backup_process.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { callerOf, ENGINE } from "../support/world.ts";

Deno.test("Backup of a running server is verified and restored elsewhere", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  const server = await startServer(place.env);
  await fill(callerOf(server.app, owner));
  const file = await backUp(place, "--with-secret");
  assertEquals((await Deno.stat(file)).mode, 0o100600);
  await stop(server);

  const { manifest, head } = await checkBackup(file);
  assertEquals([manifest.tables.records?.rows, manifest.objects.count], [1, 1]);
  assertEquals(head.serverSecret === null, false);

  if (ENGINE === "embedded") await assertRestoredWithSecret(file, place.dataDir);
  // Into a scratch database.
  const verified = await runBackupTask("backup:verify", place.env, file);
  assertDone(verified);
  assertMatch(verified.stdout, /^Whole: \d+ rows and 1 files \(10 bytes\), as they were at /);
  const left = await Array.fromAsync(Deno.readDir(`${place.dataDir}/backups`), ({ name }) => name);
  assertEquals(left.length, 1, left.join());
});

async function assertRestoredWithSecret(file: string, from: string): Promise<void> {
  await using place = await embeddedPlace();
  const { stdout } = await restore(place, file);
  assertEquals(stdout.split("\n").slice(1).join("\n"), "The server secret is the backup's\n");
  const [secret, original] = await Promise.all(
    [place.dataDir, from].map((folder) => Deno.readTextFile(`${folder}/server_secret`)),
  );
  assertEquals(secret, original);
}
