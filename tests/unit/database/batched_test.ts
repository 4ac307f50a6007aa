import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { BatchedLookUp } from "../../../src/database/batched.ts";
import { seededRandom } from "../../support/random.ts";

/** Answered by the test. */
interface Query {
  readonly keys: readonly string[];
  readonly at: Date;
  readonly answer: PromiseWithResolvers<ReadonlyMap<string, string>>;
}

/** In order of sending. */
function watchedLookUp(): { readonly lookUp: BatchedLookUp<string>; readonly queries: Query[] } {
  const queries: Query[] = [];
  const lookUp = new BatchedLookUp<string>((keys, at) => {
    const answer = Promise.withResolvers<ReadonlyMap<string, string>>();
    queries.push({ keys, at, answer });
    return answer.promise;
  });
  return { lookUp, queries };
}

/** Values name their query. */
function answer(queries: readonly Query[], index: number): void {
  const query = queryAt(queries, index);
  query.answer.resolve(new Map(query.keys.map((key) => [key, `${key} of ${index}`])));
}

function queryAt(queries: readonly Query[], index: number): Query {
  const query = queries[index];
  if (query === undefined) throw new RangeError(`Only ${queries.length} queries were sent`);
  return query;
}

/** Runs pending callbacks. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

const NOW = new Date("2026-11-20T12:00:00.000Z");

function later(milliseconds: number): Date {
  return new Date(NOW.getTime() + milliseconds);
}

Deno.test("BatchedLookUp queries a single key immediately", async () => {
  const { lookUp, queries } = watchedLookUp();
  const found = lookUp.find("a", NOW);
  assertEquals(queries.map(({ keys, at }) => [keys, at]), [[["a"], NOW]]);
  answer(queries, 0);
  assertEquals(await found, "a of 0");
});

Deno.test("BatchedLookUp returns undefined for a key without a value", async () => {
  const { lookUp, queries } = watchedLookUp();
  const found = lookUp.find("a", NOW);
  queryAt(queries, 0).answer.resolve(new Map([["b", "of another"]]));
  assertStrictEquals(await found, undefined);
});

Deno.test("BatchedLookUp puts keys that arrive during a query into the next one", async () => {
  const { lookUp, queries } = watchedLookUp();
  const first = lookUp.find("a", NOW);
  const others = ["b", "c", "d"].map((key) => lookUp.find(key, NOW));
  await settle();
  assertEquals(queries.map(({ keys }) => keys), [["a"]]);
  answer(queries, 0);
  assertEquals(await first, "a of 0");
  await settle();
  assertEquals(queries.map(({ keys }) => keys), [["a"], ["b", "c", "d"]]);
  answer(queries, 1);
  assertEquals(await Promise.all(others), ["b of 1", "c of 1", "d of 1"]);
});

Deno.test("BatchedLookUp repeats a key whose running query may have read it earlier", async () => {
  const { lookUp, queries } = watchedLookUp();
  const before = lookUp.find("a", NOW);
  const since = [lookUp.find("a", NOW), lookUp.find("a", NOW)];
  answer(queries, 0);
  assertEquals(await before, "a of 0");
  await settle();
  assertEquals(queries.map(({ keys }) => keys), [["a"], ["a"]], "equal keys are asked for once");
  answer(queries, 1);
  assertEquals(await Promise.all(since), ["a of 1", "a of 1"]);
});

Deno.test("BatchedLookUp caches nothing: a found key is queried again", async () => {
  const { lookUp, queries } = watchedLookUp();
  for (let round = 0; round < 3; round++) {
    const found = lookUp.find("a", NOW);
    assertEquals(queries.length, round + 1);
    answer(queries, round);
    assertEquals(await found, `a of ${round}`);
    await settle();
  }
});

Deno.test("BatchedLookUp queries as of the latest time of its callers", async () => {
  const { lookUp, queries } = watchedLookUp();
  const found = [lookUp.find("a", later(50))];
  for (const moment of [20, 30, 10]) found.push(lookUp.find("b", later(moment)));
  answer(queries, 0);
  await settle();
  answer(queries, 1);
  await Promise.all(found);
  assertEquals(queries.map(({ at }) => at), [later(50), later(30)]);
});

Deno.test("BatchedLookUp fails only the callers of the failed query", async () => {
  const { lookUp, queries } = watchedLookUp();
  const find = (...keys: string[]) => Promise.allSettled(keys.map((key) => lookUp.find(key, NOW)));
  const lost = new Error("lost");
  const first = find("a");
  const failing = find("a", "b");
  answer(queries, 0);
  await settle();
  const next = find("a", "c");
  queryAt(queries, 1).answer.reject(lost);
  await settle();
  answer(queries, 2);
  const valued = (...values: string[]) => values.map((value) => ({ status: "fulfilled", value }));
  assertEquals(await first as unknown, valued("a of 0"));
  assertEquals(await failing, [1, 2].map(() => ({ status: "rejected" as const, reason: lost })));
  assertEquals(await next as unknown, valued("a of 2", "c of 2"));
  // Also without waiting callers.
  const lone = find("a");
  queryAt(queries, 3).answer.reject(lost);
  assertEquals((await lone)[0]?.status, "rejected");
  await settle();
  const after = find("b");
  answer(queries, 4);
  assertEquals(await after as unknown, valued("b of 4"));
});

Deno.test("BatchedLookUp continues after a query that could not be sent", async () => {
  let isBroken = true;
  const lookUp = new BatchedLookUp<string>((keys) => {
    if (isBroken) throw new Error("not sent");
    return Promise.resolve(new Map(keys.map((key) => [key, "found"])));
  });
  await assertRejects(() => lookUp.find("a", NOW), Error, "not sent");
  isBroken = false;
  assertEquals(await lookUp.find("a", NOW), "found");
});

/** Expects the first query sent after its call. */
interface Asker {
  readonly key: string;
  readonly at: Date;
  readonly query: number;
  readonly found: Promise<PromiseSettledResult<string | undefined>>;
}

