/** Permission to import, the limit of one import at a time, and the expiry of unused files. */

import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { assertFailure } from "./kernel.ts";
import { setMaintenance } from "../../src/command/maintenance.ts";
import { makeToken } from "../support/tokens.ts";
import { waitUntil } from "../support/wait.ts";
import { callerOf, createWorld, fileWorld, type Json } from "../support/world.ts";
import {
  act,
  imported,
  IMPORTS,
  itemsFile,
  memoryItem,
  planned,
  ran,
  settled,
  upload,
} from "./imports.ts";
import { exportAccount, importFile } from "./account.ts";

const shared = fileWorld();

Deno.test("Viewers import nothing, editors do, and tokens need what their items need", async () => {
  const world = shared();
  const viewer = await world.createCaller("VIEWER");
  assertFailure(await upload(viewer, "csv", "a\n", { name: "n" }), "FORBIDDEN");
  assertFailure(await viewer.call("GET", IMPORTS), "FORBIDDEN");
  const editor = await world.createCaller("EDITOR");
  const file = itemsFile([memoryItem("a", { tags: ["One"] })]);
  assertEquals((await imported(editor, "prs-items", file)).state, "DONE");
  const owner = await world.createCaller();
  const plan = await planned(owner, "prs-items", file);
  const tokenOf = async (permissions: readonly string[]) => {
    const { token } = await makeToken(world, owner, { permissions });
    return callerOf(world.app, { ...owner, secret: token });
  };
  const held = ["import.write", "memory.write"];
  const token = await tokenOf(held);
  assertFailure(await act(token, plan.importId, "run", { plan: plan.plan }), "FORBIDDEN");
  assertFailure(await act(token, plan.importId, "withdraw"), "FORBIDDEN");
  const whole = await tokenOf([...held, "taxonomy.write"]);
  assertEquals((await act(whole, plan.importId, "run", { plan: plan.plan })).status, 202);
  assertEquals((await settled(owner, plan.importId)).state, "DONE");
});

Deno.test("Account has one import at work, and planned ones do not count", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const first = await planned(caller, "prs-items", itemsFile([memoryItem("a")]));
  const second = await planned(caller, "prs-items", itemsFile([memoryItem("b")], "other"));
  await world.raw(`update imports set state = 'RUNNING' where import_id = '${first.importId}'`);
  for (
    const response of [
      await upload(caller, "csv", "a\n", { name: "n" }),
      await act(caller, second.importId, "run", { plan: second.plan }),
    ]
  ) {
    assertFailure(response, "HTTP_429");
    assertEquals(response.headers.get("Retry-After"), "5");
  }
  const stopped = await act(caller, first.importId, "stop");
  assertEquals([stopped.status, stopped.body.data.state], [202, "STOPPED"]);
  const again = await act(caller, first.importId, "stop");
  assertEquals(assertFailure(again, "IMPORT_STATE_CONFLICT"), { rules: ["import.state"] });
  assertEquals((await ran(caller, first)).done, 1);
  assertEquals((await ran(caller, second)).done, 1);
});

Deno.test("Run waits for the end of the maintenance window, and stop answers in it", async () => {
  await using world = await createWorld();
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  const waiting = await planned(caller, "prs-items", itemsFile([memoryItem("a")]));
  const stopped = await planned(other, "prs-items", itemsFile([memoryItem("b")]));
  await setMaintenance(world.database, true);
  await world.raw("update imports set state = 'RUNNING'");
  // The answer wakes the worker, which finds the other import.
  assertEquals((await act(other, stopped.importId, "stop")).body.data.state, "STOPPED");
  await waitUntil("the worker has looked at the import", () => {
    return world.log.some((line) => JSON.stringify(line).includes("import_work_failed"));
  });
  const path = `${IMPORTS}/${waiting.importId}`;
  const { state, done } = (await caller.call("GET", path)).body.data;
  assertEquals([state, done], ["RUNNING", 0]);
  await setMaintenance(world.database, false);
  assertEquals((await settled(caller, waiting.importId)).counts.memory.new, 1);
});

Deno.test("File is there for a day, and then the import is over", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const plan = await planned(caller, "prs-items", itemsFile([memoryItem("a")]));
  const note = await planned(caller, "markdown", "A note", { name: "n" });
  world.advance(DAY_MS);
  const run = await act(caller, plan.importId, "run", { plan: plan.plan });
  assertEquals(assertFailure(run, "IMPORT_STATE_CONFLICT"), { rules: ["import.expired"] });
  const path = `${IMPORTS}/${note.importId}/mapping`;
  const mapping = await caller.call("PUT", path, { body: {} });
  assertEquals(assertFailure(mapping, "IMPORT_STATE_CONFLICT"), { rules: ["import.expired"] });
});

Deno.test("Account that came from its file knows what it has imported", async () => {
  await using world = await createWorld();
  const [one, other] = [await world.createCaller(), await world.createCaller()];
  const file = itemsFile([memoryItem("a", { tags: ["One"] }), memoryItem("b")]);
  const { importId } = await imported(one, "prs-items", file);
  const { bytes } = await exportAccount(world, one);
  await planned(other, "csv", "a\n", { name: "waits" });
  const moved = await importFile(other, bytes as BodyInit);
  assertEquals(moved.status, 200, moved.text);
  assertEquals((await exportAccount(world, other)).bytes, bytes);
  const again = await imported(other, "prs-items", file);
  assertEquals(again.counts.memory, { new: 0, unchanged: 2, changed: 0, refused: 0 });
  const report = await other.call("GET", `${IMPORTS}/${importId}/items`);
  assertEquals(report.body.data.items.map(({ outcome }: Json) => outcome), ["NEW", "NEW"]);
});
