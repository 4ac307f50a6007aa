/** Output of backup programs; `unit/operator/programs` has their words and exit codes. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { assertDone, runBackupTask } from "../support/backup_process.ts";
import { createInstallation } from "../support/installation.ts";
import { configOf, operate } from "../support/own_service.ts";

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
