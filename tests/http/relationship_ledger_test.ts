/** REL-003, REL-004, REL-007: experiences, contacts, retractions, timeline. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256Hex } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { post, read } from "../families/memory/api.ts";
import {
  CONTACT,
  contact,
  control,
  createPerson,
  current,
  evidence,
  EXPERIENCE,
  experience,
  move,
  personPath,
} from "../families/relationship/api.ts";

const world = sharedWorld();

/** Subject and revision of each. */
async function namesOf({ accountId }: Caller, operation: string): Promise<Json[][]> {
  const rows = await world().rows(`
    select a.subject_id, a.revision, e.envelope ->> 'recordId' as named,
           (e.envelope ->> 'revision')::integer as at
      from audit_entries a join idempotency_envelopes e using (owner_id, operation)
     where a.owner_id = '${accountId}' and a.operation = '${operation}'`);
  return rows.map(({ subject_id, revision, named, at }) => [subject_id, revision, named, at]);
}

Deno.test("An experience reads back exactly, with the hash of its narrative", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known, "/experiences");
  const sent = {
    ...EXPERIENCE,
    title: " 🌊 ",
    narrative: "Ä\n\t🙂",
    occurredAt: "2019-08-02T22:00:00.25+02:00",
    timeText: "on the night train",
    privacy: "PRIVATE",
  };
  const response = await post(caller, path, sent);
  assertEquals(response.status, 201, response.text);
  const made = response.body.data;
  assertEquals(response.headers.get("Location"), `${path}/${made.experienceId}`);
  assertEquals(made, {
    experienceId: made.experienceId,
    personId: known.personId,
    ...sent,
    occurredAt: "2019-08-02T20:00:00.250Z",
    localTimes: { occurredAt: "2019-08-02T22:00:00.250+02:00" },
    contentHash: sha256Hex(sent.narrative),
    recordedAt: world().now().toISOString(),
  });
  assertEquals(await read(caller, `${path}/${made.experienceId}`), made);
  // It only locks the person.
  assertEquals(await current(caller, known), known);
  assertEquals(await namesOf(caller, "relationship.experience.create"), [
    [made.experienceId, null, made.experienceId, null],
  ]);
  const least = { title: "A", timePrecision: "UNKNOWN", privacy: "NORMAL" };
  const { narrative, occurredAt, timeText, contentHash } = (await post(caller, path, least)).body
    .data;
  assertEquals([narrative, occurredAt, timeText, contentHash], [null, null, null, null]);
  const empty = await post(caller, path, { ...least, narrative: "" });
  assertEquals(empty.body.data.contentHash, sha256Hex(""));
});

Deno.test("An invalid experience is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  const path = personPath(await createPerson(caller), "/experiences");
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(EXPERIENCE).filter(([name]) => !names.includes(name)));
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{ ...EXPERIENCE, title: " " }, ["field.blank"], ["title"]],
    [{ ...EXPERIENCE, title: "x".repeat(201) }, ["field.length"], ["title"]],
    [{ ...EXPERIENCE, narrative: "x".repeat(100_001) }, ["field.length"], ["narrative"]],
    [{ ...EXPERIENCE, timeText: "x".repeat(501) }, ["field.length"], ["timeText"]],
    [{ ...EXPERIENCE, privacy: "OPEN" }, ["field.option"], ["privacy"]],
    [{ ...EXPERIENCE, timeRange: null }, ["undeclared_field"], []],
    [without("privacy", "timePrecision"), ["field.required"], ["privacy", "timePrecision"]],
    [without("occurredAt"), ["experience.precise_time_requires_occurred_at"], [
      "occurredAt",
      "timePrecision",
    ]],
    [{ ...EXPERIENCE, timePrecision: "UNKNOWN" }, ["experience.unknown_time_forbids_occurred_at"], [
      "occurredAt",
      "timePrecision",
    ]],
    [{ ...EXPERIENCE, timePrecision: "LIFE_PERIOD" }, [
      "experience.life_period_requires_time_text",
    ], ["timeText", "timePrecision"]],
    [{ ...EXPERIENCE, occurredAt: "2999-01-01T00:00:00Z" }, [
      "experience.occurred_at_not_in_the_future",
    ], ["occurredAt"]],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [body, rules, fields] of cases) {
      assertInvalid(await post(caller, path, body as JsonObject), rules, fields, rules[0]);
    }
  });
});

