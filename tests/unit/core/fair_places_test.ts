import { assertEquals, assertRejects } from "@std/assert";
import { type FairPlaceLimits, FairPlaces } from "../../../src/core/fair_places.ts";
import { type Holder, runFor } from "../../../src/core/holder.ts";

const ADA: Holder = { accountId: "ada", kind: "SESSION" };
const ADAS_TOKEN: Holder = { accountId: "ada", kind: "TOKEN" };
const BEN: Holder = { accountId: "ben", kind: "SESSION" };

/** With admitted names in order, until ended. */
function openPlaces(limits: FairPlaceLimits) {
  const places = new FairPlaces(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (holder: Holder | null, name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    const work = () => {
      begun.push(name);
      return promise;
    };
    return runFor(holder, () => places.run(work));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { places, begun, run, end };
}

Deno.test("FairPlaces serves accounts, their tokens and the service in turn", async () => {
  const { places, begun, run, end } = openPlaces({ places: 1, perAccount: 1 });
  const all = [
    ...["a1", "a2", "a3"].map((name) => run(ADA, name)),
    ...["t1", "t2"].map((name) => run(ADAS_TOKEN, name)),
    run(BEN, "b1"),
    run(null, "s1"),
  ];
  assertEquals([begun, places.waiting], [["a1"], 6]);
  const expected = ["a1", "a2", "t1", "b1", "s1", "a3", "t2"];
  for (const [index, name] of expected.entries()) {
    assertEquals(begun, expected.slice(0, index + 1));
    await end(name);
  }
  await Promise.all(all);
  assertEquals(places.waiting, 0);
});

Deno.test("FairPlaces leaves others a place, whatever one account holds", async () => {
  const { begun, run, end } = openPlaces({ places: 3, perAccount: 2 });
  const all = [run(ADA, "a1"), run(ADAS_TOKEN, "t1"), run(ADA, "a2"), run(BEN, "b1")];
  assertEquals(begun, ["a1", "t1", "b1"]);
  await end("b1");
  assertEquals(begun, ["a1", "t1", "b1"]);
  await end("t1");
  assertEquals(begun, ["a1", "t1", "b1", "a2"]);
  for (const name of ["a1", "a2"]) await end(name);
  await Promise.all(all);
});

Deno.test("FairPlaces allows the service all places", async () => {
  const { begun, run, end } = openPlaces({ places: 2, perAccount: 1 });
  const all = ["s1", "s2"].map((name) => run(null, name));
  assertEquals(begun, ["s1", "s2"]);
  for (const name of begun) await end(name);
  await Promise.all(all);
});

Deno.test("FairPlaces skips timed-out callers, and frees the place of failed work", async () => {
  const places = new FairPlaces({ places: 1, perAccount: 1 });
  const failing = Promise.withResolvers<void>();
  const first = assertRejects(() => places.run(() => failing.promise), RangeError, "It failed");
  const patience = { milliseconds: 1, lateness: () => new Error("Too late") };
  const late = () => places.run(() => Promise.resolve("never"), patience);
  await assertRejects(late, Error, "Too late");
  const next = places.run(() => Promise.resolve("next"));
  failing.reject(new RangeError("It failed"));
  await first;
  assertEquals([await next, places.waiting], ["next", 0]);
});

Deno.test("FairPlaces counts waiting callers per holder", async () => {
  const { places, run, end } = openPlaces({ places: 1, perAccount: 1 });
  const all = [run(ADA, "a1"), run(ADA, "a2"), run(ADA, "a3"), run(BEN, "b1")];
  const waitingOf = (holder: Holder | null) => runFor(holder, () => places.ownWaiting);
  assertEquals([ADA, BEN, ADAS_TOKEN, null].map(waitingOf), [2, 1, 0, 0]);
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  await Promise.all(all);
  assertEquals([ADA, BEN].map(waitingOf), [0, 0]);
});
