/**
 * What the storage refuses, should a decision ever be made from what is no longer so: each refusal is
 * the one that the decision itself would have made.
 */

import { assertEquals, assertRejects } from "@std/assert";
import type { Identity } from "../../src/access/identity.ts";
import type { Write } from "../../src/command/command.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import { newId } from "../../src/core/ids.ts";
import type { Query, Sql } from "../../src/database/sql.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { nextRevision } from "../../src/family/root.ts";
import { retractionEntries } from "../../src/relationship/contact_store.ts";
import { type EvidenceColumns, newEvidence } from "../../src/relationship/evidence_entry.ts";
import {
  type EvidenceControl,
  evidenceControlEntry,
  evidenceEntry,
} from "../../src/relationship/evidence_store.ts";
import { decideRetraction } from "../../src/relationship/rules.ts";
import {
  entryStatement,
  PEOPLE,
  personOptions,
  type PersonTypes,
  STORED_PEOPLE,
} from "../../src/relationship/store.ts";
import { assertWritesNothing } from "../http/kernel.ts";
import { contact, control, evidence, meet, move } from "../http/relationship.ts";
import { type Json, type Person, sharedWorld } from "../support/world.ts";
import { newCommand, newIdentity } from "./entries.ts";

const world = sharedWorld();

type Entries = (sql: Sql, owner: string) => Query<object>;

/** Writes entries as a decision that looked at nothing. */
async function writeBlindly(identity: Identity, known: Json, entries: Entries): Promise<unknown> {
  const { accountId: owner } = identity.account;
  const { constraints } = personOptions({ identity, parsed: { personId: known.personId } });
  return await new CommandRunner(world().database).run(newCommand({ owner, identity }), {
    ...(constraints && { constraints }),
    decide: (): Write<null> => ({
      subjectId: known.personId,
      revision: null,
      result: null,
      statement: (sql, ledger) => entryStatement(sql, ledger, entries(sql, owner)),
    }),
    replay: () => Promise.reject(new Error("Nothing was to be replayed")),
  });
}

/** Asserts the refusal of entries, of which nothing stays, nor of their key. */
async function assertRefused(
  person: Person,
  known: Json,
  entries: Entries,
  code: ErrorCode,
): Promise<void> {
  const identity = newIdentity(person.accountId);
  await assertWritesNothing(world(), async () => {
    const error = await assertRejects(() => writeBlindly(identity, known, entries), ServiceError);
    assertEquals(error.code, code);
  });
}

/** A person as the database has it. */
async function rowOf({ accountId }: Person, { personId }: Json): Promise<PersonTypes["row"]> {
  const [row] = await world().database.read((sql) => PEOPLE.find(sql, accountId, { personId }));
  if (row === undefined) throw new Error("The person is not there");
  return row;
}

Deno.test("A change of a sealed person, and an entry about it, are refused as its status", async () => {
  const person = await world().person();
  const known = await meet(person);
  await move(person, known, "SEALED");
  const row = await rowOf(person, known);
  const next = nextRevision(row, "MODIFIED", world().now(), { opinion: "Forged" });
  const code = "RELATIONSHIP_STATUS_CONFLICT";
  const change: Entries = (sql, owner) => STORED_PEOPLE.entries(sql, owner, next.row, "MODIFIED");
  await assertRefused(person, known, change, code);
  const columns: EvidenceColumns = {
    stance: "COUNTER",
    content: "Late.",
    source_kind: "OTHER",
    source_ref: null,
    privacy: "NORMAL",
    provider_consent: false,
  };
  const entry = newEvidence(known.personId, columns, world().now());
  await assertRefused(person, known, (sql, owner) => evidenceEntry(sql, owner, entry), code);
});

Deno.test("A second retraction of a contact is refused as its state", async () => {
  const person = await world().person();
  const known = await meet(person);
  const made = await contact(person, known);
  await control(person, made, { kind: "RETRACTED" });
  const { row, change } = decideRetraction(await rowOf(person, known), null, world().now());
  const again = {
    control_id: newId(row.updated_at),
    contact_id: made.contactId,
    person_id: row.person_id,
    person_revision: row.revision,
    recorded_at: row.updated_at,
  };
  await assertRefused(
    person,
    known,
    (sql, owner) =>
      sql`
        ${STORED_PEOPLE.entries(sql, owner, row, change)}, ${retractionEntries(sql, owner, again)}`,
    "RELATIONSHIP_ENTRY_CONFLICT",
  );
});

Deno.test("A control that does not fit its evidence is refused as the evidence's state", async () => {
  const person = await world().person();
  const [known, another] = [await meet(person), await meet(person)];
  const make = () => evidence(person, known);
  const [open, ended, secret] = [await make(), await make(), await make()];
  const elsewhere = await evidence(person, another);
  await control(person, ended, { kind: "RETRACTED" });
  await control(person, secret, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
  const by = (entry: Json) => ({ kind: "SUPERSEDED", superseded_by: entry.evidenceId }) as const;
  const cases: [Json, Partial<EvidenceControl>, ErrorCode][] = [
    [ended, {}, "RELATIONSHIP_ENTRY_CONFLICT"],
    [ended, by(open), "RELATIONSHIP_ENTRY_CONFLICT"],
    [open, by(open), "RELATIONSHIP_ENTRY_CONFLICT"],
    [open, by(ended), "RELATIONSHIP_ENTRY_CONFLICT"],
    [open, by(elsewhere), "RELATIONSHIP_ENTRY_CONFLICT"],
    [secret, { kind: "PRIVACY_RECLASSIFIED", privacy: "PRIVATE" }, "PRIVACY_DOWNGRADE_FORBIDDEN"],
  ];
  for (const [entry, parts, code] of cases) {
    const row: EvidenceControl = {
      ...{ control_id: newId(world().now()), evidence_id: entry.evidenceId },
      ...{ person_id: known.personId, control_number: 3, kind: "RETRACTED" },
      ...{ superseded_by: null, privacy: null, recorded_at: world().now() },
      ...parts,
    };
    await assertRefused(person, known, (sql, owner) => evidenceControlEntry(sql, owner, row), code);
  }
});
