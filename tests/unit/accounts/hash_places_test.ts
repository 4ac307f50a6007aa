import { assertEquals, assertRejects } from "@std/assert";
import { type Caller, HashPlaces } from "../../../src/accounts/hash_places.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";

const LIMITS = { atOnce: 2, waiting: 5, strangersWaiting: 3 };

/** Work that a test begins, and ends by name; `begun` has the names in the order of their beginning. */
function openPlaces() {
  const places = new HashPlaces(LIMITS);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    run: (name: string, caller: Caller): Promise<void> => {
      const ending = Promise.withResolvers<void>();
      ends.set(name, ending);
      return places.run(caller, () => {
        begun.push(name);
        return ending.promise;
      });
    },
    /** Ends work, and lets what follows begin. */
    async end(name: string, failure?: Error): Promise<void> {
      if (failure === undefined) ends.get(name)?.resolve();
      else ends.get(name)?.reject(failure);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
  };
}

Deno.test("HashPlaces lets known callers go first, and each kind in its order", async () => {
  const places = openPlaces();
  const work = [
    ...[places.run("s1", "stranger"), places.run("s2", "stranger"), places.run("s3", "stranger")],
    ...[places.run("k1", "known"), places.run("s4", "stranger"), places.run("k2", "known")],
  ];
  assertEquals(places.begun, ["s1", "s2"]);
  for (const name of ["s1", "s2", "k1", "k2", "s3", "s4"]) await places.end(name);
  await Promise.all(work);
  assertEquals(places.begun, ["s1", "s2", "k1", "k2", "s3", "s4"]);
});

Deno.test("HashPlaces keeps places from strangers, and turns anyone away who finds none", async () => {
  const places = openPlaces();
  const refuse = (name: string, caller: Caller) =>
    assertRejects(() => places.run(name, caller), ServiceError, "", `${name} found a place`);
  const work = [1, 2, 3, 4, 5].map((stranger) => places.run(`s${stranger}`, "stranger"));
  await refuse("s6", "stranger");
  work.push(places.run("k1", "known"), places.run("k2", "known"));
  await refuse("k3", "known");
  await refuse("s7", "stranger");
  for (const name of ["s1", "k1", "k2", "s2", "s3", "s4", "s5"]) await places.end(name);
  await Promise.all(work);
});

Deno.test("HashPlaces gives the place of work that fails to the next", async () => {
  const places = openPlaces();
  const failing = places.run("s1", "stranger");
  const work = ["s2", "s3"].map((name) => places.run(name, "stranger"));
  const failed = assertRejects(() => failing, RangeError);
  await places.end("s1", new RangeError("failed"));
  await failed;
  assertEquals(places.begun, ["s1", "s2", "s3"]);
  for (const name of ["s2", "s3"]) await places.end(name);
  await Promise.all(work);
  // Both places are free again.
  const late = ["k1", "k2"].map((name) => places.run(name, "known"));
  assertEquals(places.begun.slice(-2), ["k1", "k2"]);
  for (const name of ["k1", "k2"]) await places.end(name);
  await Promise.all(late);
});
