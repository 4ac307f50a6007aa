/** Killed imports and exports leave nothing. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { ACCOUNT_EXPORTS, ACCOUNT_IMPORTS, importFile } from "../http/account.ts";
import { filesUnder } from "../support/attachments.ts";
import { wholeAccount } from "../support/generated_account.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { OWNER } from "../support/owner.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, ORIGIN } from "../support/world.ts";

/** Enough attachments to be seen while they are received, and moved into their place. */
const LIFE = { records: 200, attachments: 200, attachmentBytes: 3_000 };
const ROWS = `
  select (select count(*)::int from records) as records,
         (select count(*)::int from attachments) as attachments,
         (select count(*)::int from account_exports) as exports,
         (select count(*)::int from audit_entries where operation like 'account.%') as audited`;
const NOTHING = [{ records: 0, attachments: 0, exports: 0, audited: 0 }];

interface Moment {
  readonly name: string;
  readonly hasCome: (place: Installation, owner: Caller) => Promise<boolean>;
  /** Leaves the last byte of the file unsent. */
  readonly isUploading?: boolean;
}

const isSpooling: Moment["hasCome"] = async ({ dataDir }) =>
  (await filesUnder(`${dataDir}/spool`)).length > 0;

const MOMENTS: readonly Moment[] = [
  { name: "the file is spooled", hasCome: isSpooling, isUploading: true },
  {
    name: "attachments are received",
    hasCome: async ({ dataDir }) => (await filesUnder(`${dataDir}/objects/incoming`)).length > 0,
  },
  {
    name: "the first attachment is in its place",
    hasCome: ({ dataDir }, { accountId }) =>
      Deno.stat(`${dataDir}/objects/${accountId}`).then(() => true, () => false),
  },
];

/** Sends a file whose last byte does not come, until the service ends. */
async function uploadForever(
  { app }: ServerProcess,
  { secret }: Caller,
  file: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(file.subarray(0, -1)),
  });
  const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/jsonl" };
  await app.fetch(new Request(`${ORIGIN}${ACCOUNT_IMPORTS}`, { method: "POST", headers, body }));
}

Deno.test("kill -9 during an import or an export leaves neither rows nor files", async () => {
  const whole = await wholeAccount(20_261_122, LIFE);
  await using place = await createInstallation();
  const settled = await place.settle();
  for (const { name, hasCome, isUploading = false } of MOMENTS) {
    await using server = await startServer(place.env);
    // The start removes files that the last kill left.
    assertEquals(await filesUnder(`${place.dataDir}/spool`), [], name);
    assertEquals(await filesUnder(`${place.dataDir}/objects`), [], name);
    const owner = callerOf(server.app, settled);
    const sent = isUploading
      ? uploadForever(server, owner, whole)
      : importFile(owner, whole.slice());
    const ended = sent.catch(() => null);
    await waitUntil(name, () => hasCome(place, owner), { pollMs: 1 });
    server.kill("SIGKILL");
    await Promise.all([ended, server.ended]);
    assertEquals(await place.rows(ROWS), NOTHING, name);
  }

  await using third = await startServer(place.env);
  assertEquals(await filesUnder(`${place.dataDir}/spool`), []);
  const present = callerOf(third.app, settled);
  const imported = await importFile(present, whole.slice());
  assertEquals(imported.status, 200, imported.text);
  assertEquals(imported.body.data.counts.attachment, LIFE.attachments);
  const step = await present.call("POST", "/api/v2/auth/step-up", {
    body: { password: OWNER.password, purpose: "ACCOUNT_EXPORT" },
  });
  const headers = { "Step-Up-Proof": step.body.data.proof };
  const exporting = present.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers })
    .catch(() => null);
  await waitUntil("the export is spooled", () => isSpooling(place, present), { pollMs: 1 });
  third.kill("SIGKILL");
  await Promise.all([exporting, third.ended]);
  const [{ exports, audited }] = await place.rows(ROWS);
  // Only the import's entry, unless the export finished first.
  assertEquals(audited, 1 + exports);

  await using fourth = await place.serve();
  assertEquals(await filesUnder(`${place.dataDir}/spool`), []);
  const read = await callerOf(fourth.app, settled).call("GET", "/api/v2/records/commitment");
  assertEquals(read.body.data.items.length, 50);
});
