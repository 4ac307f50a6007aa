import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { waitUpTo, within } from "../../../src/core/deadline.ts";

/** How much a wait may exceed its limit. */
const STEP_MS = 100;

/** Advanced by the test. */
interface ManualTime {
  advance(milliseconds: number): Promise<void>;
  /** The number of pending timers. */
  timers(): number;
}

/** Must end without a timer. */
async function inManualTime(test: (time: ManualTime) => Promise<void>): Promise<void> {
  const { setTimeout } = globalThis;
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  let now = 0;
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  const advance = async (milliseconds: number) => {
    const end = now + milliseconds;
    // Pending callbacks run before timers.
    await settle();
    for (let next = timers[0]; next !== undefined && next.at <= end; next = timers[0]) {
      timers.shift();
      now = next.at;
      next.run();
      await settle();
    }
    now = end;
  };
  performance.now = () => now;
  const setTimer = (run: () => void, delay: number) => timers.push({ at: now + delay, run });
  globalThis.setTimeout = setTimer as unknown as typeof setTimeout;
  try {
    await test({ advance, timers: () => timers.length });
    await advance(2 * STEP_MS);
    assertEquals(timers, [], "Nothing waits, and the timer goes on");
  } finally {
    globalThis.setTimeout = setTimeout;
    Reflect.deleteProperty(performance, "now");
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/** Its state so far. */
function watch(promise: Promise<unknown>): { state: string } {
  const watched = { state: "waits" };
  promise.then((value) => watched.state = `${value}`, (error) => watched.state = error.message);
  return watched;
}

const late = () => new Error("late");

Deno.test("within() returns or throws what arrives in time", () =>
  inManualTime(async ({ advance }) => {
    assertEquals(await within(1, Promise.resolve("value"), late), "value");
    const failure = new Error("failed");
    const thrown = await assertRejects(() => within(1, Promise.reject(failure), late));
    assertStrictEquals(thrown, failure);
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = within(5_000, promise, late);
    await advance(4_999);
    resolve("at last");
    assertEquals(await waiting, "at last");
  }));

Deno.test("within() throws what `lateness` makes when the time is over, and not before", () =>
  inManualTime(async ({ advance }) => {
    for (const milliseconds of [1, 99, 100, 101, 5_000, 30_000]) {
      const waiting = watch(within(milliseconds, never(), late));
      await advance(milliseconds - 1);
      assertEquals(waiting.state, "waits", `${milliseconds}`);
      await advance(1 + STEP_MS);
      assertEquals(waiting.state, "late", `${milliseconds}`);
    }
  }));

Deno.test("within() works again after an idle time", () =>
  inManualTime(async ({ advance, timers }) => {
    for (let round = 0; round < 3; round++) {
      const waiting = watch(within(50, never(), late));
      await advance(10 * STEP_MS);
      assertEquals([waiting.state, timers()], ["late", 0], `round ${round}`);
    }
  }));

Deno.test("within() makes one lateness per late promise", () =>
  inManualTime(async ({ advance, timers }) => {
    const made: number[] = [];
    const waits = Array.from({ length: 200 }, (_, index) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const allowed = 37 * (index % 20) + 1;
      const waiting = within(allowed, promise, () => {
        made.push(index);
        return late();
      });
      return { index, resolve, isAnswered: index % 3 === 0, waiting };
    });
    const watched = waits.map(({ waiting }) => watch(waiting));
    assertEquals(timers(), 1, "one timer looks after all of them");
    for (const { isAnswered, resolve } of waits) if (isAnswered) resolve("in time");
    await advance(3_000);
    assertEquals(
      watched.map(({ state }) => state),
      waits.map(({ isAnswered }) => isAnswered ? "in time" : "late"),
    );
    const expected = waits.filter(({ isAnswered }) => !isAnswered).map(({ index }) => index);
    assertEquals(made.sort((a, b) => a - b), expected);
  }));

Deno.test("within() ignores the result of a late promise", () =>
  inManualTime(async ({ advance }) => {
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = watch(within(1, promise, late));
    await advance(STEP_MS);
    // The promise is no longer awaited, and its failure must not end the process.
    reject(new Error("failed at last"));
    await advance(STEP_MS);
    assertEquals(waiting.state, "late");
  }));

Deno.test("waitUpTo() returns or throws what arrives in time, and leaves no timer", async () => {
  assertEquals(await waitUpTo(60_000, Promise.resolve("value")), "value");
  await assertRejects(() => waitUpTo(60_000, Promise.reject(late())), Error, "late");
});

Deno.test("waitUpTo() returns null for a late promise, whatever its result", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  assertEquals(await waitUpTo(1, promise), null);
  reject(new Error("failed at last"));
  assertEquals(await waitUpTo(1, never()), null);
});
