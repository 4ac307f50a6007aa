/** Meeting requests: the first is held after its write while the second waits for it. */

import { assert } from "@std/assert";
import { type HeldDatabase, holdAfterWrite } from "../http/held_database.ts";
import { waitForBlocked } from "../storage/held.ts";
import type { Database } from "../../src/database/database.ts";
import { type Caller, callerOf, ENGINE, type TestResponse, type World } from "../support/world.ts";

export type Ending = "committed" | "killed";

/** The embedded engine cannot kill one session. */
export const ENDINGS: readonly Ending[] = ENGINE === "postgres"
  ? ["committed", "killed"]
  : ["committed"];

/** Signed in at both. */
export async function twoProcesses(world: World): Promise<[Caller, Caller]> {
  const caller = await world.createCaller();
  return [caller, callerOf(world.again(), caller)];
}

export type Request = (caller: Caller) => Promise<TestResponse>;

/**
 * Holds the first request after its write, sends the second, and ends the first once the second
 * waits. A killed request must fail and leave nothing.
 *
 * @param hold The point at which the first request is held.
 * @returns both responses.
 */
export async function race(
  world: World,
  caller: Caller,
  [first, second]: readonly [Request, Request],
  ending: Ending = "committed",
  hold: (database: Database) => HeldDatabase = holdAfterWrite,
): Promise<readonly [TestResponse, TestResponse]> {
  const held = hold(world.database);
  const slow = first(callerOf(world.again({ database: held.database }), caller));
  await held.reached;
  const waiting = second(caller);
  // The embedded engine runs one transaction at a time: the second has not begun.
  if (ENGINE === "postgres") await waitForBlocked(world, 1);
  if (ending === "killed") await killIdleTransaction(world);
  held.letGo();
  const responses = await Promise.all([slow, waiting]);
  if (ending === "killed") assert(responses[0].status >= 500, responses[0].text);
  return responses;
}

/** Kills the only idle transaction. */
async function killIdleTransaction(world: World): Promise<void> {
  const killed = await world.rows(`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'`);
  assert(killed.length === 1, `${killed.length} sessions were killed`);
}
