// engines: postgres
/** An account's file and a backup move between the engines unchanged. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { ACCOUNT_EXPORTS, fetchContent, importFile } from "../http/account.ts";
import { embeddedPlace, fill, PROMISE, RECORDS } from "../support/backup_process.ts";
import { backUp, configFrom, restore } from "../support/erasure.ts";
import { wholeAccount } from "../support/generated_account.ts";
import { createInstallation } from "../support/installation.ts";
import { setUpOwner, startOwn } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";
import { filesUnder, uploaded } from "../support/attachments.ts";
import { callerOf, type Json } from "../support/world.ts";

const LIFE = { records: 25, attachments: 2, attachmentBytes: 20_000 };

Deno.test("An account with every type of line leaves each engine as it came", async () => {
  const whole = await wholeAccount(20_261_122, LIFE);
  await using server = await createInstallation();
  await using embedded = await embeddedPlace();
  for (const { env } of [server, embedded]) {
    await using service = await startOwn(configFrom(env));
    const caller = await setUpOwner(service);
    const imported = await importFile(caller, whole.slice());
    assertEquals(imported.status, 200, imported.text);
    // `storage/account_round_trip` has proposals of assistants.
    const absent = Object.entries(imported.body.data.counts)
      .filter(([type, count]) => count === 0 && type !== "assistantProposal");
    assertEquals(absent, [], "The life has no line of some type");
    const step = await caller.call("POST", "/api/v2/auth/step-up", {
      body: { password: OWNER.password, purpose: "ACCOUNT_EXPORT" },
    });
    const headers = { "Step-Up-Proof": step.body.data.proof };
    const made = await caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers });
    assertEquals(made.status, 201, made.text);
    const content = await fetchContent(service, caller, made.body.data.exportId);
    assertEquals(await content.text(), new TextDecoder().decode(whole));
  }
});

/** Differs from the request of the key that `fill` sends. */
const OTHER = { ...PROMISE, title: "Another promise" };

Deno.test("Backup moves from PostgreSQL to embedded and back with equal digests", async () => {
  await using first = await createInstallation();
  await using middle = await embeddedPlace();
  await using last = await createInstallation();
  const owner = await first.settle();
  let lost = "";
  {
    await using service = await startOwn(configFrom(first.env));
    await fill(callerOf(service.app, owner));
    const before = await filesUnder(`${first.dataDir}/objects`);
    lost = await uploaded(callerOf(service.app, owner), "bytes that will be lost");
    const [file] = (await filesUnder(`${first.dataDir}/objects`)).filter((path) =>
      !before.includes(path)
    );
    await Deno.remove(`${first.dataDir}/objects/${file}`);
  }
  const files = [await backUp(first.env)];
  for (const { env } of [middle, last]) {
    await restore(env, files.at(-1) ?? "", true);
    files.push(await backUp(env));
  }
  const [original, ...others] = await Promise.all(files.map((file) => checkBackup(file)));
  for (const other of others) {
    assertEquals(other.manifest.tables, original?.manifest.tables);
    assertEquals(other.manifest.objects, { count: 1, bytes: 10 });
    assertEquals(other.manifest.lost, [lost]);
  }

  const present = await last.settle();
  const SERVER_SECRET = "another server secret that only tests know";
  await using service = await startOwn(configFrom({ ...last.env, SERVER_SECRET }));
  const caller = callerOf(service.app, present);
  const list = await caller.call("GET", RECORDS);
  assertEquals(list.body.data.items[0].payload, PROMISE.payload);
  const attachments = await caller.call("GET", "/api/v2/attachments");
  const [{ attachmentId }] = attachments.body.data.items.filter((item: Json) =>
    item.attachmentId !== lost
  );
  const content = await caller.call("GET", `/api/v2/attachments/${attachmentId}/content`);
  assertEquals(content.text, "some bytes");
  // Without the secret differing requests cannot be recognised.
  const replay = await caller.call("POST", RECORDS, { key: "one", body: OTHER });
  assertEquals([replay.status, replay.headers.get("Idempotency-Replayed")], [201, "true"]);
});
