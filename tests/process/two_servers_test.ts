import { assertEquals } from "@std/assert";
import { createInstallation, type Installation } from "../support/installation.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { type Caller, callerOf, ENGINE } from "../support/world.ts";

const ROUNDS = 25;
const RECORDS = "/api/v2/records/commitment";
const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};

/** Two processes over one PostgreSQL, one session. */
interface Pair extends AsyncDisposable {
  readonly place: Installation;
  readonly servers: readonly [ServerProcess, ServerProcess];
  readonly owners: readonly [Caller, Caller];
}

async function createPair(): Promise<Pair> {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await createInstallation());
  const first = opened.use(await startServer(place.env));
  const second = opened.use(await startServer(place.env));
  // The second start replaced the first link.
  const owner = await second.setUp();
  const running = opened.move();
  return {
    place,
    servers: [first, second],
    owners: [callerOf(first.app, owner), owner],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The embedded engine serves one process. */
function onPostgres(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: ENGINE !== "postgres" });
}

onPostgres("Two servers make one record of one key sent to both at once", async () => {
  await using pair = await createPair();
  for (let round = 1; round <= ROUNDS; round++) {
    const options = { key: `round-${round}`, body: PROMISE };
    const answers = await Promise.all(
      pair.owners.map((owner) => owner.call("POST", RECORDS, options)),
    );
    const made = answers.filter((response) => response.status === 201);
    const fresh = made.filter((response) => !response.headers.has("Idempotency-Replayed"));
    assertEquals(fresh.length, 1, `round ${round}`);
    for (const response of made) assertEquals(response.body.data, fresh[0]?.body.data);
    for (const response of answers.filter((each) => each.status !== 201)) {
      assertEquals(response.body.error.code, "IDEMPOTENCY_IN_PROGRESS", response.text);
      assertEquals([response.status, response.headers.get("Retry-After")], [409, "1"]);
    }
  }
  assertEquals(await pair.place.rows("select count(*)::int as records from records"), [{
    records: ROUNDS,
  }]);
});

onPostgres("Two servers let one of two changes to one revision win", async () => {
  await using pair = await createPair();
  const record = await pair.owners[0].create("commitment", PROMISE.payload);
  const path = `${RECORDS}/${record.recordId}`;
  for (let expectedRevision = 1; expectedRevision <= ROUNDS; expectedRevision++) {
    const answers = await Promise.all(pair.owners.map((owner, index) =>
      owner.call("PATCH", path, {
        body: { title: `Server ${index}, revision ${expectedRevision}`, expectedRevision },
      })
    ));
    const statuses = answers.map((response) => response.status).sort();
    assertEquals(statuses, [200, 409], answers.map((response) => response.text).join("\n"));
    const winner = answers.find((response) => response.status === 200);
    const loser = answers.find((response) => response.status === 409);
    assertEquals(loser?.body.error.code, "REVISION_CONFLICT");
    assertEquals(loser?.body.error.details, {
      expectedRevision,
      currentRevision: expectedRevision + 1,
    });
    const read = await pair.owners[1].call("GET", path);
    assertEquals(read.body.data, winner?.body.data);
  }
});

onPostgres("Two servers both refuse a session that one of them has ended", async () => {
  await using pair = await createPair();
  const [first, second] = pair.owners;
  const before = await first.call("GET", "/api/v2/auth/session");
  assertEquals(before.status, 200, before.text);
  const logout = await second.call("POST", "/api/v2/auth/logout");
  assertEquals(logout.status, 200, logout.text);
  for (const owner of pair.owners) {
    const after = await owner.call("GET", "/api/v2/auth/session");
    assertEquals([after.status, after.body.error.code], [401, "AUTH_REQUIRED"]);
  }
});
