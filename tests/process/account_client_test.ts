/** A client that disconnects during an import. */

import { assertEquals } from "@std/assert";
import { writeAll } from "../../src/core/files.ts";
import { ACCOUNT_IMPORTS, importFile } from "../http/account.ts";
import { filesUnder } from "../support/attachments.ts";
import { wholeAccount } from "../support/generated_account.ts";
import { createInstallation } from "../support/installation.ts";
import { waitUntil } from "../support/wait.ts";
import { callerOf } from "../support/world.ts";

const SEED = 20_261_122;

Deno.test("A client that disconnects within its file leaves nothing, and may retry", async () => {
  const whole = await wholeAccount(SEED, { records: 70, attachments: 2, attachmentBytes: 50_000 });
  await using place = await createInstallation();
  const spoolFolder = `${place.dataDir}/spool`;
  const settled = await place.settle();
  await using server = await place.serve();
  const owner = callerOf(server.app, settled);
  for (const length of [`Content-Length: ${whole.length}`, "Transfer-Encoding: chunked"]) {
    const connection = await Deno.connect({ port: server.port });
    const head = [
      `POST ${ACCOUNT_IMPORTS} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${owner.secret}`,
      "Content-Type: application/jsonl",
      length,
    ];
    const half = whole.subarray(0, whole.length / 2);
    const chunk = length.startsWith("T") ? `${whole.length.toString(16)}\r\n` : "";
    await writeAll(connection, new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${chunk}`));
    await writeAll(connection, half);
    await waitUntil("the file is spooled", async () => (await filesUnder(spoolFolder)).length > 0);
    connection.close();
    await waitUntil("nothing is spooled", async () => (await filesUnder(spoolFolder)).length === 0);
    // The import place is free after the file is removed.
    await waitUntil("the import is over", async () => (await importFile(owner, "")).status !== 429);
  }
  const imported = await importFile(owner, whole.slice());
  assertEquals(imported.status, 200, imported.text);
  const records = await owner.call("GET", "/api/v2/records/commitment");
  assertEquals(records.body.data.items.length, 50);
});
