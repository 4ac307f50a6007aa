/** Adds sample people, with the schemas and rules of requests. */

import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import type { FieldSet } from "../../catalog/module.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import type { Command, CommandResult, PlannedWrite } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import { appendEntry, type LedgerEntry } from "../../kit/entry.ts";
import { fieldsBody, newColumns, patchRoute } from "../../kit/fields.ts";
import { changeRoot, createRoot, type RootResult } from "../../kit/write.ts";
import { CONTACT_FIELDS } from "../../families/relationship/contact.ts";
import { CONTACT_CONTROL, contactWrite } from "../../families/relationship/contact_routes.ts";
import { CONTACT_LEDGER } from "../../families/relationship/contact_store.ts";
import { controlEntry, type ControlRoute } from "../../families/relationship/control.ts";
import { DETAIL_BODY } from "../../families/relationship/detail.ts";
import { detailWrite } from "../../families/relationship/detail_routes.ts";
import { DETAIL_LEDGER } from "../../families/relationship/detail_store.ts";
import { checkValue } from "../../families/relationship/detail_value.ts";
import { EVIDENCE_CONTROL, evidenceWrite } from "../../families/relationship/evidence_routes.ts";
import { EVIDENCE_LEDGER } from "../../families/relationship/evidence_store.ts";
import { EVIDENCE_BODY, EVIDENCE_FIELDS } from "../../families/relationship/evidence.ts";
import { EXPERIENCE_FIELDS } from "../../families/relationship/experience.ts";
import { experienceWrite } from "../../families/relationship/experience_routes.ts";
import { EXPERIENCE_LEDGER } from "../../families/relationship/experience_store.ts";
import { PERSON_FIELDS, type PersonRow } from "../../families/relationship/person.ts";
import {
  decideArchive,
  decideCreate,
  decideRestore,
  decideStatus,
  type NextPerson,
} from "../../families/relationship/person_rules.ts";
import { moved } from "../../families/relationship/status_routes.ts";
import { PEOPLE, type PersonTypes } from "../../families/relationship/person_store.ts";
import { type ObjectSchema, readBody } from "../../validate/schema.ts";
import type { Life, SampleMove, SamplePerson } from "./sample.ts";
import { type SeededPerson, seedEvaluation } from "./evaluation.ts";
import type { Seeding } from "./seeding.ts";
import { stepCommand } from "./steps.ts";

const PATCH = patchRoute(PEOPLE.idOf, PERSON_FIELDS);

/** Yields the outcome of each creation. */
export async function* seedPerson(
  seeding: Seeding,
  life: Life,
  sample: SamplePerson,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  const { name, changes = [], moves = [] } = sample;
  const command = stepCommand({ seeding, name }, PEOPLE, "", "person.create");
  const body = readBody(fieldsBody(RELATIONSHIP), {
    personName: name,
    ...life.fill(sample.person),
  });
  const made = await createRoot(seeding, PEOPLE, command, {
    decide: () => decideCreate(body, command.now),
  });
  yield made;
  const person = { seeding, name, key: { personId: made.id } };
  yield* seedLedgers(person, life, sample);
  for (const [index, set] of changes.entries()) await change(person, index + 1, life.fill(set));
  if (sample.evaluated) yield await seedEvaluation(person);
  for (const [index, move] of moves.entries()) await moveOn(person, index + 1, move);
}

async function* seedLedgers(
  person: SeededPerson,
  life: Life,
  { details = [], contacts = [], experiences = [], evidence = [] }: SamplePerson,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  for (const [index, detail] of details.entries()) {
    yield await appendDetail(person, index + 1, detail);
  }
  for (const [index, { contact, retracted }] of contacts.entries()) {
    const made = await append(person, CONTACT_KIND, index + 1, life.fill(contact));
    yield made;
    if (retracted) {
      await control(person, "contact", CONTACT_CONTROL, made.id, { kind: "RETRACTED" });
    }
  }
  for (const [index, experience] of experiences.entries()) {
    yield await append(person, EXPERIENCE_KIND, index + 1, life.fill(experience));
  }
  let before: string | null = null;
  for (const [index, { evidence: sent, supersedes }] of evidence.entries()) {
    const made = await append(person, EVIDENCE_KIND, index + 1, life.fill(sent));
    yield made;
    if (supersedes && before !== null) {
      const body = { kind: "SUPERSEDED", supersededBy: made.id };
      await control(person, "evidence", EVIDENCE_CONTROL, before, body);
    }
    before = made.id;
  }
}

/** A kind of entry that requests append. */
interface Kind<Columns, Row, Item> {
  readonly name: string;
  readonly entry: LedgerEntry<PersonTypes["key"], Row, Item>;
  readonly body: ObjectSchema;
  readonly kept: { readonly fields: FieldSet; readonly columns: (fields: PayloadView) => Columns };
  readonly write: (
    person: PersonRow,
    columns: Columns,
    writer: Seeding["caller"],
    now: Date,
  ) => PlannedWrite<Item>;
}