Deno.test("A contact, also an older one, appends a revision with the newest time", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { lastContactAt: "2026-03-01T00:00:00Z" });
  const path = personPath(known, "/contacts");
  const times: [string, string][] = [
    ["2026-04-01T00:00:00Z", "2026-04-01T00:00:00.000Z"],
    ["2026-02-01T00:00:00Z", "2026-04-01T00:00:00.000Z"],
    ["2026-04-01T00:00:00.0Z", "2026-04-01T00:00:00.000Z"],
  ];
  for (const [index, [contactedAt, newest]] of times.entries()) {
    world().advance(5);
    const response = await post(caller, path, { ...CONTACT, contactedAt, privacy: "PRIVATE" });
    assertEquals(response.status, 201, response.text);
    const made = response.body.data;
    const at = world().now().toISOString();
    assertEquals(made, {
      ...CONTACT,
      contactId: made.contactId,
      personId: known.personId,
      contactedAt: new Date(contactedAt).toISOString(),
      localTimes: {},
      privacy: "PRIVATE",
      contentHash: sha256Hex(String(CONTACT.note)),
      state: "LIVE",
      personRevision: index + 2,
      recordedAt: at,
    });
    assertEquals(response.headers.get("Location"), `${path}/${made.contactId}`);
    assertEquals(await read(caller, `${path}/${made.contactId}`), made);
    assertEquals(await current(caller, known), {
      ...known,
      lastContactAt: newest,
      revision: index + 2,
      updatedAt: at,
    });
  }
  const audited = await world().rows(`
    select revision from audit_entries
     where owner_id = '${caller.accountId}' and operation = 'relationship.contact.create'
     order by revision`);
  assertEquals(audited.map(({ revision }) => revision), [2, 3, 4]);
});

Deno.test("An invalid contact is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  const path = personPath(await createPerson(caller), "/contacts");
  await assertWritesNothing(world(), async () => {
    const cases: [Record<string, unknown>, string[], string[]][] = [
      [{ contactedAt: "2999-01-01T00:00:00Z" }, ["contact.contacted_at_not_in_the_future"], [
        "contactedAt",
      ]],
      [{ channel: "PIGEON" }, ["field.option"], ["channel"]],
      [{ direction: "AWAY" }, ["field.option"], ["direction"]],
      [{ note: "x".repeat(100_001) }, ["field.length"], ["note"]],
      [{ note: null }, ["field.null"], ["note"]],
      [{ state: "LIVE" }, ["undeclared_field"], []],
    ];
    for (const [wrong, rules, fields] of cases) {
      const body = { ...CONTACT, ...wrong } as JsonObject;
      assertInvalid(await post(caller, path, body), rules, fields, rules[0]);
    }
    const required = ["contactedAt", "channel", "direction", "privacy"];
    assertInvalid(await post(caller, path, {}), ["field.required"], required);
  });
});

Deno.test("A retraction is final, and the last contact becomes the newest remaining one", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { lastContactAt: "2026-01-01T00:00:00Z" });
  const at = (month: number) => `2026-0${month}-01T00:00:00.000Z`;
  const made: Json[] = [];
  for (const month of [3, 2, 4]) {
    world().advance(5);
    made.push(await contact(caller, known, { contactedAt: at(month) }));
  }
  const retract = async (entry: Json) => {
    world().advance(5);
    return await control(caller, entry, { kind: "RETRACTED" });
  };
  const steps: [Json, string][] = [[made[2], at(3)], [made[1], at(3)], [made[0], at(1)]];
  for (const [index, [entry, newest]] of steps.entries()) {
    const response = await retract(entry);
    assertEquals([response.status, response.body.data], [200, { ...entry, state: "RETRACTED" }]);
    assertEquals(response.headers.get("Location"), null);
    const { lastContactAt, revision } = await current(caller, known);
    assertEquals([lastContactAt, revision], [newest, 5 + index]);
    const path = personPath(known, `/contacts/${entry.contactId}`);
    assertEquals(await read(caller, path), response.body.data);
  }
  const [first] = (await walkPages(caller, personPath(known, "/contacts"))).flat().toReversed();
  assertEquals((await retract(first)).status, 200);
  assertEquals((await current(caller, known)).lastContactAt, null);
  const other = await createPerson(caller);
  await assertWritesNothing(world(), async () => {
    assertFailure(await retract(first), "RELATIONSHIP_ENTRY_CONFLICT");
    for (const astray of [{ ...first, contactId: ulid() }, { ...first, ...other }]) {
      assertFailure(await retract(astray), "RECORD_NOT_FOUND");
    }
  });
  const wrong: [JsonObject, string[], string[]][] = [
    [{ kind: "SUPERSEDED" }, ["field.option"], ["kind"]],
    [{}, ["field.required"], ["kind"]],
    [{ kind: "RETRACTED", reason: "A" }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [body, rules, fields] of wrong) {
      assertInvalid(await control(caller, first, body), rules, fields);
    }
  });
});

