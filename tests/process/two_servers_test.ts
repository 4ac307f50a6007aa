import { assertEquals } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { callerOf, ENGINE } from "../support/world.ts";

const ROUNDS = 8;
const RECORDS = "/api/v2/records/commitment";
const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};

Deno.test({
  name:
    "Two servers make one record of a key, let one change win, and both refuse an ended session",
  // The embedded engine serves one process.
  ignore: ENGINE !== "postgres",
  async fn() {
    await using place = await createInstallation();
    const owner = await place.settle();
    await using first = await startServer(place.env);
    await using second = await place.serve();
    const owners = [callerOf(first.app, owner), callerOf(second.app, owner)] as const;
    let path = "";
    for (let round = 1; round <= ROUNDS; round++) {
      const options = { key: `round-${round}`, body: PROMISE };
      const answers = await Promise.all(
        owners.map((caller) => caller.call("POST", RECORDS, options)),
      );
      const made = answers.filter((response) => response.status === 201);
      const fresh = made.filter((response) => !response.headers.has("Idempotency-Replayed"));
      assertEquals(fresh.length, 1, `round ${round}`);
      for (const response of made) assertEquals(response.body.data, fresh[0]?.body.data);
      for (const response of answers.filter((each) => each.status !== 201)) {
        assertEquals(response.body.error.code, "IDEMPOTENCY_IN_PROGRESS", response.text);
        assertEquals([response.status, response.headers.get("Retry-After")], [409, "1"]);
      }
      path = `${RECORDS}/${fresh[0]?.body.data.recordId}`;
    }
    const [{ records }] = await place.rows("select count(*)::int as records from records");
    assertEquals(records, ROUNDS);

    for (let expectedRevision = 1; expectedRevision <= ROUNDS; expectedRevision++) {
      const answers = await Promise.all(owners.map((caller, index) =>
        caller.call("PATCH", path, {
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
      const read = await owners[1].call("GET", path);
      assertEquals(read.body.data, winner?.body.data);
    }

    assertEquals((await owners[0].call("GET", path)).status, 200);
    const logout = await owners[1].call("POST", "/api/v2/auth/logout");
    assertEquals(logout.status, 200, logout.text);
    for (const caller of owners) {
      const after = await caller.call("GET", "/api/v2/auth/session");
      assertEquals([after.status, after.body.error.code], [401, "AUTH_REQUIRED"]);
    }
  },
});
