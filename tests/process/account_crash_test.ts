/** Killed imports and exports leave nothing. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { ACCOUNT_EXPORTS, ACCOUNT_IMPORTS, importFile } from "../http/account.ts";
import { filesUnder } from "../support/attachments.ts";
import { wholeAccount } from "../support/generated_account.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { callerOf } from "../support/world.ts";

const SEED = 20_261_122;
const LIFE = { records: 1_000, attachments: 4, attachmentBytes: 500_000 };
const ROWS = `
  select (select count(*)::int from records) as records,
         (select count(*)::int from attachments) as attachments,
         (select count(*)::int from account_exports) as exports,
         (select count(*)::int from audit_entries where operation like 'account.%') as audited`;
/** Enough files to be seen while they are moved. */
const ATTACHMENTS = 400;
const NOTHING = [{ records: 0, attachments: 0, exports: 0, audited: 0 }];

Deno.test("kill -9 during an import or an export leaves neither rows nor files", async () => {
  const whole = await wholeAccount(SEED, LIFE);
  await using place = await createInstallation();
  const spoolFolder = `${place.dataDir}/spool`;
  const isSpooling = async () => (await filesUnder(spoolFolder)).length > 0;

  await using first = await startServer(place.env);
  const owner = await first.setUp();
  // During and after the upload.
  const coming = new TransformStream<Uint8Array, Uint8Array>();
  const writer = coming.writable.getWriter();
  const sent = first.app.fetch(
    new Request(`https://records.example${ACCOUNT_IMPORTS}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${owner.secret}`, "Content-Type": "application/jsonl" },
      body: coming.readable,
    }),
  ).catch(() => null);
  await writer.write(whole.subarray(0, 100_000));
  await waitUntil("the file is spooled", isSpooling);
  first.kill("SIGKILL");
  await Promise.all([sent, first.ended]);
  writer.abort().catch(() => {});
  assertEquals(await place.rows(ROWS), NOTHING);

  await using second = await startServer(place.env);
  assertEquals(await filesUnder(spoolFolder), []);
  const again = importFile(callerOf(second.app, owner), whole.slice()).catch(() => null);
  await waitUntil(
    "attachments are received",
    async () => (await filesUnder(`${place.dataDir}/objects/incoming`)).length > 0,
  );
  second.kill("SIGKILL");
  await Promise.all([again, second.ended]);
  assertEquals(await place.rows(ROWS), NOTHING);

  await using third = await startServer(place.env);
  assertEquals(await filesUnder(spoolFolder), []);
  assertEquals(await filesUnder(`${place.dataDir}/objects`), []);
  const present = callerOf(third.app, owner);
  const imported = await importFile(present, whole.slice());
  assertEquals(imported.status, 200, imported.text);
  const step = await present.call("POST", "/api/v2/auth/step-up", {
    body: { password: "a password that only tests know", purpose: "ACCOUNT_EXPORT" },
  });
  const headers = { "Step-Up-Proof": step.body.data.proof };
  const exporting = present.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers })
    .catch(() => null);
  await waitUntil("the export is spooled", isSpooling);
  third.kill("SIGKILL");
  await Promise.all([exporting, third.ended]);
  const [{ exports, audited }] = await place.rows(ROWS);
  // Only the import's entry, unless the export finished first.
  assertEquals(audited, 1 + exports);

  await using fourth = await startServer(place.env);
  assertEquals(await filesUnder(spoolFolder), []);
  const read = await callerOf(fourth.app, owner).call("GET", "/api/v2/records/commitment");
  assertEquals(read.body.data.items.length, 50);
});

Deno.test("kill -9 before an import's commit leaves no row, and the account accepts a new import", async () => {
  const whole = await wholeAccount(SEED, {
    records: 50,
    attachments: ATTACHMENTS,
    attachmentBytes: 3_000,
  });
  await using place = await createInstallation();
  await using first = await startServer(place.env);
  const owner = await first.setUp();
  const sent = importFile(callerOf(first.app, owner), whole.slice()).catch(() => null);
  const objects = `${place.dataDir}/objects/${owner.accountId}`;
  await waitUntil(
    "the first attachment is in its place",
    () => Deno.stat(objects).then(() => true, () => false),
    { pollMs: 1 },
  );
  first.kill("SIGKILL");
  await Promise.all([sent, first.ended]);
  assertEquals(await place.rows(ROWS), NOTHING);

  await using second = await startServer(place.env);
  const imported = await importFile(callerOf(second.app, owner), whole.slice());
  assertEquals(imported.status, 200, imported.text);
  assertEquals(imported.body.data.counts.attachment, ATTACHMENTS);
});
