/** REL-002: moves, and writes to archived and sealed people. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { Status } from "../../src/families/relationship/person.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { post, read } from "../families/memory/api.ts";
import {
  CONTACT,
  contact,
  createPerson,
  current,
  EVIDENCE,
  evidence,
  EXPERIENCE,
  move,
  PEOPLE,
  personPath,
} from "../families/relationship/api.ts";

const world = sharedWorld();

type Way = "ACTIVE" | "PAUSED" | "archive" | "restore" | "SEALED";

/** Moves into each state. */
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  ACTIVE: [],
  PAUSED: ["PAUSED"],
  "ARCHIVED from ACTIVE": ["archive"],
  "ARCHIVED from PAUSED": ["PAUSED", "archive"],
  "SEALED from ACTIVE": ["SEALED"],
  "SEALED from ARCHIVED": ["archive", "SEALED"],
};

/** New state by command and state; null if rejected. */
const MOVES: Readonly<Record<string, Readonly<Record<string, Status>>>> = {
  ACTIVE: { "status PAUSED": "PAUSED", "status SEALED": "SEALED", archive: "ARCHIVED" },
  PAUSED: { "status ACTIVE": "ACTIVE", "status SEALED": "SEALED", archive: "ARCHIVED" },
  "ARCHIVED from ACTIVE": { "status SEALED": "SEALED", restore: "ACTIVE" },
  "ARCHIVED from PAUSED": { "status SEALED": "SEALED", restore: "PAUSED" },
  "SEALED from ACTIVE": {},
  "SEALED from ARCHIVED": {},
};

const COMMANDS = [
  "status ACTIVE",
  "status PAUSED",
  "status ARCHIVED",
  "status SEALED",
  "archive",
  "restore",
];

async function personIn(caller: Caller, state: string): Promise<Json> {
  const known = await createPerson(caller);
  for (const way of WAYS[state] ?? []) await move(caller, known, way);
  return await current(caller, known);
}

for (const state of Object.keys(WAYS)) {
  Deno.test(`A person that is ${state} accepts only its own moves`, async () => {
    const caller = await world().createCaller();
    for (const command of COMMANDS) {
      const known = await personIn(caller, state);
      world().advance(10);
      const [name, status] = command.split(" ");
      const body = {
        ...(status !== undefined && { status }),
        expectedRevision: known.revision,
        reason: "Because",
      };
      const expected = MOVES[state]?.[command];
      const path = personPath(known, `/${name}`);
      if (expected === undefined) {
        await assertWritesNothing(world(), async () => {
          assertFailure(await post(caller, path, body), "RELATIONSHIP_STATUS_CONFLICT", command);
        });
        continue;
      }
      const response = await post(caller, path, body);
      const at = world().now().toISOString();
      assertEquals([response.status, response.body.data], [200, {
        ...known,
        status: expected,
        revision: known.revision + 1,
        updatedAt: at,
        archivedAt: expected === "ARCHIVED" ? at : expected === "SEALED" ? known.archivedAt : null,
      }], `${state} ${command}`);
      const [event] = (await read(caller, personPath(known, "/status/history"))).items;
      assertEquals(event, {
        eventId: event.eventId,
        personId: known.personId,
        fromStatus: known.status,
        toStatus: expected,
        reason: "Because",
        revision: known.revision + 1,
        createdAt: at,
      });
      const [line] = (await read(caller, personPath(known, "/timeline"))).items;
      assertEquals([line.kind, line.sourceId, line.occurredAt, line.recordedAt], [
        "STATUS_CHANGED",
        event.eventId,
        null,
        at,
      ]);
    }
  });
}

Deno.test("A move requires a revision and a one-line reason", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  await assertWritesNothing(world(), async () => {
    for (const end of ["/status", "/archive", "/restore"]) {
      const path = personPath(known, end);
      const status = end === "/status" ? { status: "PAUSED" } : {};
      const cases: [Record<string, unknown>, string[], string[]][] = [
        [status, ["field.required"], ["expectedRevision"]],
        [{ ...status, expectedRevision: 1, reason: "a\nb" }, ["field.control_character"], [
          "reason",
        ]],
        [{ ...status, expectedRevision: 1, reason: "x".repeat(501) }, ["field.length"], ["reason"]],
        [{ ...status, expectedRevision: 1, reason: null }, ["field.type"], ["reason"]],
        [{ ...status, expectedRevision: 1, undeclared: 1 }, ["undeclared_field"], []],
      ];
      for (const [body, rules, fields] of cases) {
        assertInvalid(await post(caller, path, body as JsonObject), rules, fields, end);
      }
      const bodiless = await caller.call("POST", path, { key: ulid() });
      assertEquals(bodiless.status, 415, end);
      const stale = await post(caller, path, { ...status, expectedRevision: 9 });
      assertFailure(stale, "REVISION_CONFLICT", end);
    }
    const gone = { status: "GONE", expectedRevision: 1 };
    const wrong = await post(caller, personPath(known, "/status"), gone);
    assertInvalid(wrong, ["field.option"], ["status"]);
  });
});

