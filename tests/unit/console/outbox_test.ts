/// <reference types="../../../src/console/web/logic/types.d.ts" />

import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError } from "../../../src/console/web/core/base/api.js";
import {
  isOutcomeUnknown,
  MAX_CHARACTERS,
  MAX_ENTRIES,
  Outbox,
  pathOf,
} from "../../../src/console/web/core/browser_outbox/outbox.js";
import { DAY_MS } from "../../../src/core/clock.ts";
import { memoryStorage, oneAtATime } from "../../support/outbox.ts";
import { seededRandom } from "../../support/random.ts";

function write(name: string): Write {
  const place = { method: "POST", path: "/api/v2/records/commitment", page: "/", brief: false };
  return { key: name, body: { title: name }, ...place };
}

/** The test answers for the service. */
function createOutbox(
  send: (write: QueuedWrite) => Promise<{ data: unknown }>,
  { storage = memoryStorage(), lock = oneAtATime() } = {},
) {
  const time = { now: 1_000_000 };
  const results: QueuedWrite[] = [];
  const outbox = new Outbox({
    storage,
    lock,
    send,
    clock: () => time.now,
    onResult: (entry) => results.push(entry),
  });
  return { outbox, time, results };
}

const failure = (status: number, code: string, retryAfter: number | null = null) =>
  new ApiError(code, { status, retryAfter });

Deno.test("With any failures each write happens once, in order", async () => {
  const random = seededRandom(31);
  for (let round = 0; round < 200; round++) {
    const [storage, lock] = [memoryStorage(), oneAtATime()];
    const done: string[] = [];
    const answer = ({ key }: Write) => {
      const fault = random.pick(["none", "before", "after", "busy", "broken", "signed out"]);
      if (fault === "before") throw failure(0, "NETWORK_ERROR");
      if (fault === "busy") throw failure(503, "HTTP_503", random.integer(0, 3));
      if (fault === "signed out") throw failure(401, "AUTH_REQUIRED");
      if (!done.includes(key)) done.push(key);
      if (fault === "after") throw failure(0, "NETWORK_ERROR");
      if (fault === "broken") throw failure(201, "INTERNAL_ERROR");
      return Promise.resolve({ data: {} });
    };
    const send = (one: Write) => Promise.resolve().then(() => answer(one));
    // Two tabs over one storage, reopened at times.
    const tabs = [0, 1].map(() => createOutbox(send, { storage, lock }));
    const names = [..."abcdef"];
    for (const name of names) {
      const tab = random.integer(0, 1);
      if (random.chance(0.2)) tabs[tab] = createOutbox(send, { storage, lock });
      assert(await tabs[tab]?.outbox.add(write(name)));
      if (random.chance(0.5)) await Promise.all(tabs.map(({ outbox }) => outbox.flush()));
    }
    for (let tries = 0; (await tabs[0]?.outbox.list())?.length !== 0; tries++) {
      assert(tries < 1_000);
      const tab = random.pick(tabs);
      tab.time.now += 4_000;
      await tab.outbox.flush();
    }
    assertEquals(done, names);
  }
});

Deno.test("A rejected write stays, with its code, and blocks no other", async () => {
  const sent: string[] = [];
  const { outbox, results } = createOutbox(({ key }) => {
    sent.push(key);
    return key === "b"
      ? Promise.reject(failure(409, "REVISION_CONFLICT"))
      : Promise.resolve({ data: {} });
  });
  for (const name of [..."abc"]) await outbox.add(write(name));
  assertEquals(await outbox.flush(), null);
  await outbox.flush();
  assertEquals(sent, [..."abc"]);
  assertEquals(results.map(({ key, refused }) => [key, refused]), [
    ["a", null],
    ["b", "REVISION_CONFLICT"],
    ["c", null],
  ]);
  const [kept, ...others] = await outbox.list();
  assertEquals([kept?.key, kept?.refused, others], ["b", "REVISION_CONFLICT", []]);
  // Added again it is sent; removed it is gone.
  await outbox.add(write("b"));
  assertEquals((await outbox.list()).map(({ refused }) => refused), [null]);
  await outbox.remove("b");
  assertEquals(await outbox.list(), []);
});

Deno.test("A write that follows another one is sent only if that was accepted", async () => {
  const sent: string[] = [];
  const { outbox } = createOutbox(({ key }) => {
    sent.push(key);
    return key === "refused"
      ? Promise.reject(failure(400, "PAYLOAD_INVALID"))
      : Promise.resolve({ data: {} });
  });
  for (const name of ["refused", "accepted"]) {
    await outbox.add({ ...write(name), next: write(`after ${name}`) });
  }
  await outbox.flush();
  assertEquals(sent, ["refused", "accepted", "after accepted"]);
});

const LINE = { title: "Anna", words: "Anna 0170 1234567" };

