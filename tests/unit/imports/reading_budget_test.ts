/** The budget of reading: bytes held, processor time, turns of other requests, and its end. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type BudgetOptions, ReadingBudget } from "../../../src/imports/reading_budget.ts";
import { FileRefusal } from "../../../src/imports/refusal.ts";

const MEBIBYTE = 1024 * 1024;

/** A budget with a clock that the test moves, and the times of its pauses. */
function clocked(options: Partial<BudgetOptions> = {}) {
  const pauses: number[] = [];
  const clock = { ms: 0 };
  const budget = new ReadingBudget({
    fileBytes: 0,
    processor: () => clock.ms,
    ...options,
    now: () => clock.ms,
    pause: () => {
      pauses.push(clock.ms);
      clock.ms += 1_000;
      return Promise.resolve();
    },
  });
  return { budget, clock, pauses };
}

Deno.test("Budget refuses what is held beyond its bytes, and forgets what is released", () => {
  const { budget } = clocked();
  budget.hold(128 * MEBIBYTE, 1);
  budget.release(2);
  budget.hold(2, 2);
  assertEquals(budget.held, 128 * MEBIBYTE);
  const error = assertThrows(() => budget.hold(1, 7), FileRefusal);
  assertEquals([error.rule, error.place], ["import.budget", 7]);
});

Deno.test("Budget lets other requests run after 10 ms of work, which do not count", async () => {
  const { budget, clock, pauses } = clocked({ processorMs: 30 });
  for (let step = 1; step <= 6; step++) {
    clock.ms += 5;
    await budget.turn(step);
  }
  assertEquals(pauses.length, 3);
  await budget.wait(() => Promise.resolve(clock.ms += 100_000));
  await budget.turn(6);
  clock.ms += 1;
  const error = await assertRejects(() => budget.turn(9), FileRefusal);
  assertEquals([error.rule, error.place], ["import.budget", 9]);
});

Deno.test("Budget has a minute of processor time, and a second for each MiB of the file", async () => {
  const { budget, clock } = clocked({ fileBytes: 3 * MEBIBYTE });
  clock.ms += 63_000;
  await budget.turn(1);
  budget.allowUnpacked(50 * MEBIBYTE);
  clock.ms += 3_000;
  await budget.turn(1);
  clock.ms += 1;
  await assertRejects(() => budget.turn(1), FileRefusal);
});

Deno.test("Budget does not count time in which the machine did other work", async () => {
  const processor = { ms: 500 };
  const { budget, clock } = clocked({ processorMs: 30, processor: () => processor.ms });
  [clock.ms, processor.ms] = [10_000, 530];
  await budget.turn(1);
  processor.ms = 531;
  await assertRejects(() => budget.turn(1), FileRefusal);
});

Deno.test("Budget ends reading with the reason of its signal, also during a pause", async () => {
  const ending = new AbortController();
  const reason = new Error("The process ends");
  const budget = new ReadingBudget({
    fileBytes: 0,
    signal: ending.signal,
    pause: () => Promise.resolve(ending.abort(reason)),
  });
  await budget.turn(1);
  while (!ending.signal.aborted) await budget.turn(1).catch(() => {});
  const error = await assertRejects(() => budget.turn(1));
  assertEquals(error, reason);
});
