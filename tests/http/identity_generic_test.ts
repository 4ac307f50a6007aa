/** The generic routes of identity: legacy records are read there, typed ones have routes of their own. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { personOf, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, readPage } from "./kernel.ts";
import { keepRecords } from "./legacy.ts";
import { withPermissions } from "./memory.ts";

/** What stands for a profile, a stage, a role or a snapshot. */
const TYPED = ulid();

const world = sharedWorld({
  typedIds: {
    identity: (sql, _owner, ids) =>
      sql<{ id: string }>`
        select id from unnest(string_to_array(${ids.join(" ")}, ' ')) id where id = ${TYPED}`,
  },
});

Deno.test("Generic identity serves what version 1 had, and sends to its own routes for the rest", async () => {
  const person = await world().person();
  const [record] = await keepRecords(world(), person, "identity", 1);
  const root = "/api/v2/records/identity";
  const dedicated = "IDENTITY_DEDICATED_ENDPOINT_REQUIRED";
  const reads = [["", "detail"], ["/revisions", "revisions"], ["/executions", "executions"]];
  for (const [end, name] of reads) {
    const path = (id: string) => `${root}/${id}${end}`;
    assertEquals((await person.call("GET", path(record?.recordId ?? ""))).status, 200, end);
    const typed = await person.call("GET", path(TYPED));
    assertEquals(assertFailure(typed, dedicated), {
      moduleCode: "identity",
      operation: `record.${name}`,
    });
    assertFailure(await person.call("GET", path(ulid())), "RECORD_NOT_FOUND", end);
    const wrong = await person.call("GET", path("not-an-id"));
    assertInvalid(wrong, ["record_id.format"]);
  }
  assertFailure(await person.call("GET", `${root}/${TYPED}?revision=2`), dedicated);
  const later = await person.call("GET", `${root}/${record?.recordId}?revision=99`);
  assertFailure(later, "RECORD_NOT_FOUND");
  // The same identifier is nothing to another module.
  assertFailure(await person.call("GET", `/api/v2/records/resource/${TYPED}`), "RECORD_NOT_FOUND");
  const { items } = await readPage(person, root, { archived: "include" });
  assertEquals(items.map(({ recordId }) => recordId), [record?.recordId]);
});

Deno.test("Generic reads of identity need identity.read as well", async () => {
  const person = await world().person();
  const [record] = await keepRecords(world(), person, "identity", 1);
  const root = "/api/v2/records/identity";
  const half = await withPermissions(world(), person, "record.read");
  const other = await withPermissions(world(), person, "identity.read");
  const both = await withPermissions(world(), person, "record.read", "identity.read");
  for (const id of [record?.recordId, TYPED]) {
    for (const path of [root, `${root}/${id}`, `${root}/${id}/revisions`]) {
      for (const reader of [half, other]) {
        assertFailure(await reader.call("GET", path), "FORBIDDEN", path);
      }
      const expected = path !== root && id === TYPED ? 501 : 200;
      assertEquals((await both.call("GET", path)).status, expected, path);
    }
  }
});

Deno.test("Generic writes of identity are refused ahead of all that a request holds, without a look", async () => {
  const person = await world().person();
  const [record] = await keepRecords(world(), person, "identity", 1);
  const root = "/api/v2/records/identity";
  const code = "IDENTITY_DEDICATED_ENDPOINT_REQUIRED";
  const writer = await withPermissions(world(), person, "record.write");
  const reader = await withPermissions(world(), person, "record.read", "identity.write");
  const raw = "{{{";
  let asked = 0;
  // The pipeline itself looks the credential up, and nothing else is asked of the database.
  const real = world().database;
  const database = {
    ...real,
    read: (...use: Parameters<typeof real.read>) => {
      asked++;
      return real.read(...use);
    },
    write: () => Promise.reject(new Error("a write")),
    transaction: () => Promise.reject(new Error("a transaction")),
  } as typeof real;
  const watched = personOf(world().again({ database }), writer);
  for (const id of [record?.recordId ?? "", TYPED, ulid(), "not-an-id"]) {
    const writes = [
      ["POST", root],
      ["PATCH", `${root}/${id}`],
      ["POST", `${root}/${id}/archive`],
      ["POST", `${root}/${id}/restore`],
      ["POST", `${root}/${id}/features/IDN-001`],
      ["POST", `${root}/${id}/features/IDN-008`],
    ] as const;
    for (const [method, path] of writes) {
      const before = asked;
      for (const query of ["", "?unknown=1"]) {
        const response = await watched.call(method, path + query, { raw });
        assertFailure(response, code, `${method} ${path}`);
        assertEquals("data" in response.body, false);
      }
      assertEquals(asked - before, 2, path);
      assertFailure(await reader.call(method, path, { raw }), "FORBIDDEN", path);
      assertFailure(await world().call(method, path, { raw }), "AUTH_REQUIRED", path);
    }
  }
  const features = `${root}/${TYPED}/features`;
  assertFailure(await writer.call("POST", `${features}/IDN-009`, { raw }), "FEATURE_NOT_FOUND");
  const foreign = await writer.call("POST", `${features}/CMT-001`, { raw });
  assertFailure(foreign, "FEATURE_MODULE_MISMATCH");
});