Deno.test("The writes of a line follow each other, before those of later lines", async () => {
  const sent: string[] = [];
  const { outbox, results } = createOutbox((entry) => {
    sent.push(pathOf(entry));
    return Promise.resolve({ data: { id: `of ${entry.key}` } });
  });
  const part = (answer: number) => [`/${answer}/`, { answer, member: "id" }];
  const third = { ...write("c"), path: part(0), line: LINE };
  const second = { ...write("b"), path: part(0), line: LINE, next: third };
  await outbox.add({ ...write("a"), path: "/a", line: LINE, next: second });
  await outbox.add({ ...write("d"), path: "/d", line: LINE });
  await outbox.flush();
  assertEquals(sent, ["/a", "/0/of%20a", "/0/of%20a", "/d"]);
  assertEquals(results.map(({ key }) => key), [..."abcd"]);
  assertEquals(results[2]?.answers, [{ id: "of a" }, { id: "of b" }]);
});

Deno.test("Only lines store answers, which other writes may not keep", async () => {
  const { outbox } = createOutbox(({ key }) =>
    key === "after"
      ? Promise.reject(failure(0, "NETWORK_ERROR"))
      : Promise.resolve({ data: { secret: true } })
  );
  await outbox.add({ ...write("a"), next: write("after") });
  await outbox.flush();
  assertEquals((await outbox.list()).map(({ key, answers }) => [key, answers]), [
    ["after", undefined],
  ]);
});

Deno.test("The second write of a line is kept over a reload, or refused without room", async () => {
  const storage = memoryStorage();
  let error: ApiError | null = failure(0, "NETWORK_ERROR");
  const send = (entry: QueuedWrite) =>
    error !== null && entry.key === "b"
      ? Promise.reject(error)
      : Promise.resolve({ data: { id: pathOf(entry) } });
  const line = {
    ...write("a"),
    path: "/a",
    line: LINE,
    next: { ...write("b"), path: [{ answer: 0, member: "id" }], line: LINE },
  };
  const before = createOutbox(send, { storage });
  await before.outbox.add(line);
  await before.outbox.flush();
  error = null;
  const after = createOutbox(send, { storage });
  await after.outbox.flush();
  assertEquals(after.results.map(({ key, answers }) => [key, answers]), [["b", [{ id: "/a" }]]]);

  const put = storage.put;
  const full = createOutbox(send, { storage });
  await full.outbox.add(line);
  storage.put = () => {
    throw new DOMException("", "QuotaExceededError");
  };
  await full.outbox.flush();
  storage.put = put;
  assertEquals(full.results.map(({ key, refused }) => [key, refused]), [
    ["a", null],
    ["b", "NO_ROOM"],
  ]);
});

Deno.test("A refusal that there is no room to store stops no other write", async () => {
  const storage = memoryStorage();
  const put = (entry: QueuedWrite) => {
    if (entry.refused !== null) throw new Error("No room");
    return storage.put(entry);
  };
  const send = ({ key }: Write) =>
    key === "refused"
      ? Promise.reject(failure(409, "TITLE_IN_USE"))
      : Promise.resolve({ data: {} });
  const { outbox, results } = createOutbox(send, { storage: { ...storage, put } });
  for (const name of ["refused", "accepted"]) assert(await outbox.add(write(name)));
  assertEquals(await outbox.flush(), null);
  assertEquals(results.map(({ key, refused }) => [key, refused]), [
    ["refused", "TITLE_IN_USE"],
    ["accepted", null],
  ]);
  assertEquals((await outbox.list()).map(({ key }) => key), ["refused"]);
});

Deno.test("A write that the service fails to answer is repeated, then refused", async () => {
  const sent: string[] = [];
  const { outbox, time, results } = createOutbox(({ key }) => {
    sent.push(key);
    return key === "broken"
      ? Promise.reject(failure(500, "INTERNAL_ERROR"))
      : Promise.resolve({ data: {} });
  });
  for (const name of ["broken", "a"]) await outbox.add(write(name));
  for (let at = await outbox.flush(); at !== null; at = await outbox.flush()) time.now = at;
  assertEquals(sent, [...Array(6).fill("broken"), "a"]);
  assertEquals(results.map(({ key, refused }) => [key, refused]), [
    ["broken", "INTERNAL_ERROR"],
    ["a", null],
  ]);
});

Deno.test("The maintenance window completes no write, and only lines wait for its end", async () => {
  const maintenance = failure(503, "SYSTEM_MAINTENANCE", 30);
  assert(!isOutcomeUnknown(maintenance));
  const { outbox, time, results } = createOutbox(() => Promise.reject(maintenance));
  await outbox.add({ ...write("line"), line: LINE });
  assertEquals(await outbox.flush(), time.now + 30_000);
  await outbox.remove("line");
  time.now += 30_000;
  await outbox.add(write("a"));
  assertEquals(await outbox.flush(), null);
  assertEquals(results.map(({ refused }) => refused), ["SYSTEM_MAINTENANCE"]);
  assertEquals((await outbox.list()).map(({ refused }) => refused), ["SYSTEM_MAINTENANCE"]);
});

