/** Output of backup programs; `unit/operator/programs` has their words and exit codes. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { assertDone, fill, runBackupTask } from "../support/backup_process.ts";
import { filesUnder } from "../support/attachments.ts";
import { createInstallation } from "../support/installation.ts";
import { configOf, operate } from "../support/own_service.ts";
import { callerOf } from "../support/world.ts";

Deno.test("Restore reports another server secret, which it keeps", async () => {
  await using place = await createInstallation();
  const secret = "one server secret that only tests know";
  const config = configOf(place.dataDir, { ...place.env, SERVER_SECRET: secret });
  const [path = ""] = await operate(config, { command: "backup", secret: "include" });
  const env = { ...place.env, SERVER_SECRET: "another server secret that only tests know" };
  const ended = await runBackupTask("restore", env, path);
  assertDone(ended);
  assertStringIncludes(ended.stdout, "The server secret here differs from the backup's");
  assertEquals(ended.stdout.includes(secret), false);
});

Deno.test("A backup that lacks an attachment ends with 3, and is used with --accept-lost", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  {
    await using service = await place.serve();
    await fill(callerOf(service.app, owner));
  }
  const [file] = await filesUnder(`${place.dataDir}/objects`);
  await Deno.remove(`${place.dataDir}/objects/${file}`);
  const ended = await runBackupTask("backup", place.env);
  assertEquals([ended.code, ended.stderr], [3, ""]);
  const [path = "", , lacking = ""] = ended.stdout.split("\n");
  assertStringIncludes(
    lacking,
    "Attachments that are not in it, because their files are missing or damaged: 1",
  );

  await using other = await createInstallation({ untouched: true });
  await Deno.mkdir(other.dataDir);
  const copy = `${other.dataDir}/from-elsewhere`;
  await Deno.copyFile(path, copy);
  const refused = await runBackupTask("restore", other.env, copy);
  assertEquals([refused.code, refused.stdout], [1, ""]);
  assertStringIncludes(refused.stderr, "Add --accept-lost");
  const restored = await runBackupTask("restore", other.env, copy, "--accept-lost");
  assertDone(restored);
  assertStringIncludes(
    restored.stdout,
    "Attachments without bytes, until the same files are stored again: 1",
  );
});
