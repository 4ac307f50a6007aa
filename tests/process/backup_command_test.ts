/** Output and exit codes of backup programs. */

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

Deno.test("Backup programs report errors by exit code and one sentence", async () => {
  await using place = await createInstallation();
  const path = await backUp(place);
  const misspelt = await runBackupTask("backup", place.env, "file");
  assertEquals([misspelt.code, misspelt.stdout], [2, ""]);
  assertStringIncludes(misspelt.stderr, "Usage: deno task backup [--with-secret]");
  const absent = await runBackupTask("restore", place.env, `${place.dataDir}/absent`);
  assertEquals([absent.code, absent.stderr], [1, "The file cannot be read\n"]);
  await Deno.writeFile(`${path}.cut`, (await Deno.readFile(path)).slice(0, -20));
  const cut = await runBackupTask("backup:verify", place.env, `${path}.cut`);
  assertEquals([cut.code, cut.stderr], [1, "The file is damaged or not a backup\n"]);
  const settings = await runBackupTask("backup", { ...place.env, PORT: "eighty" });
  assertEquals(settings.code, 78);
  assertEquals(await place.rows("select * from accounts"), []);
});
