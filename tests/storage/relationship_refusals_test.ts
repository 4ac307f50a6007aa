// engines: postgres
/** Storage errors for outdated decisions equal the decision's own. */

import { assertEquals, assertRejects } from "@std/assert";
import type { Caller as ServiceCaller } from "../../src/access/identity.ts";
import type { PlannedWrite } from "../../src/command/command.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import { newId } from "../../src/core/ids.ts";
import type { Query, Sql } from "../../src/database/sql.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { nextRevision } from "../../src/kit/root.ts";
import { retractionEntries } from "../../src/families/relationship/contact_store.ts";
import { type EvidenceColumns, newEvidence } from "../../src/families/relationship/evidence.ts";
import {
  EVIDENCE_LEDGER,
  type EvidenceControl,
} from "../../src/families/relationship/evidence_store.ts";
import { decideRetraction } from "../../src/families/relationship/person_rules.ts";
import { entryStatement } from "../../src/kit/write.ts";
import {
  PEOPLE,
  personOptions,
  type PersonTypes,
  STORED_PEOPLE,
} from "../../src/families/relationship/person_store.ts";
import { assertWritesNothing } from "../http/kernel.ts";
import { contact, control, createPerson, evidence, move } from "../families/relationship/api.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { newCommand, newIdentity } from "./entries.ts";

const world = sharedWorld();

type Entries = (sql: Sql, owner: string) => Query<object>;

/** Writes without a decision's checks. */
async function writeBlindly(
  identity: ServiceCaller,
  known: Json,
  entries: Entries,
): Promise<unknown> {
  const { accountId: owner } = identity.account;
  const { constraints } = personOptions({ caller: identity, parsed: { personId: known.personId } });
  return await new CommandRunner(world().database).run(newCommand({ owner, caller: identity }), {
    ...(constraints && { constraints }),
    decide: (): PlannedWrite<null> => ({
      subjectId: known.personId,
      revision: null,
      result: null,
      statement: (sql, ledger) => entryStatement(sql, ledger, entries(sql, owner)),
    }),
    replay: () => Promise.reject(new Error("Nothing was to be replayed")),
  });
}

/** Neither entries nor keys remain. */
async function assertRefused(
  caller: Caller,
  known: Json,
  entries: Entries,
  code: ErrorCode,
): Promise<void> {
  const identity = newIdentity(caller.accountId);
  await assertWritesNothing(world(), async () => {
    const error = await assertRejects(() => writeBlindly(identity, known, entries), ServiceError);
    assertEquals(error.code, code);
  });
}

async function rowOf({ accountId }: Caller, { personId }: Json): Promise<PersonTypes["row"]> {
  const [row] = await world().database.read((sql) => PEOPLE.find(sql, accountId, { personId }));
  if (row === undefined) throw new Error("The person is not there");
  return row;
}

Deno.test("A change of or entry about a sealed person is rejected by its status", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  await move(caller, known, "SEALED");
  const row = await rowOf(caller, known);
  const next = nextRevision(row, "MODIFIED", world().now(), { opinion: "Forged" });
  const code = "RELATIONSHIP_STATUS_CONFLICT";
  const change: Entries = (sql, owner) => STORED_PEOPLE.entries(sql, owner, next.row, "MODIFIED");
  await assertRefused(caller, known, change, code);
  const columns: EvidenceColumns = {
    stance: "COUNTER",
    content: "Late.",
    source_kind: "OTHER",
    source_ref: null,
    privacy: "NORMAL",
    provider_consent: false,
  };
  const entry = newEvidence(known.personId, columns, world().now());
  await assertRefused(
    caller,
    known,
    (sql, owner) => EVIDENCE_LEDGER.added(sql, owner, entry),
    code,
  );
});

Deno.test("A second retraction of a contact is rejected by its state", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const made = await contact(caller, known);
  await control(caller, made, { kind: "RETRACTED" });
  const { row, change } = decideRetraction(await rowOf(caller, known), null, world().now());
  const again = {
    control_id: newId(row.updated_at),
    contact_id: made.contactId,
    person_id: row.person_id,
    kind: "RETRACTED",
    person_revision: row.revision,
    recorded_at: row.updated_at,
  } as const;
  await assertRefused(
    caller,
    known,
    (sql, owner) =>
      sql`
        ${STORED_PEOPLE.entries(sql, owner, row, change)}, ${retractionEntries(sql, owner, again)}`,
    "RELATIONSHIP_ENTRY_CONFLICT",
  );
});

Deno.test("A control that does not fit its evidence is rejected by the evidence's state", async () => {
  const caller = await world().createCaller();
  const [known, another] = [await createPerson(caller), await createPerson(caller)];
  const make = () => evidence(caller, known);
  const [open, ended, secret] = [await make(), await make(), await make()];
  const elsewhere = await evidence(caller, another);
  await control(caller, ended, { kind: "RETRACTED" });
  await control(caller, secret, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
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
      control_id: newId(world().now()),
      evidence_id: entry.evidenceId,
      person_id: known.personId,
      control_number: 3,
      kind: "RETRACTED",
      superseded_by: null,
      privacy: null,
      recorded_at: world().now(),
      ...parts,
    };
    await assertRefused(
      caller,
      known,
      (sql, owner) => EVIDENCE_LEDGER.addedControl(sql, owner, row),
      code,
    );
  }
});
