// engines: postgres
/** Backups, account exports and erasures between installations with each setting. */

import { assertEquals } from "@std/assert";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { fill, PROMISE, RECORDS } from "../support/backup_process.ts";
import {
  backUp,
  configFrom,
  createErasable,
  plan,
  restore,
  run,
  signIn,
} from "../support/erasure.ts";
import { filesUnder, uploaded } from "../support/attachments.ts";
import { createInstallation } from "../support/installation.ts";
import { startOwn } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";
import { callerOf } from "../support/world.ts";

const LIST = "/api/v2/attachments";
const CHUNKS = "select count(*)::integer as chunks from attachment_chunks";

Deno.test("A backup of one setting restores under the other, with equal digests", async () => {
  await using first = await createInstallation();
  await using second = await createInstallation();
  await using third = await createInstallation();
  const owner = await first.settle();
  {
    await using service = await startOwn(configFrom(first.env));
    await fill(callerOf(service.app, owner));
  }
  const inDatabase = { ...second.env, ATTACHMENTS: "database" };
  const files = [await backUp(first.env)];
  await restore(inDatabase, files[0] ?? "");
  files.push(await backUp(inDatabase));
  await restore(third.env, files[1] ?? "");
  files.push(await backUp(third.env));
  const manifests = await Promise.all(
    files.map(async (file) => (await checkBackup(file)).manifest),
  );
  assertEquals(manifests[0]?.objects, { count: 1, bytes: 10 });
  for (const { tables, objects } of manifests) {
    assertEquals([tables, objects], [manifests[0]?.tables, manifests[0]?.objects]);
  }
  const places = await Promise.all([first, second, third].map(async (place) => {
    const stored = await filesUnder(`${place.dataDir}/objects`);
    return [stored.filter((path) => path !== "lost").length, (await place.rows(CHUNKS))[0].chunks];
  }));
  assertEquals(places, [[1, 0], [0, 1], [1, 0]]);
});

Deno.test("An erasure under ATTACHMENTS=database leaves the chunks of erased attachments out", async () => {
  await using place = await createErasable();
  const owner = await place.old.settle();
  const ids: string[] = [];
  {
    await using service = await startOwn(configFrom({ ...place.env, ATTACHMENTS: "database" }));
    const caller = callerOf(service.app, owner);
    for (const text of ["to erase", "to keep"]) ids.push(await uploaded(caller, text));
    await caller.call("POST", RECORDS, { key: "one", body: PROMISE });
  }
  const env = { ...place.env, ATTACHMENTS: "database" };
  const { digest } = await plan(env, OWNER.email, `attachment:${ids[0]}`);
  await run(env, digest, place.folder);
  await using service = await startOwn(configFrom({ ...place.fresh, ATTACHMENTS: "database" }));
  const caller = await signIn(service);
  const left = (await caller.call("GET", LIST)).body.data.items;
  assertEquals(left.map(({ attachmentId }: { attachmentId: string }) => attachmentId), [ids[1]]);
  assertEquals((await caller.call("GET", `${LIST}/${ids[1]}/content`)).text, "to keep");
  assertEquals(await filesUnder(`${place.folder}/objects`), []);
});