const CONTACT_KIND = {
  name: "contact",
  entry: CONTACT_LEDGER,
  body: fieldsBody(CONTACT_FIELDS.fields),
  kept: CONTACT_FIELDS,
  write: contactWrite,
} as const;

const EXPERIENCE_KIND = {
  name: "experience",
  entry: EXPERIENCE_LEDGER,
  body: fieldsBody(EXPERIENCE_FIELDS.fields),
  kept: EXPERIENCE_FIELDS,
  write: experienceWrite,
} as const;

const EVIDENCE_KIND = {
  name: "evidence",
  entry: EVIDENCE_LEDGER,
  body: EVIDENCE_BODY,
  kept: EVIDENCE_FIELDS,
  write: evidenceWrite,
} as const;

async function append<Columns, Row, Item>(
  person: SeededPerson,
  { name, entry, body, kept, write }: Kind<Columns, Row, Item>,
  number: number,
  sent: JsonObject,
): Promise<RootResult<Item>> {
  const fields = readBody(body, sent) as JsonObject;
  return await appendDecided(person, { name, entry, number }, (row, { caller, now }) => {
    return write(row, newColumns(kept, fields, { now, recordId: "" }), caller, now);
  });
}

/** For details that link to no person, and are few. */
const UNLINKED = { isLinkKnown: true, liveCount: 0 };

async function appendDetail(
  person: SeededPerson,
  number: number,
  sent: JsonObject,
): Promise<RootResult<unknown>> {
  const body = readBody(DETAIL_BODY, sent);
  checkValue(body.kind, body.value);
  const kind = { name: "detail", entry: DETAIL_LEDGER, number };
  return await appendDecided(person, kind, (row, { caller, now }) => {
    return detailWrite(row, body, UNLINKED, caller, now);
  });
}

async function appendDecided<Row, Item>(
  person: SeededPerson,
  { name, entry, number }: Pick<Kind<unknown, Row, Item>, "name" | "entry"> & {
    readonly number: number;
  },
  decide: (person: PersonRow, command: Command) => PlannedWrite<Item>,
): Promise<RootResult<Item>> {
  const { seeding, key } = person;
  const about = { module: PEOPLE.module, policy: entry.policy };
  const command = stepCommand(person, about, `/${name} ${number}`, `${name}.create`);
  return await appendEntry(seeding, PEOPLE, entry, command, {
    key,
    decide: (row) => decide(row, command),
  });
}

async function control<S extends ObjectSchema, Related, Row, Item>(
  person: SeededPerson,
  name: "contact" | "evidence",
  route: ControlRoute<S, Related, Row, Item>,
  entryId: string,
  sent: JsonObject,
): Promise<void> {
  const { seeding, key } = person;
  const about = { module: PEOPLE.module, policy: route.policy };
  const command = stepCommand(person, about, `/control of ${entryId}`, `${name}.control`);
  const { caller, now } = command;
  const body = readBody(route.body, sent);
  const owner = caller.account.accountId;
  await controlEntry(seeding, route, command, { caller, owner, ...key, entryId, body, now });
}

async function change(person: SeededPerson, number: number, set: JsonObject): Promise<void> {
  const { seeding, key } = person;
  const command = stepCommand(person, PEOPLE, `/change ${number}`, "person.modify");
  await changeRoot(seeding, PEOPLE, command, {
    key,
    expectedRevision: undefined,
    check: () => PATCH.check({ set }, command.now),
    decide: (row) => PATCH.decide(row, { set }, command.now),
  });
}

/** The operation that leads to each status. */
const MOVES = {
  ACTIVE: ["status.set", (row, now) => decideStatus(row, "ACTIVE", now)],
  PAUSED: ["status.set", (row, now) => decideStatus(row, "PAUSED", now)],
  SEALED: ["status.set", (row, now) => decideStatus(row, "SEALED", now)],
  ARCHIVED: ["person.archive", decideArchive],
  RESTORED: ["person.restore", decideRestore],
} as const satisfies Readonly<
  Record<SampleMove["to"], readonly [string, (row: PersonRow, now: Date) => NextPerson]>
>;

async function moveOn(
  person: SeededPerson,
  number: number,
  { to, reason }: SampleMove,
): Promise<void> {
  const { seeding, key } = person;
  const [operation, decide] = MOVES[to];
  const command = stepCommand(person, PEOPLE, `/move ${number}`, operation);
  await changeRoot(seeding, PEOPLE, command, {
    key,
    expectedRevision: undefined,
    decide: (row) => moved(row, decide(row, command.now), reason),
  });
}
