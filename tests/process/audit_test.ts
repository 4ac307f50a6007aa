/**
 * Seals at shutdown and by a backup's process, after kill -9, and their verification by a process.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { assertDone, backUp, fill, PROMISE, runBackupTask } from "../support/backup_process.ts";
import { createInstallation } from "../support/installation.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { callerOf, type Json } from "../support/world.ts";

/** Digests of one kind in log order. */
async function loggedBy(server: ServerProcess, kind: string): Promise<string[]> {
  const { stdout } = await server.ended;
  return stdout.split("\n").filter((line) => line !== "").map((line): Json => JSON.parse(line))
    .filter((line) => line.event === "audit_sealed" && line.kind === kind)
    .map(({ digest }) => digest);
}

Deno.test("Seals are made at shutdown and by a backup, survive kill -9, and are verified", async () => {
  await using place = await createInstallation();
  const verify = (...words: string[]) => runBackupTask("audit:verify", place.env, ...words);
  const owner = await place.settle();
  const { accountId } = owner;
  const sealed = async () =>
    (await place.rows(`
      select encode(digest, 'hex') as digest from audit_seals
       where account_id = '${accountId}' and kind = 'audit' order by number`))
      .map(({ digest }) => digest);
  {
    await using first = await place.serve();
    await fill(callerOf(first.app, owner));
  }
  const atShutdown = await sealed();

  const second = await startServer(place.env);
  const caller = callerOf(second.app, owner);
  await caller.create("commitment", PROMISE.payload);
  const file = await backUp(place);
  await caller.create("commitment", PROMISE.payload);
  second.kill("SIGKILL");

  const { manifest } = await checkBackup(file);
  const newest = manifest.seals?.[`${accountId}/audit`] ?? "";
  // On PostgreSQL the backup's process seals; with the built-in engine the server makes the backup.
  assertEquals(await loggedBy(second, "audit"), "DATABASE_URL" in place.env ? [] : [newest]);
  assertMatch(
    (await place.operate("audit", "verify", "--anchor", atShutdown.join())).join("\n"),
    /^3 valid seals over \d+ entries; 1 entries are not sealed yet$/,
  );
  const anchor = [...atShutdown, newest].join();
  assertEquals(atShutdown.length, 1);
  assertDone(await verify("--file", file, "--anchor", anchor));

  await place.raw(`
    alter table audit_seals disable trigger all;
    delete from audit_seals where account_id = '${accountId}' and kind = 'audit' and number = 2`);
  const cut = await verify("--anchor", anchor);
  assertEquals([cut.code, cut.stdout], [1, ""]);
  assertEquals(cut.stderr.split("\n"), [
    `Seal 2 of ${accountId}/audit is missing, and there are entries that it should cover`,
    `No valid seal has the digest ${newest}: the end of its trail was cut off or replaced`,
    "",
  ]);
});
