/** Output of backup programs; `unit/operator/programs` has their words and exit codes. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { assertDone, backUp, runBackupTask } from "../support/backup_process.ts";
import { createInstallation } from "../support/installation.ts";

Deno.test("Restore reports another server secret, which it keeps", async () => {
  await using place = await createInstallation();
  const secret = "one server secret that only tests know";
  const path = await backUp({ env: { ...place.env, SERVER_SECRET: secret } }, "--with-secret");
  const env = { ...place.env, SERVER_SECRET: "another server secret that only tests know" };
  const ended = await runBackupTask("restore", env, path);
  assertDone(ended);
  assertStringIncludes(ended.stdout, "The server secret here differs from the backup's");
  assertEquals(ended.stdout.includes(secret), false);
});
