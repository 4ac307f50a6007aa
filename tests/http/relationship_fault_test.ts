/** Atomic writes about a person. */

import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { callerOf, fileWorld } from "../support/world.ts";
import {
  CONTACT,
  contact,
  createPerson,
  DETAIL,
  detail,
  EVIDENCE,
  evidence,
  EXPERIENCE,
  PEOPLE,
  PERSON,
  personPath,
} from "../families/relationship/api.ts";

const world = fileWorld();

/** Tables of those writes. */
const TABLES = [
  ..."people person_revisions records record_revisions search_index".split(" "),
  ..."person_status_events person_contacts person_contact_controls".split(" "),
  ..."person_experiences person_evidence person_evidence_controls".split(" "),
  ..."person_timeline_entries person_details person_detail_controls".split(" "),
  ..."audit_entries idempotency_envelopes".split(" "),
];

Deno.test("Each write about a person is atomic, wherever it breaks off", async () => {
  const faulty = faultyDatabase(world().database);
  const owner = await world().createCaller();
  const caller = callerOf(world().again({ database: faulty.database }), owner);
  const known = await createPerson(owner);
  const [one, other] = [await evidence(owner, known), await evidence(owner, known)];
  const { contactId } = await contact(owner, known);
  const phone = await detail(owner, known);
  const at = (below: string) => personPath(known, below);
  const next = (expectedRevision: number) => ({ expectedRevision });
  const writes: readonly [string, string, JsonObject][] = [
    ["POST", PEOPLE, { ...PERSON, lastContactAt: "2026-05-01T00:00:00Z" }],
    ["PATCH", at(""), { ...next(3), set: { personName: "Helena" } }],
    ["POST", at("/contacts"), CONTACT],
    ["POST", at(`/contacts/${contactId}/control`), { kind: "RETRACTED" }],
    ["POST", at("/experiences"), EXPERIENCE],
    ["POST", at("/evidence"), EVIDENCE],
    ["POST", at(`/evidence/${one.evidenceId}/control`), {
      kind: "SUPERSEDED",
      supersededBy: other.evidenceId,
    }],
    ["POST", at("/details"), DETAIL],
    ["POST", at(`/details/${phone.detailId}/control`), { kind: "RETRACTED" }],
    ["POST", at("/status"), { ...next(8), status: "PAUSED", reason: "Some distance." }],
    ["POST", at("/archive"), next(9)],
    ["POST", at("/restore"), next(10)],
    ["POST", at("/status"), { ...next(11), status: "SEALED" }],
  ];
  for (const [method, path, body] of writes) {
    const key = ulid();
    const send = () => caller.call(method, path, { key, body });
    await assertWholeOrNothing(world(), faulty, TABLES, send);
  }
});
