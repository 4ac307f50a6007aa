/** REL-002: every move of a person's status, and what an archived or a sealed person still takes. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { Status } from "../../src/relationship/person.ts";
import { type Json, type Person, personOf, sharedWorld } from "../support/world.ts";
import { patch } from "./decision.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { post, read } from "./memory.ts";
import {
  CONTACT,
  contact,
  current,
  EVIDENCE,
  evidence,
  EXPERIENCE,
  meet,
  move,
  PEOPLE,
  personPath,
} from "./relationship.ts";

const world = sharedWorld();

type Way = "ACTIVE" | "PAUSED" | "archive" | "restore" | "SEALED";

/** How a person comes into each state: its status, and the one before where it is archived. */
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  ACTIVE: [],
  PAUSED: ["PAUSED"],
  "ARCHIVED from ACTIVE": ["archive"],
  "ARCHIVED from PAUSED": ["PAUSED", "archive"],
  "SEALED from ACTIVE": ["SEALED"],
  "SEALED from ARCHIVED": ["archive", "SEALED"],
};

/** What every command makes of each state; null where it is refused. */
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

/** A person of a state, as it is now. */
async function personIn(person: Person, state: string): Promise<Json> {
  const known = await meet(person);
  for (const way of WAYS[state] ?? []) await move(person, known, way);
  return await current(person, known);
}

for (const state of Object.keys(WAYS)) {
  Deno.test(`A person that is ${state} takes its own moves and refuses all others`, async () => {
    const person = await world().person();
    for (const command of COMMANDS) {
      const known = await personIn(person, state);
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
          assertFailure(await post(person, path, body), "RELATIONSHIP_STATUS_CONFLICT", command);
        });
        continue;
      }
      const response = await post(person, path, body);
      const at = world().now().toISOString();
      assertEquals([response.status, response.body.data], [200, {
        ...known,
        status: expected,
        revision: known.revision + 1,
        updatedAt: at,
        archivedAt: expected === "ARCHIVED" ? at : expected === "SEALED" ? known.archivedAt : null,
      }], `${state} ${command}`);
      const [event] = (await read(person, personPath(known, "/status/history"))).items;
      assertEquals(event, {
        eventId: event.eventId,
        personId: known.personId,
        fromStatus: known.status,
        toStatus: expected,
        reason: "Because",
        revision: known.revision + 1,
        createdAt: at,
      });
      const [line] = (await read(person, personPath(known, "/timeline"))).items;
      assertEquals([line.kind, line.sourceId, line.occurredAt, line.recordedAt], [
        "STATUS_CHANGED",
        event.eventId,
        null,
        at,
      ]);
    }
  });
}

Deno.test("A move needs a body with the revision, and a reason of one line", async () => {
  const person = await world().person();
  const known = await meet(person);
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
        assertInvalid(await post(person, path, body as JsonObject), rules, fields, end);
      }
      const bodiless = await person.call("POST", path, { key: ulid() });
      assertEquals(bodiless.status, 415, end);
      const stale = await post(person, path, { ...status, expectedRevision: 9 });
      assertFailure(stale, "REVISION_CONFLICT", end);
    }
    const gone = { status: "GONE", expectedRevision: 1 };
    const wrong = await post(person, personPath(known, "/status"), gone);
    assertInvalid(wrong, ["field.option"], ["status"]);
  });
});

Deno.test("A repeated move answers the person as it was right after it", async () => {
  const person = await world().person();
  const known = await meet(person);
  const path = personPath(known, "/archive");
  const [key, body] = [ulid(), { expectedRevision: 1 }];
  const first = await person.call("POST", path, { key, body });
  await move(person, known, "restore");
  await move(person, known, "SEALED");
  await assertWritesNothing(world(), async () => {
    const again = await person.call("POST", path, { key, body });
    assertEquals([again.status, again.body.data], [200, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  });
});

Deno.test("The history is walked newest first", async () => {
  const person = await world().person();
  const known = await meet(person);
  for (const to of ["PAUSED", "ACTIVE", "archive", "restore", "PAUSED", "SEALED"] as const) {
    await move(person, known, to);
  }
  const path = personPath(known, "/status/history");
  const events = (await walkPages(person, path, { limit: "4" })).flat();
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

/** Every write about a person but the moves, with a body that succeeds on an open one. */
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
  Deno.test(`A person after ${end} takes no other write, and is read as before`, async () => {
    const person = await world().person();
    const known = await meet(person);
    const { contactId } = await contact(person, known);
    const { evidenceId } = await evidence(person, known);
    const closed = await move(person, known, end);
    await assertWritesNothing(world(), async () => {
      for (const [method, below, body] of writesOf(closed, { contactId, evidenceId })) {
        const path = personPath(closed, below);
        const options = { key: ulid(), body: body as JsonObject };
        const refused = await person.call(method, path, options);
        assertFailure(refused, "RELATIONSHIP_STATUS_CONFLICT", `${method} ${below}`);
        // What is wrong in itself comes first.
        const wrong = { ...body, undeclared: 1 } as JsonObject;
        const invalid = await person.call(method, path, { key: ulid(), body: wrong });
        assertFailure(invalid, "PAYLOAD_INVALID", `${method} ${below}`);
      }
      // On SEALED the status comes before the revision, on ARCHIVED behind it.
      const stale = { expectedRevision: 99, set: { opinion: "Kind." } };
      const code = end === "SEALED" ? "RELATIONSHIP_STATUS_CONFLICT" : "REVISION_CONFLICT";
      assertFailure(await patch(person, personPath(known), stale), code);
    });
    for (const below of ["", "/contacts", "/evidence", "/timeline", `/contacts/${contactId}`]) {
      assertEquals((await person.call("GET", personPath(known, below))).status, 200, below);
    }
    assertEquals((await read(person, `${PEOPLE}?limit=1`)).items, [closed]);
  });
}

Deno.test("A stored envelope answers before SEALED, and no refused write takes a key", async () => {
  const person = await world().person();
  const elsewhere = personOf(world().again(), person);
  const known = await meet(person);
  const path = personPath(known);
  const key = ulid();
  const change = { expectedRevision: 1, set: { opinion: "Kind." } };
  const first = await person.call("PATCH", path, { key, body: change });
  assertEquals(first.status, 200, first.text);
  await move(person, known, "SEALED");
  await assertWritesNothing(world(), async () => {
    const again = await person.call("PATCH", path, { key, body: change });
    assertEquals([again.status, again.body.data], [200, first.body.data]);
    const other = { ...change, expectedRevision: 2 };
    const reused = await person.call("PATCH", path, { key, body: other });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
    const writes = writesOf(known, { contactId: ulid(), evidenceId: ulid() });
    for (const [method, below, body] of writes) {
      const options = { key: ulid(), body: body as JsonObject };
      const answers = await Promise.all(
        Array.from(
          { length: 8 },
          (_, index) =>
            (index % 2 === 0 ? person : elsewhere).call(method, personPath(known, below), options),
        ),
      );
      for (const answer of answers) assertFailure(answer, "RELATIONSHIP_STATUS_CONFLICT", below);
    }
  });
});
