/** Maintenance and seeding as commands, with and without a server. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { QUESTION_BANK } from "../../src/operator/seed/question_bank.ts";
import { STARTER_CATEGORIES, STARTER_TAGS } from "../../src/operator/seed/starter_taxonomy.ts";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { runTask } from "../support/task_process.ts";

/** Made by set-up. */
const OWNER = ["--owner", "owner@example.org"];

/** Returns exit code and output. */
async function run({ env }: Installation, task: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runTask(env, task, words);
  return `${code} ${stdout}${stderr}`;
}

const THINGS = QUESTION_BANK.length + STARTER_TAGS.length + STARTER_CATEGORIES.length;
const GIVEN = `0 Added ${THINGS} items to the account\n`;
const PRESENT = `0 Nothing was changed: all ${THINGS} items already existed\n`;
const PAUSED = "1 Writing is paused for maintenance\n";

Deno.test("Maintenance command freezes a running server and seeding until it is switched off", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  const caller = await server.setUp();
  const create = (key: string) =>
    caller.call("POST", COMMITMENTS, { key, body: { title: "A", payload: COMMITMENT } });
  assertMatch(await run(place, "admin", "maintenance", "on"), /^0 Maintenance is on;/);
  assertMatch(await run(place, "admin", "maintenance", "status"), /^0 Maintenance is on:/);
  const { status, body } = await create("k");
  assertEquals([status, body.error.code], [503, "SYSTEM_MAINTENANCE"]);
  for (const task of ["seed:catalog", "seed:demo"]) {
    assertEquals(await run(place, task, ...OWNER), PAUSED);
  }
  assertMatch(await run(place, "admin", "maintenance", "off"), /^0 Maintenance is off;/);
  assertEquals((await create("k")).status, 201);
});

Deno.test("Seeding next to a running server is visible at its next request, with files", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  const caller = await server.setUp();
  assertMatch(await run(place, "seed:demo", ...OWNER), /^0 Added \d+ items to the account\n$/);
  assertMatch(await run(place, "seed:catalog", ...OWNER), /^0 Added \d+ items to the account\n$/);
  const { data } = (await caller.call("GET", "/api/v2/records/media")).body;
  assert(data.items.length > 0);
  for (const { payload: { fileId } } of data.items) {
    const content = await caller.call("GET", `/api/v2/attachments/${fileId}/content`);
    assertEquals(content.status, 200);
    assert(content.text.length > 0);
  }
});

Deno.test("Seeding without a server opens the database itself, and repeats nothing", async () => {
  await using place = await createInstallation();
  {
    await using server = await startServer(place.env);
    await server.setUp();
    server.kill("SIGTERM");
    await server.ended;
  }
  assertEquals(await run(place, "seed:catalog", ...OWNER), GIVEN);
  assertEquals(await run(place, "seed:catalog", ...OWNER), PRESENT);
  assertEquals(
    await run(place, "seed:demo", ...OWNER),
    "1 The account already has records or a profile: a sample life would mix with them\n",
  );
  const [{ records }] = await place.rows("select count(*)::int as records from records");
  assertEquals(records, THINGS);
  const stranger = await run(place, "seed:catalog", "--owner", "nobody@example.org");
  assertEquals(stranger, "1 No account has this email\n");
  assertMatch(await run(place, "seed:catalog"), /^2 Missing or not valid: --owner\n/);
});
