// engines: postgres
/** Second factors in backups, with and without the server secret. */

import { assertEquals } from "@std/assert";
import { verifyBackup } from "../../src/operator/backup/verify.ts";
import { begin, enrol, login, STEP } from "../http/second_factor.ts";
import { createWorld } from "../support/world.ts";
import { backupFolder, backUpWorld, restoreFile, unpacked } from "./backup.ts";

const SERVER_SECRET = "a server secret of more than 32 characters";

Deno.test("Backup has second factors only together with the server secret", async () => {
  const serverSecret = new TextEncoder().encode(SERVER_SECRET);
  await using world = await createWorld({ serverSecret });
  await using folder = await backupFolder();
  const enrolled = await enrol(world);
  await begin(world, enrolled.caller);
  world.advance(STEP);
  const code = await enrolled.authenticator.codeAt(world.now());
  const [recoveryCode = ""] = enrolled.recoveryCodes;
  const at = { serverSecret, clock: world.now };
  const restored = async (path: string, secret: string | null) => {
    await backUpWorld(world, path, { serverSecret: secret });
    const other = await createWorld(at);
    const backup = await restoreFile(other, path);
    if (secret === null) {
      await using scratch = await createWorld();
      await verifyBackup(scratch.database, backup, () => {});
    }
    assertEquals(await other.rows("select 1 from pending_second_factors"), []);
    return other;
  };

  await using without = await restored(`${folder.path}/without`, null);
  assertEquals((await unpacked(`${folder.path}/without`)).includes("second_factors"), false);
  assertEquals(await without.rows("select 1 from second_factors"), []);
  assertEquals((await login(without, enrolled)).status, 200);

  await using complete = await restored(`${folder.path}/with`, SERVER_SECRET);
  assertEquals((await login(complete, enrolled)).body.error.code, "SECOND_FACTOR_REQUIRED");
  assertEquals((await login(complete, enrolled, { code })).status, 200);
  assertEquals((await login(complete, enrolled, { code })).status, 401);
  assertEquals((await login(complete, enrolled, { recoveryCode })).status, 200);
});