Deno.test("BatchedLookUp serves each caller by the first query sent since, in any mix", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = seededRandom(seed);
    const { lookUp, queries } = watchedLookUp();
    const askers: Asker[] = [];
    const failures = new Map<number, Error>();
    let answered = 0;
    const end = () => {
      if (random.chance(0.2)) {
        const failure = new Error(`query ${answered}`);
        failures.set(answered, failure);
        queryAt(queries, answered).answer.reject(failure);
      } else answer(queries, answered);
      answered++;
    };
    for (let step = 0; step < 40; step++) {
      const isRunning = answered < queries.length;
      if (isRunning && random.chance(0.3)) end();
      else if (random.chance(0.2)) await settle();
      else {
        const [key, at] = [random.pick(["a", "b", "c", "d"]), later(random.integer(0, 1_000))];
        const query = queries.length;
        const found = Promise.allSettled([lookUp.find(key, at)]).then(([outcome]) => outcome);
        askers.push({ key, at, query, found });
      }
    }
    while (answered < queries.length || (await settle(), answered < queries.length)) end();
    await assertServed(askers, queries, failures, `seed ${seed}`);
  }
});

async function assertServed(
  askers: readonly Asker[],
  queries: readonly Query[],
  failures: ReadonlyMap<number, Error>,
  label: string,
): Promise<void> {
  for (const { key, query, found } of askers) {
    const failure = failures.get(query);
    const expected = failure === undefined
      ? { status: "fulfilled", value: `${key} of ${query}` }
      : { status: "rejected", reason: failure };
    assertEquals(await found as unknown, expected, label);
  }
  const wanted = queries.map((_, index) => askers.filter(({ query }) => query === index));
  assertEquals(
    queries.map(({ keys }) => keys),
    wanted.map((batch) => [...new Set(batch.map(({ key }) => key))]),
    label,
  );
  assertEquals(
    queries.map(({ at }) => at.getTime()),
    wanted.map((batch) => Math.max(...batch.map(({ at }) => at.getTime()))),
    label,
  );
}