Deno.test("A repeated move returns the person right after it", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known, "/archive");
  const [key, body] = [ulid(), { expectedRevision: 1 }];
  const first = await caller.call("POST", path, { key, body });
  await move(caller, known, "restore");
  await move(caller, known, "SEALED");
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("POST", path, { key, body });
    assertEquals([again.status, again.body.data], [200, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  });
});

Deno.test("The history is listed newest first", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  for (const to of ["PAUSED", "ACTIVE", "archive", "restore", "PAUSED", "SEALED"] as const) {
    await move(caller, known, to);
  }
  const path = personPath(known, "/status/history");
  const events = (await walkPages(caller, path, { limit: "4" })).flat();
  assertEquals(events.map(({ toStatus }) => toStatus), [
    "SEALED",
    "PAUSED",
    "ACTIVE",
    "ARCHIVED",
    "ACTIVE",
    "PAUSED",
  ]);
  assertEquals(events.map(({ revision }) => revision), [7, 6, 5, 4, 3, 2]);
});

/** Every other write, with a valid body. */
function writesOf(known: Json, entries: { contactId: string; evidenceId: string }) {
  const { revision: expectedRevision } = known;
  return [
    ["PATCH", "", { expectedRevision, set: { opinion: "Kind." } }],
    ["PATCH", "", { expectedRevision, set: { importance: known.importance } }],
    ["POST", "/experiences", EXPERIENCE],
    ["POST", "/contacts", CONTACT],
    ["POST", `/contacts/${entries.contactId}/control`, { kind: "RETRACTED" }],
    ["POST", "/evidence", EVIDENCE],
    ["POST", `/evidence/${entries.evidenceId}/control`, { kind: "RETRACTED" }],
    ["POST", `/contacts/${ulid()}/control`, { kind: "RETRACTED" }],
  ] as const;
}

for (const end of ["archive", "SEALED"] as const) {
  Deno.test(`A person after ${end} rejects other writes, and reads as before`, async () => {
    const caller = await world().createCaller();
    const known = await createPerson(caller);
    const { contactId } = await contact(caller, known);
    const { evidenceId } = await evidence(caller, known);
    const closed = await move(caller, known, end);
    await assertWritesNothing(world(), async () => {
      for (const [method, below, body] of writesOf(closed, { contactId, evidenceId })) {
        const path = personPath(closed, below);
        const options = { key: ulid(), body: body as JsonObject };
        const refused = await caller.call(method, path, options);
        assertFailure(refused, "RELATIONSHIP_STATUS_CONFLICT", `${method} ${below}`);
        // Validation comes first.
        const wrong = { ...body, undeclared: 1 } as JsonObject;
        const invalid = await caller.call(method, path, { key: ulid(), body: wrong });
        assertFailure(invalid, "PAYLOAD_INVALID", `${method} ${below}`);
      }
      // SEALED precedes the revision check, ARCHIVED follows it.
      const stale = { expectedRevision: 99, set: { opinion: "Kind." } };
      const code = end === "SEALED" ? "RELATIONSHIP_STATUS_CONFLICT" : "REVISION_CONFLICT";
      assertFailure(await patch(caller, personPath(known), stale), code);
    });
    for (const below of ["", "/contacts", "/evidence", "/timeline", `/contacts/${contactId}`]) {
      assertEquals((await caller.call("GET", personPath(known, below))).status, 200, below);
    }
    assertEquals((await read(caller, `${PEOPLE}?limit=1`)).items, [closed]);
  });
}

Deno.test("A stored envelope precedes SEALED, and no rejected write takes a key", async () => {
  const caller = await world().createCaller();
  const elsewhere = callerOf(world().again(), caller);
  const known = await createPerson(caller);
  const path = personPath(known);
  const key = ulid();
  const change = { expectedRevision: 1, set: { opinion: "Kind." } };
  const first = await caller.call("PATCH", path, { key, body: change });
  assertEquals(first.status, 200, first.text);
  await move(caller, known, "SEALED");
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("PATCH", path, { key, body: change });
    assertEquals([again.status, again.body.data], [200, first.body.data]);
    const other = { ...change, expectedRevision: 2 };
    const reused = await caller.call("PATCH", path, { key, body: other });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
    const writes = writesOf(known, { contactId: ulid(), evidenceId: ulid() });
    for (const [method, below, body] of writes) {
      const options = { key: ulid(), body: body as JsonObject };
      const answers = await Promise.all(
        Array.from(
          { length: 8 },
          (_, index) =>
            (index % 2 === 0 ? caller : elsewhere).call(method, personPath(known, below), options),
        ),
      );
      for (const answer of answers) assertFailure(answer, "RELATIONSHIP_STATUS_CONFLICT", below);
    }
  });
});
