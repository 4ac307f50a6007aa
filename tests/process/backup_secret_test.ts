/** The server secret of an installation that made its own, through a backup and back. */

import { assertEquals } from "@std/assert";
import {
  backUp,
  embeddedPlace,
  fill,
  PROMISE,
  RECORDS,
  restore,
  signIn,
  stop,
} from "../support/backup_process.ts";
import { startServer } from "../support/server_process.ts";

Deno.test("Backup brings the server secret along only when it is asked to", async () => {
  await using first = await embeddedPlace();
  const server = await startServer(first.env);
  await fill(server);
  await stop(server);
  const other = { ...PROMISE, title: "Another promise" };
  const expected = [
    // A key's request is not known under another secret, so that its finished one is answered.
    { words: [], status: 201, said: "" },
    { words: ["--with-secret"], status: 409, said: "The server secret is the backup's\n" },
  ];
  for (const { words, status, said } of expected) {
    await using place = await embeddedPlace();
    const { stdout } = await restore(place, await backUp(first, ...words));
    assertEquals(stdout.split("\n").slice(1).join("\n"), said);
    await using restored = await startServer(place.env);
    const person = await signIn(restored);
    const response = await person.call("POST", RECORDS, { key: "one", body: other });
    assertEquals(response.status, status, response.text);
    assertEquals(response.headers.has("Idempotency-Replayed"), status === 201);
  }
});
