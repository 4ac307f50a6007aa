/** An account that is exported, imported elsewhere and exported again is the same file. */

import { assertEquals } from "@std/assert";
import { exportAccount, giveDemoLife, importFile } from "../http/account.ts";
import { type Caller, createWorld, ENGINE, type World } from "../support/world.ts";
import { fillAccount } from "./whole_account.ts";

/** Asserts that an account that imports another one's file exports the same file. */
async function assertComesBack(world: World, caller: Caller): Promise<void> {
  const first = await exportAccount(world, caller);
  const other = await world.createCaller();
  const imported = await importFile(other, first.bytes.slice());
  assertEquals(imported.status, 200, imported.text);
  assertEquals(imported.body.data.counts, first.description.counts);
  assertEquals(imported.body.data.sha256, first.description.sha256);
  const second = await exportAccount(world, other);
  assertEquals(new TextDecoder().decode(second.bytes), new TextDecoder().decode(first.bytes));
}

Deno.test({
  name: "Sample life comes back to the byte",
  // What an engine could write differently is in the other account.
  ignore: ENGINE === "embedded",
  async fn() {
    await using world = await createWorld();
    const caller = await world.createCaller();
    await giveDemoLife(world, caller);
    await assertComesBack(world, caller);
  },
});

Deno.test("Account with all that a copy could lose comes back to the byte", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await fillAccount(world, caller);
  // Some of its rows have identifiers of the machine's own time.
  world.advance(Math.max(0, Date.now() - world.now().getTime()));
  await assertComesBack(world, caller);
});
