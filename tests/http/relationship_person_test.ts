/** REL-001: people, patches, revisions, generic reads. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  atRevision,
  walkPages,
} from "./kernel.ts";
import { post, read, withPermissions } from "../families/memory/api.ts";
import {
  contact,
  createPerson,
  move,
  PEOPLE,
  PERSON,
  personPath,
} from "../families/relationship/api.ts";

const world = sharedWorld();

const WHOLE: JsonObject = {
  personName: " Léna 🙂 ",
  relationshipType: "MENTOR",
  importance: 5,
  lastContactAt: "2026-05-01T20:00:00.5+02:00",
  desiredContactIntervalDays: 30,
  opinion: "Kind.\n\tAnd quick.",
  evidence: "",
  counterEvidence: "Late.",
};

Deno.test("A person reads back exactly, and begins with the contact of its creation", async () => {
  const caller = await world().createCaller();
  const response = await post(caller, PEOPLE, WHOLE);
  assertEquals(response.status, 201, response.text);
  const known = response.body.data;
  assertEquals(response.headers.get("Location"), personPath(known));
  const at = world().now().toISOString();
  assertEquals(known, {
    personId: known.personId,
    ...WHOLE,
    lastContactAt: "2026-05-01T18:00:00.500Z",
    localTimes: { lastContactAt: "2026-05-01T20:00:00.500+02:00" },
    status: "ACTIVE",
    currentEvaluationRevision: null,
    revision: 1,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
    attachmentIds: [],
  });
  assertEquals(await read(caller, personPath(known)), known);
  const [first, ...others] = (await read(caller, personPath(known, "/contacts"))).items;
  assertEquals(others, []);
  assertEquals(first, {
    contactId: first.contactId,
    personId: known.personId,
    contactedAt: known.lastContactAt,
    localTimes: { contactedAt: "2026-05-01T20:00:00.500+02:00" },
    channel: "OTHER",
    direction: "MUTUAL",
    note: null,
    privacy: "NORMAL",
    contentHash: null,
    state: "LIVE",
    personRevision: 1,
    recordedAt: at,
  });
  const { items: [line] } = await read(caller, personPath(known, "/timeline"));
  assertEquals([line.kind, line.sourceId, line.occurredAt], [
    "CONTACT_RECORDED",
    first.contactId,
    first.contactedAt,
  ]);
  const audited = await world().rows(`
    select operation, subject_id, revision from audit_entries
     where owner_id = '${caller.accountId}'`);
  assertEquals(audited, [
    { operation: "relationship.person.create", subject_id: known.personId, revision: 1 },
  ]);
});

Deno.test("The first contact requires no ledger permission, and omitted fields read as null", async () => {
  const caller = await world().createCaller();
  const writer = await withPermissions(world(), caller, "relationship.person.write");
  const { lastContactAt } = await createPerson(writer, { lastContactAt: "2026-05-01T00:00:00Z" });
  assertEquals(lastContactAt, "2026-05-01T00:00:00.000Z");
  const known = await createPerson(caller);
  const { desiredContactIntervalDays, opinion, evidence, counterEvidence } = known;
  const absent = [
    known.lastContactAt,
    desiredContactIntervalDays,
    opinion,
    evidence,
    counterEvidence,
  ];
  assertEquals(absent, [null, null, null, null, null]);
  for (const ledger of ["contacts", "timeline", "status/history"]) {
    assertEquals((await read(caller, personPath(known, `/${ledger}`))).items, []);
  }
});

Deno.test("An invalid person is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    const cases: [Record<string, unknown>, string[], string[]][] = [
      [{ personName: " " }, ["field.blank"], ["personName"]],
      [{ personName: "𝒳".repeat(201) }, ["field.length"], ["personName"]],
      [{ personName: "a\nb" }, ["field.control_character"], ["personName"]],
      [{ relationshipType: "ENEMY" }, ["field.option"], ["relationshipType"]],
      [{ importance: 0 }, ["field.range"], ["importance"]],
      [{ importance: 2.5 }, ["field.integer"], ["importance"]],
      [{ desiredContactIntervalDays: 3651 }, ["field.range"], ["desiredContactIntervalDays"]],
      [{ lastContactAt: "2026-05-01" }, ["field.datetime"], ["lastContactAt"]],
      [{ lastContactAt: "2999-01-01T00:00:00Z" }, [
        "relationship.last_contact_at_not_in_the_future",
      ], ["lastContactAt"]],
      [{ opinion: null }, ["field.null"], ["opinion"]],
      [{ evidence: "x".repeat(100_001) }, ["field.length"], ["evidence"]],
      [{ status: "PAUSED" }, ["undeclared_field"], []],
      [{ ownerId: caller.accountId }, ["undeclared_field"], []],
    ];
    for (const [wrong, rules, fields] of cases) {
      const response = await post(caller, PEOPLE, { ...PERSON, ...wrong } as JsonObject);
      assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 80));
    }
    const required = ["personName", "relationshipType", "importance"];
    assertInvalid(await post(caller, PEOPLE, {}), ["field.required"], required);
    const keyless = await caller.call("POST", PEOPLE, { body: PERSON });
    assertFailure(keyless, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
  });
  // The longest name fits a title, and the longest texts fit together.
  const long = "🙂".repeat(100_000);
  const longest = { personName: "𝒳".repeat(200), opinion: long, evidence: long };
  const known = await createPerson(caller, { ...longest, counterEvidence: long });
  assertEquals(await read(caller, personPath(known)), known);
});

Deno.test("A patch sets and removes fields; without effect it stores its envelope only", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, WHOLE);
  const path = personPath(known);
  world().advance(10);
  const changed = await patch(caller, path, {
    expectedRevision: 1,
    set: { personName: "Lena", importance: 1 },
    remove: ["opinion", "desiredContactIntervalDays"],
  });
  assertEquals(changed.body.data, {
    ...known,
    personName: "Lena",
    importance: 1,
    opinion: null,
    desiredContactIntervalDays: null,
    revision: 2,
    updatedAt: world().now().toISOString(),
  });
  const counted = () =>
    world().rows(`
      select (select count(*) from person_revisions where owner_id = '${caller.accountId}') as r,
             (select count(*) from audit_entries where owner_id = '${caller.accountId}') as a,
             (select count(*) from idempotency_envelopes where owner_id = '${caller.accountId}') as e`);
  const [before] = await counted();
  const nothing = { expectedRevision: 2, set: { importance: 1 }, remove: ["opinion"] };
  const key = ulid();
  for (const replayed of [null, "true"]) {
    const same = await caller.call("PATCH", path, { key, body: nothing });
    assertEquals([same.status, same.body.data], [200, changed.body.data]);
    assertEquals(same.headers.get("Idempotency-Replayed"), replayed);
  }
  const [after] = await counted();
  assertEquals([after.r, after.a, Number(after.e)], [before.r, before.a, Number(before.e) + 1]);
});

Deno.test("A patch is rejected in the order of the contract, and writes nothing", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known);
  const first = { expectedRevision: 1 };
  await assertWritesNothing(world(), async () => {
    const wrongItself: [JsonObject, string[], string[]][] = [
      [first, ["change.required"], []],
      [{ ...first, set: {}, remove: [] }, ["change.required"], []],
      [{ ...first, set: { opinion: "a" }, remove: ["opinion"] }, ["payload.set_and_removed"], [
        "opinion",
      ]],
      [{ ...first, set: { lastContactAt: "2026-01-01T00:00:00Z" } }, ["undeclared_field"], []],
      [{ ...first, remove: ["lastContactAt"] }, ["undeclared_field"], []],
      [{ ...first, remove: ["personName"] }, ["field.required"], ["personName"]],
      [{ ...first, set: { opinion: null } }, ["field.null"], ["opinion"]],
      [{ ...first, set: { status: "PAUSED" } }, ["undeclared_field"], []],
      [{ ...first, remove: ["opinion", "opinion"] }, ["field.repeated"], ["remove"]],
      [{ set: { opinion: "a" } }, ["field.required"], ["expectedRevision"]],
      [{ expectedRevision: 0, set: { opinion: "a" } }, ["field.range"], ["expectedRevision"]],
    ];
    for (const [body, rules, fields] of wrongItself) {
      for (const target of [path, `${PEOPLE}/${ulid()}`]) {
        assertInvalid(await patch(caller, target, body), rules, fields, JSON.stringify(body));
      }
    }
    // The revision is checked before the effect.
    const stale = { expectedRevision: 2, set: { importance: PERSON.importance ?? 0 } };
    assertFailure(await patch(caller, `${PEOPLE}/${ulid()}`, stale), "RECORD_NOT_FOUND");
    assertFailure(await patch(caller, path, stale), "REVISION_CONFLICT");
  });
});

Deno.test("Each revision reads back exactly, by its number, with its entity tag and in the list", async () => {
  const caller = await world().createCaller();
  const states = [await createPerson(caller)];
  const path = personPath(states[0]);
  const steps: (() => Promise<unknown>)[] = [
    () => patch(caller, path, { expectedRevision: 1, set: { opinion: "Kind." } }),
    () => contact(caller, states[0]),
    () => move(caller, states[0], "PAUSED"),
    () => move(caller, states[0], "archive"),
    () => move(caller, states[0], "restore"),
    () => move(caller, states[0], "SEALED"),
  ];
  for (const step of steps) {
    world().advance(5);
    await step();
    states.push(await read(caller, path));
  }
  for (const [index, state] of states.entries()) {
    const response = await caller.call("GET", `${path}?revision=${index + 1}`);
    assertEquals(response.body.data, atRevision(state));
    assertEquals(response.headers.get("ETag"), `"${index + 1}"`);
  }
  await assertWritesNothing(world(), async () => {
    assertFailure(await caller.call("GET", `${path}?revision=8`), "RECORD_NOT_FOUND");
    assertInvalid(await caller.call("GET", `${path}?revision=0`), ["field.range"], ["revision"]);
  });
  const revisions = (await walkPages(caller, `${path}/revisions`, { limit: "3" })).flat();
  assertEquals(revisions.map(({ change }) => change), [
    "STATUS_CHANGED",
    "RESTORED",
    "ARCHIVED",
    "STATUS_CHANGED",
    "CONTACT_RECORDED",
    "MODIFIED",
    "CREATED",
  ]);
  for (const [index, { revisionId: _, change: __, ...state }] of revisions.entries()) {
    assertEquals(state, atRevision(states[states.length - 1 - index]));
  }
});

Deno.test("A repeated creation returns the first person, also after a change", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const first = await caller.call("POST", PEOPLE, { key, body: WHOLE });
  await move(caller, first.body.data, "SEALED");
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("POST", PEOPLE, { key, body: WHOLE });
    assertEquals([again.status, again.body.data], [201, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    const reused = await caller.call("POST", PEOPLE, { key, body: PERSON });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
  });
});

/** The record that generic reads must show. */
function projectionOf(known: Json): Json {
  return {
    recordId: known.personId,
    moduleCode: "relationship",
    title: known.personName,
    summary: known.relationshipType,
    payload: {},
    localTimes: {},
    revision: known.revision,
    sourceType: "USER_INPUT",
    recordedAt: known.createdAt,
    createdAt: known.createdAt,
    updatedAt: known.updatedAt,
    archivedAt: known.archivedAt,
  };
}

