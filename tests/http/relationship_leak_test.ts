/** Texts about people in ledgers, log, errors, or for unauthorised readers. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import { assertWritesNothing } from "./kernel.ts";
import { done, post } from "../families/memory/api.ts";
import {
  CONTACT,
  contact,
  control,
  createPerson,
  DETAIL,
  detail,
  EVIDENCE,
  evidence,
  EXPERIENCE,
  experience,
  move,
  PEOPLE,
  PERSON,
  personPath,
  withoutSecrets,
} from "../families/relationship/api.ts";

const shared = fileWorld();

const LIFE = { timePrecision: "LIFE_PERIOD" };

/** Every text marked, entries of one level. */
async function markedPerson(caller: Caller, markers: Markers, privacy: string) {
  const mark = (purpose: string) => ({ [purpose]: markers.make(purpose) });
  const known = await createPerson(caller, {
    ...mark("personName"),
    ...mark("opinion"),
    ...mark("evidence"),
    ...mark("counterEvidence"),
  });
  const set = { ...mark("personName"), ...mark("opinion") };
  await patch(caller, personPath(known), { expectedRevision: 1, set });
  const call = await contact(caller, known, { ...mark("note"), privacy });
  const trip = await experience(caller, known, {
    ...LIFE,
    ...mark("title"),
    ...mark("narrative"),
    ...mark("timeText"),
    privacy,
  });
  const proof = await evidence(caller, known, { ...mark("content"), privacy });
  const value = { value: markers.make("number"), service: markers.make("service") };
  const words = { ...mark("label"), ...mark("note") };
  const phone = await detail(caller, known, { value, ...words, privacy });
  const body = { expectedRevision: 4, ...mark("reason") };
  await done(caller, personPath(known, "/archive"), body);
  await move(caller, known, "restore");
  return { known, call, trip, proof, phone };
}

Deno.test("No audit entry, envelope or log line has text about a person", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const { call, proof, phone } = await markedPerson(caller, markers, "SECRET");
  await control(caller, call, { kind: "RETRACTED" });
  await control(caller, proof, { kind: "RETRACTED" });
  await control(caller, phone, { kind: "RETRACTED" });
  const columns = Object.keys(await markers.assertLedgersTellNothing(world)).sort();
  assertEquals(columns, [
    "people.counter_evidence",
    "people.evidence",
    "people.opinion",
    "people.person_name",
    "person_contacts.note",
    "person_details.label",
    "person_details.note",
    "person_details.value",
    "person_evidence.content",
    "person_experiences.narrative",
    "person_experiences.time_text",
    "person_experiences.title",
    "person_revisions.counter_evidence",
    "person_revisions.evidence",
    "person_revisions.opinion",
    "person_revisions.person_name",
    "person_status_events.reason",
    "record_order.order_form",
    "record_revisions.title",
    "records.title",
    "search_index.lexemes",
  ]);
});

Deno.test("Without access to secrets no response has text of a SECRET entry", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const reader = await withoutSecrets(world, caller);
  const { known, call, trip, proof, phone } = await markedPerson(caller, markers, "SECRET");
  const raised = await evidence(caller, known, { content: markers.make("raised") });
  await control(caller, raised, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
  const below = (end: string) => personPath(known, end);
  const paths = [
    below("/contacts"),
    below(`/contacts/${call.contactId}`),
    below("/experiences"),
    below(`/experiences/${trip.experienceId}`),
    below("/details"),
    below(`/details/${phone.detailId}`),
    below("/evidence"),
    below(`/evidence/${proof.evidenceId}`),
    below(`/evidence/${raised.evidenceId}`),
    below("/timeline"),
  ];
  for (const path of paths) {
    const hidden = await reader.call("GET", path);
    assertEquals([hidden.status, markers.inResponse(hidden)], [200, []], path);
    for (const hash of [call, trip, proof, phone, raised].map(({ contentHash }) => contentHash)) {
      assertEquals(hidden.text.includes(hash), false, path);
    }
  }
  // Generic readers see only the name.
  const record = await reader.call("GET", `/api/v2/records/relationship/${known.personId}`);
  assertEquals(markers.inResponse(record), ["personName"]);
});

Deno.test("No response shows another owner text about a person", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const stranger = await world.createCaller();
  const { known, call, trip, proof } = await markedPerson(caller, markers, "NORMAL");
  await createPerson(stranger);
  const below = (end: string) => personPath(known, end);
  const paths = [
    PEOPLE,
    below(""),
    below("?revision=1"),
    below("/revisions"),
    below("/status/history"),
    below("/contacts"),
    below(`/contacts/${call.contactId}`),
    below(`/experiences/${trip.experienceId}`),
    below(`/evidence/${proof.evidenceId}`),
    below("/timeline"),
    "/api/v2/records/relationship",
    `/api/v2/records/relationship/${known.personId}`,
  ];
  for (const path of paths) {
    const response = await stranger.call("GET", path);
    assertEquals(markers.inResponse(response), [], path);
  }
});

Deno.test("No error about a person repeats what was sent or stored", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const { known, call, proof, phone } = await markedPerson(caller, markers, "SECRET");
  const blind = await withoutSecrets(world, caller);
  const word = markers.make("sent");
  const below = (end: string) => personPath(known, end);
  const refused: [Caller, string, JsonObject][] = [
    [caller, PEOPLE, { ...PERSON, personName: word, relationshipType: word, [word]: word }],
    [caller, PEOPLE, { ...PERSON, personName: word.repeat(20) }],
    [caller, below("/status"), { status: word, expectedRevision: 1 }],
    [caller, below("/status"), { status: "PAUSED", expectedRevision: 1, reason: word }],
    [caller, below("/contacts"), { ...CONTACT, channel: word, note: word }],
    [caller, below("/contacts"), { ...CONTACT, contactedAt: "2999-01-01T00:00:00Z", note: word }],
    [caller, below("/experiences"), { ...EXPERIENCE, title: word, timePrecision: "UNKNOWN" }],
    [caller, below("/evidence"), { ...EVIDENCE, content: word, sourceKind: "RECORD" }],
    [caller, below("/details"), { ...DETAIL, value: { value: word, [word]: word } }],
    [caller, below("/details"), { ...DETAIL, kind: "DATE", value: { what: word, date: word } }],
    [blind, below(`/details/${phone.detailId}/control`), { kind: "RETRACTED" }],
    [caller, below(`/evidence/${ulid()}/control`), { kind: "SUPERSEDED", supersededBy: word }],
    [blind, below(`/evidence/${proof.evidenceId}/control`), { kind: "RETRACTED" }],
    [blind, below(`/contacts/${call.contactId}/control`), { kind: "RETRACTED" }],
  ];
  const changes: Json[] = [
    { expectedRevision: 1, set: { opinion: word } },
    { expectedRevision: 6, set: { opinion: word, [word]: 1 } },
    { expectedRevision: 6, remove: [word] },
  ];
  await assertWritesNothing(world, async () => {
    for (const [caller, path, body] of refused) {
      markers.assertTellsNothing(await post(caller, path, body), path);
    }
    for (const body of changes) {
      markers.assertTellsNothing(await patch(caller, below(""), body), JSON.stringify(body));
    }
    for (const query of [`?status=${word}`, `?cursor=${word}`, `?${word}=1`]) {
      markers.assertTellsNothing(await caller.call("GET", PEOPLE + query), query);
    }
  });
  await move(caller, known, "SEALED");
  await assertWritesNothing(world, async () => {
    const late = await post(caller, below("/contacts"), { ...CONTACT, note: word });
    markers.assertTellsNothing(late, "about a sealed person");
  });
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});
