import { assertEquals, assertRejects } from "@std/assert";
import { type CallerKind, HashPlaces } from "../../../src/accounts/hash_places.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";

const LIMITS = { atOnce: 2, waiting: 5, strangersWaiting: 3 };

/** Work ended by name; `begun` lists names in order. */
function openPlaces() {
  const places = new HashPlaces(LIMITS);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    /** By default of a new account. */
    run: (name: string, caller: CallerKind, account = name): Promise<void> => {
      const ending = Promise.withResolvers<void>();
      ends.set(name, ending);
      return places.run(caller, account, () => {
        begun.push(name);
        return ending.promise;
      });
    },
    /** Ends work and starts the next. */
    async end(name: string, failure?: Error): Promise<void> {
      if (failure === undefined) ends.get(name)?.resolve();
      else ends.get(name)?.reject(failure);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
  };
}

Deno.test("HashPlaces serves known callers first, each kind in order", async () => {
  const places = openPlaces();
  const work = [
    places.run("s1", "stranger"),
    places.run("s2", "stranger"),
    places.run("s3", "stranger"),
    places.run("k1", "known"),
    places.run("s4", "stranger"),
    places.run("k2", "known"),
  ];
  assertEquals(places.begun, ["s1", "s2"]);
  for (const name of ["s1", "s2", "k1", "k2", "s3", "s4"]) await places.end(name);
  await Promise.all(work);
  assertEquals(places.begun, ["s1", "s2", "k1", "k2", "s3", "s4"]);
});

Deno.test("HashPlaces limits strangers' places, and rejects callers without one", async () => {
  const places = openPlaces();
  const refuse = (name: string, caller: CallerKind) =>
    assertRejects(() => places.run(name, caller), ServiceError, "", `${name} found a place`);
  const work = [1, 2, 3, 4, 5].map((stranger) => places.run(`s${stranger}`, "stranger"));
  await refuse("s6", "stranger");
  work.push(places.run("k1", "known"), places.run("k2", "known"));
  await refuse("k3", "known");
  await refuse("s7", "stranger");
  for (const name of ["s1", "k1", "k2", "s2", "s3", "s4", "s5"]) await places.end(name);
  await Promise.all(work);
});

Deno.test("HashPlaces passes the place of failed work to the next", async () => {
  const places = openPlaces();
  const failing = places.run("s1", "stranger");
  const work = ["s2", "s3"].map((name) => places.run(name, "stranger"));
  const failed = assertRejects(() => failing, RangeError);
  await places.end("s1", new RangeError("failed"));
  await failed;
  assertEquals(places.begun, ["s1", "s2", "s3"]);
  for (const name of ["s2", "s3"]) await places.end(name);
  await Promise.all(work);
  // Both places are free.
  const late = ["k1", "k2"].map((name) => places.run(name, "known"));
  assertEquals(places.begun.slice(-2), ["k1", "k2"]);
  for (const name of ["k1", "k2"]) await places.end(name);
  await Promise.all(late);
});

Deno.test("HashPlaces gives one account one place, and the other place to others", async () => {
  const places = openPlaces();
  const work = ["a1", "a2", "a3"].map((name) => places.run(name, "known", "a"));
  assertEquals(places.begun, ["a1"]);
  work.push(places.run("b1", "stranger", "b"));
  assertEquals(places.begun, ["a1", "b1"]);
  await places.end("b1");
  assertEquals(places.begun, ["a1", "b1"], "its place stays free for other accounts");
  for (const name of ["a1", "a2", "a3"]) await places.end(name);
  await Promise.all(work);
  assertEquals(places.begun, ["a1", "b1", "a2", "a3"]);
});

Deno.test("HashPlaces serves waiting accounts in turn, and strangers before the next turn", async () => {
  const places = openPlaces();
  const work = [
    places.run("a1", "known", "a"),
    places.run("b1", "known", "b"),
    places.run("a2", "known", "a"),
    places.run("a3", "known", "a"),
    places.run("b2", "known", "b"),
    places.run("c1", "stranger", "c"),
    places.run("d1", "known", "d"),
  ];
  for (const name of ["a1", "b1", "d1", "c1", "a2", "b2", "a3"]) await places.end(name);
  await Promise.all(work);
  assertEquals(places.begun, ["a1", "b1", "d1", "c1", "a2", "b2", "a3"]);
});

Deno.test("HashPlaces serves an account's owner before strangers who try its password", async () => {
  const places = openPlaces();
  const work = ["s1", "s2", "s3"].map((name) => places.run(name, "stranger", "a"));
  work.push(places.run("k1", "known", "a"));
  for (const name of ["s1", "k1", "s2", "s3"]) await places.end(name);
  await Promise.all(work);
  assertEquals(places.begun, ["s1", "k1", "s2", "s3"]);
});

for (const caller of ["known", "stranger"] as const) {
  Deno.test(`HashPlaces locks no account out when one has taken all places, by ${caller} callers`, async () => {
    const places = openPlaces();
    const own = Array.from({ length: 10 }, (_, index) => places.run(`a${index}`, caller, "a"));
    const settled = Promise.allSettled(own);
    const others = ["b", "c", "d"].map((name) => places.run(name, "stranger"));
    assertEquals(places.begun, ["a0", "b"]);
    for (const name of ["b", "c", "d"]) await places.end(name);
    await Promise.all(others);
    // It has kept the earliest.
    for (let index = 0; index < 10; index++) await places.end(`a${index}`);
    const kept = (await settled).map(({ status }) => status === "fulfilled");
    assertEquals(kept.lastIndexOf(true) + 1, kept.filter((each) => each).length);
    assertEquals(places.begun.slice(0, 4), ["a0", "b", "c", "d"]);
  });
}
