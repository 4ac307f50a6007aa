/** Maintenance and seeding as commands next to a server. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { createInstallation } from "../support/installation.ts";
import { OWNER } from "../support/owner.ts";
import { runAdmin } from "../support/admin_process.ts";
import { type Ended, startServer } from "../support/server_process.ts";
import { runTask } from "../support/task_process.ts";
import { callerOf } from "../support/world.ts";

Deno.test("Maintenance freezes a running server and seeding, which then is visible at once, with files", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  await using server = await startServer(place.env);
  const caller = callerOf(server.app, owner);
  const textOf = ({ code, stdout, stderr }: Ended) => `${code} ${stdout}${stderr}`;
  const seed = async (task: string) =>
    textOf(await runTask(place.env, task, ["--owner", OWNER.email]));
  const pause = async (word: string) => textOf(await runAdmin(place.env, ["maintenance", word]));
  const create = (key: string) =>
    caller.call("POST", COMMITMENTS, { key, body: { title: "A", payload: COMMITMENT } });
  assertMatch(await pause("on"), /^0 Maintenance is on;/);
  const { status, body } = await create("k");
  assertEquals([status, body.error.code], [503, "SYSTEM_MAINTENANCE"]);
  const paused = await seed("seed:catalog");
  assertEquals(paused, "1 Writing is paused for maintenance\n");
  assertMatch(await pause("off"), /^0 Maintenance is off;/);

  const seeded = await seed("seed:demo");
  assertMatch(seeded, /^0 Added \d+ items to the account\n$/);
  assertEquals((await create("k")).status, 201);
  const { data } = (await caller.call("GET", "/api/v2/records/media")).body;
  assert(data.items.length > 0);
  const [{ payload: { fileId } }] = data.items;
  const content = await caller.call("GET", `/api/v2/attachments/${fileId}/content`);
  assertEquals([content.status, content.text.length > 0], [200, true]);
});