Deno.test("Generic reads show name and kind of each revision, and write nothing", async () => {
  const caller = await world().createCaller();
  const states = [await createPerson(caller, WHOLE)];
  const path = personPath(states[0]);
  const record = `/api/v2/records/relationship/${states[0].personId}`;
  for (const step of ["set", "contact", "archive", "SEALED"] as const) {
    world().advance(10);
    if (step === "set") {
      await patch(caller, path, { expectedRevision: 1, set: { personName: "Lena" } });
    } else if (step === "contact") await contact(caller, states[0]);
    else await move(caller, states[0], step);
    states.push(await read(caller, path));
  }
  assertEquals(await read(caller, record), { ...projectionOf(states.at(-1)), attachmentIds: [] });
  // Version 1 serves the same, except `attachmentIds`.
  const old = `/api/v1/relationship/${states[0].personId}`;
  assertEquals(await read(caller, old), projectionOf(states.at(-1)));
  for (const [index, state] of states.entries()) {
    assertEquals(await read(caller, `${record}?revision=${index + 1}`), projectionOf(state));
  }
  const revisions = (await walkPages(caller, `${record}/revisions`)).flat().toReversed();
  const changes = ["CREATED", "MODIFIED", "MODIFIED", "ARCHIVED", "MODIFIED"];
  assertEquals(revisions.map(({ change }) => change), changes);
  const writes: [string, string, JsonObject][] = [
    ["POST", "/api/v2/records/relationship", { title: "A", payload: {} }],
    ["PATCH", record, { title: "B" }],
    ["POST", `${record}/archive`, {}],
    ["POST", `${record}/restore`, {}],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [method, target, body] of writes) {
      const response = await caller.call(method, target, { key: ulid(), body });
      assertFailure(response, "RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED", target);
    }
  });
  const reader = await withPermissions(world(), caller, "record.read");
  await assertWritesNothing(world(), async () => {
    assertFailure(await reader.call("GET", record), "FORBIDDEN");
  });
  const both = await withPermissions(world(), caller, "record.read", "relationship.person.read");
  assertEquals((await both.call("GET", record)).status, 200);
});

Deno.test("No route shows or finds another owner's person", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known);
  const entry = await contact(caller, known);
  const other = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    const reads = ["", "/revisions", "/status/history", "/experiences", "/contacts", "/evidence"];
    for (const end of [...reads, "/timeline", `/contacts/${entry.contactId}`]) {
      assertFailure(await other.call("GET", path + end), "RECORD_NOT_FOUND", end);
    }
    const next = { expectedRevision: 2 };
    assertFailure(
      await patch(other, path, { ...next, set: { importance: 1 } }),
      "RECORD_NOT_FOUND",
    );
    const moves: [string, JsonObject][] = [
      ["/status", { status: "SEALED", ...next }],
      ["/archive", next],
      ["/restore", next],
    ];
    for (const [end, body] of moves) {
      assertFailure(await post(other, path + end, body), "RECORD_NOT_FOUND", end);
    }
  });
});
