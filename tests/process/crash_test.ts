// engines: both
import { assertEquals, assertGreater } from "@std/assert";
import { ulid } from "@std/ulid";
import { readChanges } from "../http/changes.ts";
import { createInstallation } from "../support/installation.ts";
import { DAMAGE, FEED, UNDAMAGED } from "../support/damage.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import {
  type Caller,
  callerOf,
  type CallOptions,
  type Json,
  type TestResponse,
} from "../support/world.ts";

const SEED = 20_261_121;
const KILLS = 2;
/** Enough that they share statements. */
const WRITERS = 8;
const RECORDS = "/api/v2/records/commitment";

/** A write with its response, if any. */
interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions;
  answer: TestResponse | null;
}

/** Keeps entries and cursor across crashes. */
class Follower {
  readonly met: Json[] = [];
  #after: string | null = null;

  async poll(caller: Caller): Promise<void> {
    const { items, nextCursor } = await readChanges(caller, this.#after, { limit: "7" });
    this.met.push(...items.map(({ recordId, revision }: Json) => ({ recordId, revision })));
    this.#after = nextCursor;
  }
}

/** Kills the server during writes; one writer follows the feed. */
async function writeUntilKilled(
  server: ServerProcess,
  caller: Caller,
  random: Random,
  attempts: Attempt[],
  follower: Follower,
): Promise<void> {
  let left = random.integer(15, 60);
  const send = async (method: string, path: string, body?: Json): Promise<Json> => {
    const options: CallOptions = { key: random.ulid(), ...(body === undefined ? {} : { body }) };
    const attempt: Attempt = { method, path, options, answer: null };
    attempts.push(attempt);
    const answer = await caller.call(method, path, options);
    assertEquals(answer.status, path === RECORDS ? 201 : 200, answer.text);
    attempt.answer = answer;
    if (--left === 0) server.kill("SIGKILL");
    return answer.body.data;
  };
  const write = async (follows: boolean) => {
    while (true) {
      if (follows) await follower.poll(caller);
      const payload = { commitmentType: "OUTGOING", content: "Call", completionStatus: "OPEN" };
      const { recordId } = await send("POST", RECORDS, { title: random.text(1, 40), payload });
      const path = `${RECORDS}/${recordId}`;
      await send("PATCH", path, { payload: { content: random.text(10, 2_000) } });
      await send("POST", `${path}/archive`);
      await send("POST", `${path}/restore`);
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: WRITERS }, (_, index) => write(index === 0)),
  );
  for (const end of ends) {
    // Writers may only meet the dead server.
    if (end.status === "rejected" && !(end.reason instanceof TypeError)) throw end.reason;
  }
  assertEquals((await server.ended).signal, "SIGKILL");
}

/** Waits while the killed transaction is rolled back. */
async function sendAgain(caller: Caller, attempt: Attempt): Promise<TestResponse> {
  let answer: TestResponse | null = null;
  await waitUntil("the key is free", async () => {
    answer = await caller.call(attempt.method, attempt.path, attempt.options);
    return answer.body?.error?.code !== "IDEMPOTENCY_IN_PROGRESS";
  });
  return answer ?? Promise.reject(new Error("There was no answer"));
}

async function checkAttempt(caller: Caller, attempt: Attempt): Promise<void> {
  const again = await sendAgain(caller, attempt);
  const first = attempt.answer;
  if (first !== null) {
    assertEquals([again.status, again.body.data], [first.status, first.body.data], again.text);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    return;
  }
  // Not answered: done completely, and not repeated.
  assertEquals(again.status, attempt.path === RECORDS ? 201 : 200, again.text);
  attempt.answer = again;
  await checkAttempt(caller, attempt);
}

/** Follows until it has an entry per write. */
async function followToEnd(follower: Follower, caller: Caller, writes: number): Promise<void> {
  await waitUntil("the feed has given everything", async () => {
    await follower.poll(caller);
    return follower.met.length >= writes;
  });
}

const DRAFT = `/api/v2/memory/drafts/${ulid()}`;
const SAVES = 25;

function draftContent(version: number): Json {
  return {
    title: `Version ${version}`,
    memoryType: "EVENT",
    originalContent: "x".repeat(version * 100),
  };
}

/** Saves a draft repeatedly. */
async function saveDraft(caller: Caller): Promise<void> {
  for (let version = 1; version <= SAVES; version++) {
    const body = { draftVersion: version, content: draftContent(version) };
    assertEquals((await caller.call("PUT", DRAFT, { body })).status, 200);
  }
}

async function assertDraftKept(caller: Caller): Promise<void> {
  const { data: { draftVersion, content, state } } = (await caller.call("GET", DRAFT)).body;
  assertEquals([draftVersion, content, state], [SAVES, draftContent(SAVES), "OPEN"]);
}

Deno.test("kill -9 loses no acknowledged write and leaves no partial one", async () => {
  const random = seededRandom(SEED);
  const attempts: Attempt[] = [];
  const follower = new Follower();
  let checked = 0;
  await using place = await createInstallation();
  const settled = await place.settle();
  const check = async (caller: Caller) => {
    for (const attempt of attempts.slice(checked)) await checkAttempt(caller, attempt);
    checked = attempts.length;
  };
  for (let kill = 1; kill <= KILLS; kill++) {
    await using server = await startServer(place.env);
    const owner = callerOf(server.app, settled);
    if (kill === KILLS) await saveDraft(owner);
    await check(owner);
    await writeUntilKilled(server, owner, random, attempts, follower);
    assertEquals(await place.rows(DAMAGE), UNDAMAGED, `seed ${SEED}, kill ${kill}`);
  }
  {
    await using service = await place.serve();
    const owner = callerOf(service.app, settled);
    await check(owner);
    await assertDraftKept(owner);
    await followToEnd(follower, owner, attempts.length);
  }
  assertGreater(attempts.length, KILLS);
  assertEquals(attempts.filter((attempt) => attempt.answer === null), []);
  const records = attempts.filter((attempt) => attempt.path === RECORDS).length;
  assertEquals(
    await place.rows(`${DAMAGE}, (select count(*)::int from records) as records`),
    [{ ...UNDAMAGED[0], records }],
  );
  assertEquals(follower.met, await place.rows(FEED));
});