Deno.test("Replays show a contact as it was: live when made, retracted by its control", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const path = personPath(known, "/contacts");
  const [making, retracting] = [ulid(), ulid()];
  const made = await caller.call("POST", path, { key: making, body: CONTACT });
  const retracted = await control(caller, made.body.data, { kind: "RETRACTED" }, retracting);
  await move(caller, known, "SEALED");
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("POST", path, { key: making, body: CONTACT });
    assertEquals([again.status, again.body.data], [201, made.body.data]);
    assertEquals(again.headers.get("Location"), made.headers.get("Location"));
    const repeated = await control(caller, made.body.data, { kind: "RETRACTED" }, retracting);
    assertEquals([repeated.status, repeated.body.data], [200, retracted.body.data]);
    assertEquals(repeated.headers.get("Idempotency-Replayed"), "true");
  });
  const [{ envelope }] = await world().rows(`
    select envelope from idempotency_envelopes
     where owner_id = '${caller.accountId}' and operation = 'relationship.contact.control'`);
  const [{ control_id: recordId }] = await world().rows(`
    select control_id from person_contact_controls where owner_id = '${caller.accountId}'`);
  const policy = "relationship-contact-control";
  assertEquals(envelope, { v: 1, policy, recordId, revision: 3 });
});

const UNDATED: JsonObject = { timePrecision: "LIFE_PERIOD", timeText: "then" };

Deno.test("The timeline shows each source by its own time, or else by its record's", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { lastContactAt: "2026-02-01T00:00:00Z" });
  world().advance(5);
  const made = await contact(caller, known, { contactedAt: "2026-03-01T00:00:00Z" });
  world().advance(5);
  const dated = await experience(caller, known);
  world().advance(5);
  const { occurredAt: _, ...undatedBody } = EXPERIENCE;
  const path = personPath(known, "/experiences");
  const undated = (await post(caller, path, { ...undatedBody, ...UNDATED })).body.data;
  world().advance(5);
  await evidence(caller, known);
  await move(caller, known, "PAUSED");
  world().advance(5);
  await control(caller, made, { kind: "RETRACTED" });
  const timeline = personPath(known, "/timeline");
  const lines = (await walkPages(caller, timeline, { limit: "2" })).flat();
  const [event] = (await read(caller, personPath(known, "/status/history"))).items;
  const first = (await read(caller, personPath(known, "/contacts"))).items.at(-1);
  assertEquals(lines.map(({ kind, sourceId, occurredAt }) => [kind, sourceId, occurredAt]), [
    ["CONTACT_RETRACTED", made.contactId, null],
    ["STATUS_CHANGED", event.eventId, null],
    ["EXPERIENCE_RECORDED", undated.experienceId, null],
    ["CONTACT_RECORDED", made.contactId, made.contactedAt],
    ["CONTACT_RECORDED", first.contactId, first.contactedAt],
    ["EXPERIENCE_RECORDED", dated.experienceId, dated.occurredAt],
  ]);
  for (const line of lines) {
    assertEquals(Object.keys(line).sort(), [
      "entryId",
      "kind",
      "localTimes",
      "occurredAt",
      "personId",
      "recordedAt",
      "sourceId",
    ]);
    assertEquals(await read(caller, `${timeline}/${line.entryId}`), line);
  }
  const elsewhere = personPath(await createPerson(caller), `/timeline/${lines[0].entryId}`);
  await assertWritesNothing(world(), async () => {
    for (const path of [`${timeline}/${ulid()}`, elsewhere]) {
      assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND");
    }
  });
});

Deno.test("Ledgers are listed newest first, for their person only", async () => {
  const caller = await world().createCaller();
  const [known, other] = [await createPerson(caller), await createPerson(caller)];
  const kinds = [["contacts", contact, "contactId"], ["experiences", experience, "experienceId"], [
    "evidence",
    evidence,
    "evidenceId",
  ]] as const;
  for (const [kind, append, id] of kinds) {
    const made: Json[] = [];
    for (let index = 0; index < 5; index++) {
      world().advance(2);
      made.unshift(await append(caller, known));
    }
    const path = personPath(known, `/${kind}`);
    assertEquals((await walkPages(caller, path, { limit: "2" })).flat(), made);
    assertEquals((await read(caller, personPath(other, `/${kind}`))).items, []);
    await assertWritesNothing(world(), async () => {
      for (const astray of [personPath(other, `/${kind}/${made[0][id]}`), `${path}/${ulid()}`]) {
        assertFailure(await caller.call("GET", astray), "RECORD_NOT_FOUND", kind);
      }
      const none = await caller.call("GET", `${path}?limit=0`);
      assertInvalid(none, ["field.range"], ["limit"]);
      // Cursors are signed: plain ids are invalid.
      const plain = await caller.call("GET", `${path}?cursor=${made[2][id]}`);
      assertInvalid(plain, ["cursor.unknown"], ["cursor"]);
    });
  }
});
