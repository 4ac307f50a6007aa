import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../../src/core/json.ts";
import { proofOf } from "../../support/tokens.ts";
import type { Caller, Json, TestResponse, World } from "../../support/world.ts";
import { done, withPermissions } from "../memory/api.ts";

export const PEOPLE = "/api/v2/relationship/people";

/** The smallest valid body. */
export const PERSON: JsonObject = {
  personName: "Lena",
  relationshipType: "FRIEND",
  importance: 4,
};

export const CONTACT: JsonObject = {
  contactedAt: "2026-06-01T18:30:00.000Z",
  channel: "CALL",
  direction: "OUTGOING",
  note: "The move went well.",
  privacy: "NORMAL",
};

export const EXPERIENCE: JsonObject = {
  title: "The night train",
  narrative: "We talked until the lights went out.",
  occurredAt: "2019-08-02T20:00:00.000Z",
  timePrecision: "DAY",
  privacy: "NORMAL",
};

export const EVIDENCE: JsonObject = {
  stance: "SUPPORTING",
  content: "Came at once when I called.",
  sourceKind: "OBSERVATION",
  privacy: "NORMAL",
  providerConsent: false,
};

export const DETAIL: JsonObject = {
  kind: "PHONE",
  value: { value: "+49 30 1234567", types: ["cell"] },
  privacy: "PRIVATE",
};

export const PEOPLE_EXPORTS = "/api/v2/relationship/exports";

export function createPerson(caller: Caller, body: JsonObject = {}): Promise<Json> {
  return done(caller, PEOPLE, { ...PERSON, ...body });
}

export function personPath(known: Json, below = ""): string {
  return `${PEOPLE}/${known.personId}${below}`;
}

export function contact(caller: Caller, known: Json, body: JsonObject = {}): Promise<Json> {
  return done(caller, personPath(known, "/contacts"), { ...CONTACT, ...body });
}

export function experience(caller: Caller, known: Json, body: JsonObject = {}): Promise<Json> {
  return done(caller, personPath(known, "/experiences"), { ...EXPERIENCE, ...body });
}

export function evidence(caller: Caller, known: Json, body: JsonObject = {}): Promise<Json> {
  return done(caller, personPath(known, "/evidence"), { ...EVIDENCE, ...body });
}

export function detail(caller: Caller, known: Json, body: JsonObject = {}): Promise<Json> {
  return done(caller, personPath(known, "/details"), { ...DETAIL, ...body });
}

export const RETRACTED = { kind: "RETRACTED" };

export function reclassified(privacy: string): JsonObject {
  return { kind: "PRIVACY_RECLASSIFIED", privacy };
}

/** Retracts or controls a contact, evidence or a detail. */
export function control(
  caller: Pick<Caller, "call">,
  entry: Json,
  body: JsonObject,
  key: string = ulid(),
): Promise<TestResponse> {
  const [kind, id] = entry.detailId !== undefined
    ? ["details", entry.detailId]
    : entry.contactId === undefined
    ? ["evidence", entry.evidenceId]
    : ["contacts", entry.contactId];
  return caller.call("POST", personPath(entry, `/${kind}/${id}/control`), { key, body });
}

/** Moves by `/status`, or by the command of that name. */
export async function move(
  caller: Caller,
  known: Json,
  to: "ACTIVE" | "PAUSED" | "SEALED" | "archive" | "restore",
): Promise<Json> {
  const { revision: expectedRevision } = await current(caller, known);
  return to === "archive" || to === "restore"
    ? await done(caller, personPath(known, `/${to}`), { expectedRevision })
    : await done(caller, personPath(known, "/status"), { status: to, expectedRevision });
}

export async function current(caller: Caller, known: Json): Promise<Json> {
  const response = await caller.call("GET", personPath(known));
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

/** The account without `relationship.ledger.secret`. */
export function withoutSecrets(world: World, caller: Caller): Promise<Caller> {
  return withPermissions(
    world,
    caller,
    "relationship.person.read",
    "relationship.person.write",
    "relationship.ledger.read",
    "relationship.ledger.write",
    "relationship.status.control",
    "record.read",
  );
}

type ValueOf = (parameter: string) => Promise<string>;

/** Below the example's person. */
async function below(
  caller: Caller,
  valueOf: ValueOf,
  kind: string,
  body: JsonObject,
): Promise<Json> {
  return await done(caller, `${PEOPLE}/${await valueOf("personId")}/${kind}`, body);
}

/** Makers of the objects that parameters of relationship routes name. */
export const RELATIONSHIP_MAKERS = {
  personId: async (caller: Caller) => (await createPerson(caller)).personId,
  archivedPersonId: async (caller: Caller) => {
    const known = await createPerson(caller);
    return (await move(caller, known, "archive")).personId;
  },
  experienceId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "experiences", EXPERIENCE)).experienceId,
  contactId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "contacts", CONTACT)).contactId,
  evidenceId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "evidence", EVIDENCE)).evidenceId,
  detailId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "details", DETAIL)).detailId,
  [`${PEOPLE_EXPORTS}/:executionId`]: async (caller: Caller, _valueOf: ValueOf, world: World) => {
    const proof = await proofOf(world, caller, "RELATIONSHIP_EXPORT");
    return (await done(caller, PEOPLE_EXPORTS, { format: "VCARD" }, proof)).executionId;
  },
  entryId: async (caller: Caller, valueOf: ValueOf) => {
    await below(caller, valueOf, "experiences", EXPERIENCE);
    const path = `${PEOPLE}/${await valueOf("personId")}/timeline`;
    return (await caller.call("GET", path)).body.data.items[0].entryId;
  },
} as const;

const ONE = `${PEOPLE}/:personId`;

/** Only archived people can be restored, and evaluations need their own person. */
export function personParameter(path: string, parameter: string): string {
  if (parameter !== "personId") return parameter;
  if (path === `${ONE}/restore`) return "archivedPersonId";
  if (path.startsWith(`${ONE}/proposals/`)) return "proposedPersonId";
  return path.startsWith(`${ONE}/evaluations/`) ? "evaluatedPersonId" : parameter;
}

/** Valid bodies of the examples. */
export const RELATIONSHIP_BODIES = {
  [`POST ${PEOPLE}`]: { body: PERSON },
  [`POST ${PEOPLE}/find`]: { body: { q: "len" } },
  [`PATCH ${ONE}`]: { body: { expectedRevision: 1, set: { importance: 5 } } },
  [`POST ${ONE}/status`]: { body: { status: "PAUSED", expectedRevision: 1 } },
  [`POST ${ONE}/archive`]: { body: { expectedRevision: 1 } },
  [`POST ${ONE}/restore`]: { body: { expectedRevision: 2 } },
  [`POST ${ONE}/experiences`]: { body: EXPERIENCE },
  [`POST ${ONE}/contacts`]: { body: CONTACT },
  [`POST ${ONE}/contacts/:contactId/control`]: { body: { kind: "RETRACTED" } },
  [`POST ${ONE}/details`]: { body: DETAIL },
  [`POST ${ONE}/details/:detailId/control`]: { body: { kind: "RETRACTED" } },
  [`POST ${PEOPLE_EXPORTS}`]: { body: { format: "VCARD" } },
  [`POST ${ONE}/evidence`]: { body: EVIDENCE },
  [`POST ${ONE}/evidence/:evidenceId/control`]: { body: { kind: "RETRACTED" } },
} as const;
