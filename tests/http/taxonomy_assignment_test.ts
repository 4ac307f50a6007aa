import { assertEquals, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { decide } from "../families/decision/api.ts";
import { assertFailure, assertInvalid, assertWritesNothing, pathOf, walkPages } from "./kernel.ts";
import { done, post, read, remember, withPermissions } from "../families/memory/api.ts";
import {
  act,
  assertKeepsKeyOnly,
  assertStored,
  assign,
  ASSIGNMENTS,
  carrying,
  category,
  makeRecord,
  tag,
} from "../families/taxonomy/api.ts";

const world = sharedWorld();
const REMOVE = `${ASSIGNMENTS}/remove`;

Deno.test("A record has a term until removal, then under a new assignment", async () => {
  const caller = await world().createCaller();
  const [term, record] = [await tag(caller, "A"), await makeRecord(caller)];
  const body = carrying(term, record);
  const assignment = await assign(caller, term, record);
  assertEquals(assignment, {
    assignmentId: assignment.assignmentId,
    ...body,
    assignedAt: world().now().toISOString(),
  });
  world().advance(1_000);
  const again = await assertKeepsKeyOnly(world(), () => post(caller, ASSIGNMENTS, body));
  assertEquals([again.status, again.body.data], [200, assignment]);
  const removed = { ...body, assigned: false };
  assertEquals(await done(caller, REMOVE, body), removed);
  const repeated = await assertKeepsKeyOnly(world(), () => post(caller, REMOVE, body));
  assertEquals([repeated.status, repeated.body.data], [200, removed]);
  const anew = await assign(caller, term, record);
  assertNotEquals(anew.assignmentId, assignment.assignmentId);
  assertEquals(anew.assignedAt, world().now().toISOString());
  // Neither term nor record gets a revision.
  await assertStored(caller, term);
  assertEquals(await read(caller, pathOf(record)), record);
  const { items } = await read(caller, "/api/v2/audit?moduleCode=taxonomy");
  assertEquals(
    items.map(({ operation, subjectId }: Json) => [operation, subjectId]).sort(),
    [
      ["taxonomy.assignment.create", assignment.assignmentId],
      ["taxonomy.assignment.create", anew.assignmentId],
      ["taxonomy.assignment.remove", assignment.assignmentId],
      ["taxonomy.tag.create", term.termId],
    ].sort(),
  );
});

Deno.test("Assignments list by term and by record, newest first", async () => {
  const caller = await world().createCaller();
  const terms = [await tag(caller, "A"), await category(caller, "B")];
  const records = [await makeRecord(caller), await decide(caller), await remember(caller)];
  const carriers = records.map(({ moduleCode, recordId, decisionId, memoryId }) =>
    decisionId !== undefined
      ? { moduleCode: "decision", recordId: decisionId }
      : memoryId !== undefined
      ? { moduleCode: "memory", recordId: memoryId }
      : { moduleCode, recordId }
  );
  const made: Json[] = [];
  for (const { termId, kind, name } of terms) {
    for (const carrier of carriers) {
      world().advance(1);
      const assignment = await assign(caller, { termId }, carrier);
      made.unshift({ ...assignment, kind, name });
    }
  }
  for (const { termId } of terms) {
    const expected = made.filter((assignment) => assignment.termId === termId);
    const pages = await walkPages(caller, ASSIGNMENTS, { termId, limit: "2" });
    assertEquals(pages, [expected.slice(0, 2), expected.slice(2)]);
  }
  for (const carrier of carriers) {
    const expected = made.filter(({ recordId }) => recordId === carrier.recordId);
    assertEquals((await walkPages(caller, ASSIGNMENTS, carrier)).flat(), expected);
  }
  // A cursor works after its assignment is removed.
  const cursor = made[1];
  await done(caller, REMOVE, carrying(cursor, cursor));
  const path = `${ASSIGNMENTS}?termId=${cursor.termId}`;
  const next = await read(caller, `${path}&cursor=${cursor.assignmentId}`);
  assertEquals(next.items, [made[2]]);
  const strange = await caller.call("GET", `${path}&cursor=${ulid()}`);
  assertInvalid(strange, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A list of assignments names one existing term or record", async () => {
  const owner = await world().createCaller();
  const [term, record] = [await tag(owner, "A"), await makeRecord(owner)];
  const { termId } = term;
  const { moduleCode, recordId } = record;
  const queries: readonly Record<string, string>[] = [
    {},
    { moduleCode },
    { recordId },
    { termId, moduleCode },
    { termId, recordId },
    { termId, moduleCode, recordId },
  ];
  for (const query of queries) {
    const response = await owner.call("GET", `${ASSIGNMENTS}?${new URLSearchParams(query)}`);
    assertInvalid(response, ["assignments.one_side"], ["termId", "moduleCode", "recordId"]);
  }
  const stranger = await world().createCaller();
  for (
    const [caller, query, code] of [
      [owner, { termId: ulid() }, "RECORD_NOT_FOUND"],
      [stranger, { termId }, "RECORD_NOT_FOUND"],
      [stranger, { moduleCode, recordId }, "RECORD_NOT_FOUND"],
      [owner, { moduleCode: "health", recordId }, "RECORD_NOT_FOUND"],
      [owner, { moduleCode: "nothing", recordId }, "RECORD_MODULE_NOT_FOUND"],
      [owner, { moduleCode: "taxonomy", recordId: termId }, "PAYLOAD_INVALID"],
    ] as const
  ) {
    const response = await caller.call("GET", `${ASSIGNMENTS}?${new URLSearchParams(query)}`);
    assertFailure(response, code, JSON.stringify(query));
  }
});

Deno.test("Invalid assignments are rejected for both writes", async () => {
  const caller = await world().createCaller();
  const stranger = await world().createCaller();
  const [term, record] = [await tag(caller, "A"), await makeRecord(caller)];
  const body = carrying(term, record);
  const own = { moduleCode: "taxonomy", recordId: term.termId };
  await assertWritesNothing(world(), async () => {
    for (const path of [ASSIGNMENTS, REMOVE]) {
      assertInvalid(
        await post(caller, path, { ...body, ...own }),
        ["module.carries_no_terms"],
        ["moduleCode"],
      );
      for (
        const [wrong, code] of [
          [{ moduleCode: "nothing" }, "RECORD_MODULE_NOT_FOUND"],
          [{ moduleCode: "health" }, "RECORD_NOT_FOUND"],
          [{ recordId: ulid() }, "RECORD_NOT_FOUND"],
          [{ termId: ulid() }, "RECORD_NOT_FOUND"],
          [{ termId: "a" }, "PAYLOAD_INVALID"],
        ] as const
      ) {
        assertFailure(await post(caller, path, { ...body, ...wrong }), code, `${path} ${code}`);
      }
      assertFailure(await post(stranger, path, body), "RECORD_NOT_FOUND");
    }
  });
  await assign(caller, term, record);
  await act(caller, term, "deactivate");
  assertFailure(await post(caller, ASSIGNMENTS, body), "TAXONOMY_STATE_CONFLICT");
  const other = carrying(term, await makeRecord(caller));
  assertFailure(await post(caller, ASSIGNMENTS, other), "TAXONOMY_STATE_CONFLICT");
  // It keeps its records, which may still be removed.
  assertEquals((await read(caller, `${ASSIGNMENTS}?termId=${term.termId}`)).items.length, 1);
  assertEquals((await done(caller, REMOVE, body)).assigned, false);
});

Deno.test("An archived record accepts and keeps terms", async () => {
  const caller = await world().createCaller();
  const [term, record] = [await tag(caller, "A"), await makeRecord(caller)];
  await caller.call("POST", `${pathOf(record)}/archive`);
  await assign(caller, term, record);
  assertEquals((await read(caller, `${ASSIGNMENTS}?termId=${term.termId}`)).items.length, 1);
});

Deno.test("An assignment requires the permissions of a generic read of the record", async () => {
  const caller = await world().createCaller();
  const term = await tag(caller, "A");
  const secret = await remember(caller, { privacyLevel: "SECRET" });
  const open = await remember(caller);
  const carriers = {
    commitment: carrying(term, await makeRecord(caller)),
    open: carrying(term, { moduleCode: "memory", recordId: open.memoryId }),
    secret: carrying(term, { moduleCode: "memory", recordId: secret.memoryId }),
  };
  const writer = "taxonomy.write" as const;
  const callers: readonly (readonly [Caller, Readonly<Record<string, number>>])[] = [
    [await withPermissions(world(), caller, writer), { commitment: 403, open: 403, secret: 403 }],
    [await withPermissions(world(), caller, writer, "memory.read", "memory.secret"), {
      commitment: 403,
      open: 403,
      secret: 403,
    }],
    [await withPermissions(world(), caller, writer, "record.read"), {
      commitment: 200,
      open: 403,
      secret: 403,
    }],
    [await withPermissions(world(), caller, writer, "record.read", "memory.read"), {
      commitment: 200,
      open: 200,
      secret: 403,
    }],
    [
      await withPermissions(
        world(),
        caller,
        writer,
        "record.read",
        "memory.read",
        "memory.secret",
      ),
      { commitment: 200, open: 200, secret: 200 },
    ],
  ];
  for (const [caller, expected] of callers) {
    for (const [name, body] of Object.entries(carriers)) {
      for (const path of [ASSIGNMENTS, REMOVE]) {
        const response = await post(caller, path, body);
        assertEquals(response.status, expected[name], `${path} ${name}: ${response.text}`);
        if (response.status === 403) assertFailure(response, "FORBIDDEN");
      }
    }
  }
});

Deno.test("An assignment of a guarded record is not replayed without its permission", async () => {
  const caller = await world().createCaller();
  const term = await tag(caller, "A");
  const { memoryId } = await remember(caller, { privacyLevel: "SECRET" });
  const body = carrying(term, { moduleCode: "memory", recordId: memoryId });
  const permissions = ["taxonomy.write", "record.read", "memory.read"] as const;
  const without = await withPermissions(world(), caller, ...permissions);
  for (const path of [ASSIGNMENTS, REMOVE]) {
    const key = ulid();
    assertEquals((await caller.call("POST", path, { key, body })).status, 200);
    assertFailure(await without.call("POST", path, { key, body }), "FORBIDDEN", path);
    const again = await caller.call("POST", path, { key, body });
    assertEquals(again.headers.get("Idempotency-Replayed"), "true", path);
  }
});

Deno.test("A repeated assignment returns the first response", async () => {
  const caller = await world().createCaller();
  const [term, other, record] = [
    await tag(caller, "A"),
    await tag(caller, "B"),
    await makeRecord(caller),
  ];
  const [key, body] = [ulid(), carrying(term, record)];
  const first = await caller.call("POST", ASSIGNMENTS, { key, body });
  const removal = await caller.call("POST", REMOVE, { key, body });
  const second = await caller.call("POST", ASSIGNMENTS, { key: ulid(), body });
  const merging = { expectedRevision: 1, intoId: other.termId };
  await done(caller, `/api/v2/taxonomy/tags/${term.termId}/merge`, merging);
  assertNotEquals(second.body.data.assignmentId, first.body.data.assignmentId);
  await assertWritesNothing(world(), async () => {
    for (const [path, expected] of [[ASSIGNMENTS, first], [REMOVE, removal]] as const) {
      const again = await caller.call("POST", path, { key, body });
      assertEquals([again.status, again.body.data], [200, expected.body.data]);
      assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    }
    const reused = await caller.call("POST", ASSIGNMENTS, {
      key,
      body: { ...body, termId: other.termId },
    });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
  });
});