Deno.test("Only writes with an unknown outcome are queued", () => {
  const open = [[0, "NETWORK_ERROR"], [201, "INTERNAL_ERROR"], [409, "IDEMPOTENCY_IN_PROGRESS"]];
  const away = [[408, "HTTP_408"], [429, "HTTP_429"], [502, "INTERNAL_ERROR"], [503, "HTTP_503"]];
  for (const [status, code] of [...open, ...away]) {
    assert(isOutcomeUnknown(failure(Number(status), String(code))), String(code));
  }
  const settled = [[400, "PAYLOAD_INVALID"], [401, "AUTH_REQUIRED"], [409, "REVISION_CONFLICT"]];
  for (const [status, code] of [...settled, [409, "HTTP_409"], [500, "INTERNAL_ERROR"]]) {
    assert(!isOutcomeUnknown(failure(Number(status), String(code))), String(code));
  }
  assert(!isOutcomeUnknown(new TypeError("a mistake of the caller")));
});

Deno.test("The wait grows after each failure, and respects Retry-After", async () => {
  let error = failure(0, "NETWORK_ERROR");
  let tries = 0;
  const { outbox, time } = createOutbox(() => {
    tries++;
    return Promise.reject(error);
  });
  await outbox.add(write("a"));
  const waits = [];
  for (let count = 0; count < 12; count++) {
    waits.push((await outbox.flush() ?? 0) - time.now);
    time.now += waits.at(-1) ?? 0;
  }
  assertEquals(waits.slice(0, 4), [1_000, 2_000, 4_000, 8_000]);
  assertEquals(waits.at(-1), 300_000);
  error = failure(429, "HTTP_429", 900);
  const until = await outbox.flush();
  assertEquals(until, time.now + 900_000);
  tries = 0;
  // A returning network does not shorten the service's wait.
  assertEquals(await outbox.flush(), until);
  assertEquals(tries, 0);
  error = failure(503, "HTTP_503", 1e9);
  time.now = until ?? 0;
  assertEquals(await outbox.flush(), time.now + 3_600_000);
});

Deno.test("Without a session everything waits for a sign-in", async () => {
  let error: ApiError | null = failure(401, "AUTH_REQUIRED");
  const { outbox } = createOutbox(() =>
    error === null ? Promise.resolve({ data: {} }) : Promise.reject(error)
  );
  await outbox.add(write("a"));
  assertEquals(await outbox.flush(), null);
  assertEquals([(await outbox.list()).length, outbox.isSignedOut], [1, true]);
  error = null;
  await outbox.flush();
  assertEquals([await outbox.list(), outbox.isSignedOut], [[], false]);
});

Deno.test("A write removed or replaced while it is sent is not lost to the response", async () => {
  for (const isRemoved of [true, false]) {
    const sent = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let count = 0;
    const { outbox, time, results } = createOutbox(async () => {
      sent.resolve();
      if (++count === 1) await answered.promise;
      else throw failure(0, "NETWORK_ERROR");
      return { data: {} };
    });
    await outbox.add(write("a"));
    const flushed = outbox.flush();
    await sent.promise;
    time.now++;
    if (isRemoved) await outbox.remove("a");
    else await outbox.add(write("a"));
    answered.resolve();
    await flushed;
    assertEquals((await outbox.list()).length, isRemoved ? 0 : 1);
    assertEquals(results.length, 0);
  }
});

Deno.test("No key is sent with two bodies", async () => {
  const bodies: unknown[] = [];
  const { outbox } = createOutbox(({ body }) => {
    bodies.push(body);
    return Promise.reject(failure(409, "REVISION_CONFLICT"));
  });
  await outbox.add(write("a"));
  const other = { ...write("a"), body: { title: "more" } };
  const refusal = await assertRejects(() => outbox.add(other), ApiError);
  assertEquals(refusal.code, "IDEMPOTENCY_KEY_REUSED");
  // Also if the first was rejected and waits for a person.
  await outbox.flush();
  await assertRejects(() => outbox.add(other), ApiError);
  assertEquals(bodies, [{ title: "a" }]);
  await outbox.remove("a");
  assert(await outbox.add(other));
});

Deno.test("The queue is limited in number, size, time, and by the storage", async () => {
  const { outbox, time } = createOutbox(() => Promise.reject(failure(0, "NETWORK_ERROR")));
  for (let count = 0; count < MAX_ENTRIES; count++) assert(await outbox.add(write(`${count}`)));
  assert(!await outbox.add(write("one more")));
  assert(await outbox.add(write("0")), "one that is there already");
  time.now += 15 * DAY_MS;
  assertEquals(await outbox.list(), []);
  assert(!await outbox.add({ ...write("a"), body: "x".repeat(MAX_CHARACTERS) }));
  const full = {
    ...memoryStorage(),
    put() {
      throw new DOMException("", "QuotaExceededError");
    },
  };
  const other = createOutbox(() => Promise.resolve({ data: {} }), { storage: full });
  assert(!await other.outbox.add(write("a")));
});
