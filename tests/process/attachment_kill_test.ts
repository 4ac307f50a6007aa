/** A process that is killed during an upload to the database. */

import { assertEquals } from "@std/assert";
import { removeAbandonedUploads } from "../../src/attachments/abandoned_uploads.ts";
import { uploaded } from "../support/attachments.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { callerOf, ORIGIN } from "../support/world.ts";

const PATH = "/api/v2/attachments";
const CHUNKS = "select count(*)::integer as chunks from attachment_chunks";

Deno.test("kill -9 during an upload leaves no attachment, and no chunk after an hour", async () => {
  await using place = await createInstallation();
  const settled = await place.settle();
  const chunks = async () => (await place.rows(CHUNKS))[0].chunks;
  const env = { ...place.env, ATTACHMENTS: "database" };
  {
    await using server = await startServer(env);
    const headers = {
      Authorization: `Bearer ${settled.secret}`,
      "Content-Type": "text/plain",
      "X-Filename": "letter.txt",
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(2_500_000)),
    });
    const sent = server.app.fetch(new Request(ORIGIN + PATH, { method: "POST", headers, body }))
      .catch(() => null);
    await waitUntil("two chunks are stored", async () => await chunks() === 2);
    server.kill("SIGKILL");
    await Promise.all([sent, server.ended]);
  }
  // Another process needs nothing of the folder.
  await Deno.remove(`${place.dataDir}/objects`, { recursive: true });
  await using server = await startServer(env);
  const owner = callerOf(server.app, settled);
  assertEquals((await owner.call("GET", PATH)).body.data.items, []);
  assertEquals(await chunks(), 2);
  const id = await uploaded(owner, "a note");
  const later = new Date(Date.now() + 61 * 60_000);
  await place.withDatabase((database) => removeAbandonedUploads(database, later));
  assertEquals(await chunks(), 1);
  assertEquals((await owner.call("GET", `${PATH}/${id}/content`)).text, "a note");
});
