// engines: postgres
/**
 * Export, import and export give identical files; `engines_test.ts` has a generated life on both
 * engines.
 */

import { assertEquals } from "@std/assert";
import { exportAccount, importFile } from "../http/account.ts";
import { type Caller, createWorld, type World } from "../support/world.ts";
import { fillAccount } from "./whole_account.ts";

/** Asserts that both exports are identical. */
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

Deno.test("Account with everything that a copy could lose is restored to the byte", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await fillAccount(world, caller);
  // Some ids use the machine's time.
  world.advance(Math.max(0, Date.now() - world.now().getTime()));
  await assertComesBack(world, caller);
});
