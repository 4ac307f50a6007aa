import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonValue } from "../../src/core/json.ts";
import { createWorld, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  COMMITMENT,
  COMMITMENTS,
  pathOf,
} from "./kernel.ts";

const world = sharedWorld();

Deno.test("POST archive and POST restore set and clear archivedAt as revisions", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  own.advance(60_000);
  const archived = await caller.call("POST", `${pathOf(made)}/archive`);
  const at = own.now().toISOString();
  const state = { ...made, revision: 2, updatedAt: at, archivedAt: at };
  assertEquals([archived.status, archived.body.data], [200, state]);
  own.advance(60_000);
  const restored = await caller.call("POST", `${pathOf(made)}/restore`);
  const later = { ...made, revision: 3, updatedAt: own.now().toISOString() };
  assertEquals([restored.status, restored.body.data], [200, later]);
  assertEquals((await caller.call("GET", pathOf(made))).body.data, later);
  const operations = await own.rows(
    `select operation, revision from audit_entries order by revision`,
  );
  assertEquals([...operations], [
    { operation: "record.create", revision: 1 },
    { operation: "record.archive", revision: 2 },
    { operation: "record.restore", revision: 3 },
  ]);
});

Deno.test("POST archive and POST restore without effect return the current state", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const restore = () => caller.call("POST", `${pathOf(made)}/restore`);
  const archive = () => caller.call("POST", `${pathOf(made)}/archive`);
  await assertWritesNothing(world(), async () => {
    assertEquals((await restore()).body.data, made);
  });
  const { data: archived } = (await archive()).body;
  await assertWritesNothing(world(), async () => {
    const again = await archive();
    assertEquals([again.status, again.body.data], [200, archived]);
  });
});

Deno.test("POST archive keeps its time through later changes", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const { archivedAt } = (await caller.call("POST", `${pathOf(made)}/archive`)).body.data;
  own.advance(60_000);
  const patched = await caller.call("PATCH", pathOf(made), { body: { title: "B" } });
  assertEquals(patched.body.data.archivedAt, archivedAt);
});

Deno.test("POST archive and POST restore check the expected revision before anything else", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const moves = [["restore", 2], ["archive", 2]] as const;
  await assertWritesNothing(world(), async () => {
    for (const [move, expectedRevision] of moves) {
      const body = { expectedRevision };
      const response = await caller.call("POST", `${pathOf(made)}/${move}`, { body });
      const details = assertFailure(response, "REVISION_CONFLICT");
      assertEquals(details, { expectedRevision, currentRevision: 1 });
    }
  });
  const body = { expectedRevision: 1 };
  const archived = await caller.call("POST", `${pathOf(made)}/archive`, { body });
  assertEquals(archived.body.data.revision, 2);
});

Deno.test("POST archive accepts an absent, an empty and an object body", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const path = `${pathOf(made)}/archive`;
  const json = { "Content-Type": "application/json" };
  const empty = () => new Blob([]).stream();
  const accepted = [
    {},
    { headers: json },
    { raw: empty() },
    { headers: json, raw: empty() },
    { body: {} },
    { body: { expectedRevision: 2 } },
  ];
  for (const options of accepted) {
    const response = await caller.call("POST", path, options);
    assertEquals([response.status, response.body.data.revision], [200, 2], response.text);
  }
});

Deno.test("POST archive rejects any other body", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const path = `${pathOf(made)}/archive`;
  const refused: [JsonValue, string, string[]][] = [
    [null, "body.object", []],
    [[], "body.object", []],
    [{ reason: "old" }, "undeclared_field", []],
    [{ expectedRevision: "1" }, "field.type", ["expectedRevision"]],
    [{ expectedRevision: 0 }, "field.range", ["expectedRevision"]],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [body, rule, fields] of refused) {
      const response = await caller.call("POST", path, { body });
      assertInvalid(response, [rule], fields, JSON.stringify(body));
    }
    const headers = { "Content-Type": "text/plain" };
    assertFailure(await caller.call("POST", path, { headers, raw: "{}" }), "HTTP_415");
    const long = "a".repeat(3 * 1024 * 1024);
    assertFailure(await caller.call("POST", path, { headers, raw: long }), "HTTP_415");
  });
});

Deno.test("POST archive and POST restore answer 404 for a missing record", async () => {
  const caller = await world().createCaller();
  for (const move of ["archive", "restore"]) {
    const path = `${COMMITMENTS}/${ulid()}/${move}`;
    const body = { expectedRevision: 4 };
    assertFailure(await caller.call("POST", path, { body }), "RECORD_NOT_FOUND");
  }
});
