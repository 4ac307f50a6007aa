/** Moving between engines keeps the file identical. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { ACCOUNT_EXPORTS, importFile } from "../http/account.ts";
import { wholeAccount } from "../support/generated_account.ts";
import { embeddedPlace } from "../support/backup_process.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { ORIGIN } from "../support/world.ts";

const LIFE = { records: 60, attachments: 2, attachmentBytes: 60_000 };

/** Imports and exports in a new service. */
async function movedThrough(
  env: Readonly<Record<string, string>>,
  file: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  await using server = await startServer(env);
  const caller = await server.setUp();
  const imported = await importFile(caller, file.slice());
  assertEquals(imported.status, 200, imported.text);
  // `storage/account_round_trip` has proposals of assistants.
  const absent = Object.entries(imported.body.data.counts)
    .filter(([type, count]) => count === 0 && type !== "assistantProposal");
  assertEquals(absent, [], "The life has no line of some type");
  const step = await caller.call("POST", "/api/v2/auth/step-up", {
    body: { password: "a password that only tests know", purpose: "ACCOUNT_EXPORT" },
  });
  const headers = { "Step-Up-Proof": step.body.data.proof };
  const made = await caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers });
  assertEquals(made.status, 201, made.text);
  const content = await server.app.fetch(
    new Request(`${ORIGIN}${ACCOUNT_EXPORTS}/${made.body.data.exportId}/content`, {
      headers: { Authorization: `Bearer ${caller.secret}` },
    }),
  );
  return await content.bytes();
}

Deno.test("An account with every type of line moves between engines unchanged", async () => {
  const whole = await wholeAccount(20_261_122, LIFE);
  // On PostgreSQL by the test plan.
  await using server = await createInstallation();
  await using first = await embeddedPlace();
  await using second = await embeddedPlace();
  let file = whole;
  for (const { env } of [first, server, second]) {
    file = await movedThrough(env, file);
    assertEquals(new TextDecoder().decode(file), new TextDecoder().decode(whole));
  }
});
