/** Requests that meet: the first is held behind its write while the second waits for it. */

import { assert } from "@std/assert";
import { type HeldDatabase, holdAfterWrite } from "../http/held_database.ts";
import { waitForBlocked } from "../storage/held.ts";
import type { Database } from "../../src/database/database.ts";
import { type Caller, callerOf, ENGINE, type TestResponse, type World } from "../support/world.ts";

/** How the first request ends. */
export type Ending = "committed" | "killed";

/** How a first request can end: on the embedded engine a session cannot be killed alone. */
export const ENDINGS: readonly Ending[] = ENGINE === "postgres"
  ? ["committed", "killed"]
  : ["committed"];

/** Creates a caller who is signed in at two processes. */
export async function twoProcesses(world: World): Promise<[Caller, Caller]> {
  const caller = await world.createCaller();
  return [caller, callerOf(world.again(), caller)];
}

/** Sends a request as a caller. */
export type Request = (caller: Caller) => Promise<TestResponse>;

/**
 * Sends the first request, holds it behind its write, sends the second one, and ends the first one once
 * the second waits for it. A request whose session is killed must fail, and leave nothing.
 *
 * @param hold Where the first request is held.
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
  // The embedded engine runs one transaction at a time: the second one has not begun.
  if (ENGINE === "postgres") await waitForBlocked(world, 1);
  if (ending === "killed") await killIdleTransaction(world);
  held.letGo();
  const responses = await Promise.all([slow, waiting]);
  if (ending === "killed") assert(responses[0].status >= 500, responses[0].text);
  return responses;
}

/** Ends the session of the one transaction that waits for its next statement. */
async function killIdleTransaction(world: World): Promise<void> {
  const killed = await world.rows(`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'`);
  assert(killed.length === 1, `${killed.length} sessions were killed`);
}
