/** Assignments: which records carry which terms. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Json, type Person, sharedWorld } from "../support/world.ts";
import { decide } from "./decision.ts";
import { assertFailure, assertInvalid, assertWritesNothing, pathOf, walkPages } from "./kernel.ts";
import { done, post, read, remember, withPermissions } from "./memory.ts";
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
} from "./taxonomy.ts";

const world = sharedWorld();
const REMOVE = `${ASSIGNMENTS}/remove`;

Deno.test("A record carries a term until it is removed, and then under a new assignment", async () => {
  const person = await world().person();
  const [term, record] = [await tag(person, "A"), await makeRecord(person)];
  const body = carrying(term, record);
  const assignment = await assign(person, term, record);
  assertEquals(assignment, {
    assignmentId: assignment.assignmentId,
    ...body,
    assignedAt: world().now().toISOString(),
  });
  world().advance(1_000);
  const again = await assertKeepsKeyOnly(world(), () => post(person, ASSIGNMENTS, body));
  assertEquals([again.status, again.body.data], [200, assignment]);
  const removed = { ...body, assigned: false };
  assertEquals(await done(person, REMOVE, body), removed);
  const repeated = await assertKeepsKeyOnly(world(), () => post(person, REMOVE, body));
  assertEquals([repeated.status, repeated.body.data], [200, removed]);
  const anew = await assign(person, term, record);
  assertNotEquals(anew.assignmentId, assignment.assignmentId);
  assertEquals(anew.assignedAt, world().now().toISOString());
  // Neither the term nor the record has a revision of it.
  await assertStored(person, term);
  assertEquals(await read(person, pathOf(record)), record);
  const { items } = await read(person, "/api/v2/audit?moduleCode=taxonomy");
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
  const person = await world().person();
  const terms = [await tag(person, "A"), await category(person, "B")];
  const records = [await makeRecord(person), await decide(person), await remember(person)];
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
      const assignment = await assign(person, { termId }, carrier);
      made.unshift({ ...assignment, kind, name });
    }
  }
  for (const { termId } of terms) {
    const expected = made.filter((assignment) => assignment.termId === termId);
    const pages = await walkPages(person, ASSIGNMENTS, { termId, limit: "2" });
    assertEquals(pages, [expected.slice(0, 2), expected.slice(2)]);
  }
  for (const carrier of carriers) {
    const expected = made.filter(({ recordId }) => recordId === carrier.recordId);
    assertEquals((await walkPages(person, ASSIGNMENTS, carrier)).flat(), expected);
  }
  // A cursor counts also when its assignment is gone.
  const cursor = made[1];
  await done(person, REMOVE, carrying(cursor, cursor));
  const path = `${ASSIGNMENTS}?termId=${cursor.termId}`;
  const next = await read(person, `${path}&cursor=${cursor.assignmentId}`);
  assertEquals(next.items, [made[2]]);
  const strange = await person.call("GET", `${path}&cursor=${ulid()}`);
  assertInvalid(strange, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A list of assignments names one side, which must be there", async () => {
  const person = await world().person();
  const [term, record] = [await tag(person, "A"), await makeRecord(person)];
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
    const response = await person.call("GET", `${ASSIGNMENTS}?${new URLSearchParams(query)}`);
    assertInvalid(response, ["assignments.one_side"], ["termId", "moduleCode", "recordId"]);
  }
  const stranger = await world().person();
  for (
    const [caller, query, code] of [
      [person, { termId: ulid() }, "RECORD_NOT_FOUND"],
      [stranger, { termId }, "RECORD_NOT_FOUND"],
      [stranger, { moduleCode, recordId }, "RECORD_NOT_FOUND"],
      [person, { moduleCode: "health", recordId }, "RECORD_NOT_FOUND"],
      [person, { moduleCode: "nothing", recordId }, "RECORD_MODULE_NOT_FOUND"],
      [person, { moduleCode: "taxonomy", recordId: termId }, "PAYLOAD_INVALID"],
    ] as const
  ) {
    const response = await caller.call("GET", `${ASSIGNMENTS}?${new URLSearchParams(query)}`);
    assertFailure(response, code, JSON.stringify(query));
  }
});

Deno.test("What cannot carry a term, or be carried, is refused for both writes", async () => {
  const person = await world().person();
  const stranger = await world().person();
  const [term, record] = [await tag(person, "A"), await makeRecord(person)];
  const body = carrying(term, record);
  const own = { moduleCode: "taxonomy", recordId: term.termId };
  await assertWritesNothing(world(), async () => {
    for (const path of [ASSIGNMENTS, REMOVE]) {
      assertInvalid(
        await post(person, path, { ...body, ...own }),
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
        assertFailure(await post(person, path, { ...body, ...wrong }), code, `${path} ${code}`);
      }
      assertFailure(await post(stranger, path, body), "RECORD_NOT_FOUND");
    }
  });
  await assign(person, term, record);
  await act(person, term, "deactivate");
  assertFailure(await post(person, ASSIGNMENTS, body), "TAXONOMY_STATE_CONFLICT");
  const other = carrying(term, await makeRecord(person));
  assertFailure(await post(person, ASSIGNMENTS, other), "TAXONOMY_STATE_CONFLICT");
  // It keeps its records, which may still let it go.
  assertEquals((await read(person, `${ASSIGNMENTS}?termId=${term.termId}`)).items.length, 1);
  assertEquals((await done(person, REMOVE, body)).assigned, false);
});

Deno.test("An archived record may carry terms, and keeps them", async () => {
  const person = await world().person();
  const [term, record] = [await tag(person, "A"), await makeRecord(person)];
  await person.call("POST", `${pathOf(record)}/archive`);
  await assign(person, term, record);
  assertEquals((await read(person, `${ASSIGNMENTS}?termId=${term.termId}`)).items.length, 1);
});

Deno.test("An assignment needs what a generic read of the record needs", async () => {
  const person = await world().person();
  const term = await tag(person, "A");
  const secret = await remember(person, { privacyLevel: "SECRET" });
  const open = await remember(person);
  const carriers = {
    commitment: carrying(term, await makeRecord(person)),
    open: carrying(term, { moduleCode: "memory", recordId: open.memoryId }),
    secret: carrying(term, { moduleCode: "memory", recordId: secret.memoryId }),
  };
  const writer = "taxonomy.write" as const;
  const callers: readonly (readonly [Person, Readonly<Record<string, number>>])[] = [
    [await withPermissions(world(), person, writer), { commitment: 403, open: 403, secret: 403 }],
    [await withPermissions(world(), person, writer, "memory.read", "memory.secret"), {
      ...{ commitment: 403, open: 403, secret: 403 },
    }],
    [await withPermissions(world(), person, writer, "record.read"), {
      ...{ commitment: 200, open: 403, secret: 403 },
    }],
    [await withPermissions(world(), person, writer, "record.read", "memory.read"), {
      ...{ commitment: 200, open: 200, secret: 403 },
    }],
    [
      await withPermissions(
        world(),
        person,
        ...[writer, "record.read", "memory.read", "memory.secret"] as const,
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

Deno.test("An assignment of a guarded record is not repeated to who may not read it", async () => {
  const person = await world().person();
  const term = await tag(person, "A");
  const { memoryId } = await remember(person, { privacyLevel: "SECRET" });
  const body = carrying(term, { moduleCode: "memory", recordId: memoryId });
  const permissions = ["taxonomy.write", "record.read", "memory.read"] as const;
  const without = await withPermissions(world(), person, ...permissions);
  for (const path of [ASSIGNMENTS, REMOVE]) {
    const key = ulid();
    assertEquals((await person.call("POST", path, { key, body })).status, 200);
    assertFailure(await without.call("POST", path, { key, body }), "FORBIDDEN", path);
    const again = await person.call("POST", path, { key, body });
    assertEquals(again.headers.get("Idempotency-Replayed"), "true", path);
  }
});

Deno.test("An assignment that is sent again under its key answers what it answered", async () => {
  const person = await world().person();
  const [term, other, record] = [
    await tag(person, "A"),
    await tag(person, "B"),
    await makeRecord(person),
  ];
  const [key, body] = [ulid(), carrying(term, record)];
  const first = await person.call("POST", ASSIGNMENTS, { key, body });
  const removal = await person.call("POST", REMOVE, { key, body });
  const second = await person.call("POST", ASSIGNMENTS, { key: ulid(), body });
  const merging = { expectedRevision: 1, intoId: other.termId };
  await done(person, `/api/v2/taxonomy/tags/${term.termId}/merge`, merging);
  assertNotEquals(second.body.data.assignmentId, first.body.data.assignmentId);
  await assertWritesNothing(world(), async () => {
    for (const [path, expected] of [[ASSIGNMENTS, first], [REMOVE, removal]] as const) {
      const again = await person.call("POST", path, { key, body });
      assertEquals([again.status, again.body.data], [200, expected.body.data]);
      assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    }
    const reused = await person.call("POST", ASSIGNMENTS, {
      key,
      body: { ...body, termId: other.termId },
    });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
  });
});
