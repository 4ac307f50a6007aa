import { assertEquals, assertMatch } from "@std/assert";
import { sharedWorld } from "../support/world.ts";

const COMMITMENT = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };

const world = sharedWorld();

Deno.test("POST record creates a record that reads back equal", async () => {
  const person = await world().person();
  const answer = await person.call("POST", "/api/v2/records/commitment", {
    key: "k1",
    body: { title: "Home", payload: COMMITMENT },
  });
  assertEquals(answer.status, 201, answer.text);
  const { data } = answer.body;
  assertMatch(data.recordId, /^[0-9A-Z]{26}$/);
  assertEquals(answer.headers.get("Location"), `/api/v2/records/commitment/${data.recordId}`);
  assertEquals(data.payload, COMMITMENT);
  const read = await person.call("GET", `/api/v2/records/commitment/${data.recordId}`);
  assertEquals(read.body.data, data);
  const again = await person.call("POST", "/api/v2/records/commitment", {
    key: "k1",
    body: { payload: COMMITMENT, title: "Home" },
  });
  assertEquals(again.status, 201);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals(again.body.data, data);
  const patched = await person.call("PATCH", `/api/v2/records/commitment/${data.recordId}`, {
    body: { payload: { completionStatus: "COMPLETED" }, expectedRevision: 1 },
  });
  assertEquals(patched.status, 200, patched.text);
  const list = await person.call(
    "GET",
    "/api/v2/records/commitment?filter[completionStatus]=COMPLETED",
  );
  assertEquals(list.body.data.items, [patched.body.data]);
  const revisions = await person.call(
    "GET",
    `/api/v2/records/commitment/${data.recordId}/revisions`,
  );
  assertEquals(revisions.body.data.items.length, 2, revisions.text);
});
