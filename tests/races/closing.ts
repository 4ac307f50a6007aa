/** Closing an account or service to writes during writes. */

import { assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { writingInTransactions } from "../support/single_writes.ts";
import type { Caller, TestResponse, World } from "../support/world.ts";
import { twoProcesses } from "./holding.ts";

const ROUNDS = 3;
const WRITES = 40;

/** How to close and reopen. */
export interface Closing {
  readonly close: (world: World, caller: Caller) => Promise<unknown>;
  readonly open: (world: World, caller: Caller) => Promise<unknown>;
  readonly assertRefused: (response: TestResponse) => void;
}

/** No write of two processes commits after closing has returned. */
export async function assertNoneCommitsBehind(
  world: World,
  { close, open, assertRefused }: Closing,
): Promise<void> {
  const processes = await twoProcesses(world);
  const [caller] = processes;
  const count = async () => {
    const [{ rows }] = await world.rows("select count(*)::integer as rows from record_revisions");
    return rows as number;
  };
  for (let round = 1; round <= ROUNDS; round++) {
    const before = await count();
    const writes = Array.from(
      { length: WRITES },
      (_, index) =>
        (processes[index % 2] ?? caller).call("POST", COMMITMENTS, {
          key: `${round}-${index}`,
          body: { title: "A", payload: COMMITMENT },
        }),
    );
    await Promise.any(writes);
    await close(world, caller);
    const closed = await count();
    const answers = await Promise.all(writes);
    assertEquals(await count(), closed);
    const made = answers.filter(({ status }) => status === 201);
    assertEquals(made.length, closed - before);
    for (const response of answers.filter(({ status }) => status !== 201)) assertRefused(response);
    await open(world, caller);
  }
}

/** Waits one millisecond for locks. */
export function impatient(real: Database): Database {
  return writingInTransactions({
    ...real,
    transaction: (use) =>
      real.transaction(async (tx) => {
        await tx.sql`set local lock_timeout = '1ms'`;
        return await use(tx);
      }),
  });
}
