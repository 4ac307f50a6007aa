// engines: postgres
/** Raw SQL on proposals and evaluations, in any role. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { PROPOSAL_STATES } from "../../src/families/relationship/proposal.ts";
import { sharedWorld } from "../support/world.ts";
import {
  confirmed,
  evaluationOf,
  insertEvaluation,
  insertEvent,
  insertProposal,
  proposalEventOf,
  proposalOf,
  READY,
} from "../families/relationship/evaluation_rows.ts";
import { insertOwned, newRow } from "./family_rows.ts";
import {
  evidenceOf,
  insertEvidence,
  moveTo,
  PEOPLE,
  revise,
} from "../families/relationship/rows.ts";
import { assertRefusedToAll, AT, insertInto, refusal, type Row, updateRow } from "./rows.ts";

const world = sharedWorld();

const LATER = "2026-11-20T12:01:00.000Z";

/** Stores a person with its own owner. */
async function storedPerson(): Promise<Row> {
  const person = newRow(PEOPLE, ulid());
  await world().raw(insertOwned(PEOPLE, person));
  return person;
}

/** Stores a proposal with its own person. */
async function storedProposal(columns: Row = {}): Promise<{ person: Row; proposal: Row }> {
  const person = await storedPerson();
  const proposal = proposalOf(person, columns);
  await world().raw(insertProposal(proposal));
  return { person, proposal };
}

function change(proposal: Row, columns: Row): string {
  return updateRow("person_proposals", "proposal_id", proposal, { ...proposal, ...columns });
}

/** By state, as set by an update. */
const COLUMNS: Readonly<Record<(typeof PROPOSAL_STATES)[number], Row>> = {
  REQUESTED: { state: "REQUESTED" },
  READY: { state: "READY", ...READY },
  CONFIRMED: { state: "CONFIRMED", decided_at: AT, evaluation_revision: 1 },
  REJECTED: { state: "REJECTED", decided_at: AT },
  EXPIRED: { state: "EXPIRED" },
  STALE: { state: "STALE" },
};

Deno.test("A proposal ends once, and a ready one can only end", async () => {
  const ends = ["REJECTED", "EXPIRED", "STALE"] as const;
  for (const from of ["READY", ...ends] as const) {
    const { proposal } = await storedProposal({ ...READY, ...COLUMNS[from] });
    for (const to of PROPOSAL_STATES) {
      const columns = { decided_at: null, evaluation_revision: null, ...COLUMNS[to] };
      const script = change(proposal, { ...columns, claimable_at: LATER }) +
        insertEvent(proposalEventOf(proposal, from, to));
      if (from !== "READY" || to === "READY" || to === "REQUESTED") {
        await assertRefusedToAll(world(), script, "PRS04");
      } else if (to === "REJECTED") {
        assertEquals(await refusal(world(), `begin; ${script} rollback;`), null);
      }
    }
  }
});

Deno.test("A proposal's request and candidate never change", async () => {
  const { proposal } = await storedProposal(READY);
  const changes: readonly Row[] = [
    { provider_consent: false },
    { source_digest: "cd".repeat(32) },
    { sources: `["${ulid()}"]` },
    { created_at: LATER },
    { person_id: ulid() },
    { proposal_id: ulid() },
    { owner_id: ulid() },
    { candidate: "Forged." },
    { provider: "local-summary", model: null },
    { model: "another" },
    { ready_at: LATER },
    { expires_at: "2027-11-27T12:00:00.000Z" },
    { attempts: 2 },
  ];
  for (const columns of changes) {
    const expected = "attempts" in columns ? "PRS03" : "PRS04";
    await assertRefusedToAll(world(), change(proposal, columns), expected);
    const end = { ...columns, ...COLUMNS.EXPIRED };
    await assertRefusedToAll(world(), change(proposal, end), expected);
  }
});

Deno.test("Each claim is one attempt, except one that is returned", async () => {
  const { proposal } = await storedProposal();
  const lease_id = ulid();
  for (const attempts of [0, 2]) {
    await assertRefusedToAll(world(), change(proposal, { lease_id, attempts }), "PRS03");
  }
  await assertRefusedToAll(world(), change(proposal, { attempts: 1 }), "PRS03");
  const claimed = { ...proposal, lease_id, attempts: 1 };
  await world().raw(change(proposal, { lease_id, attempts: 1 }));
  const wrong: readonly Row[] = [
    { attempts: 2 },
    { attempts: 0 },
    { lease_id: ulid() },
    { lease_id: ulid(), attempts: 3 },
    { lease_id: null, attempts: 2 },
    { ...READY, lease_id: null, attempts: 2 },
  ];
  for (const columns of wrong) {
    await assertRefusedToAll(world(), change(claimed, columns), "PRS03");
  }
  await world().raw(change(claimed, { lease_id: null, attempts: 0 }));
  assertEquals(await refusal(world(), change(proposal, { claimable_at: LATER })), null);
});

Deno.test("A proposal's state is its last event's", async () => {
  const person = await storedPerson();
  const proposal = proposalOf(person);
  const ready = proposalOf(person, READY);
  const wrong: readonly string[] = [
    insertInto("person_proposals", proposal),
    insertProposal(ready, ["REQUESTED"]),
    insertProposal(proposal, ["REQUESTED", "READY"]),
    insertProposal(proposal) + change(proposal, { state: "STALE" }),
    insertProposal(proposal) + insertEvent(proposalEventOf(proposal, "REQUESTED", "STALE")),
  ];
  for (const script of wrong) await assertRefusedToAll(world(), script, "PRS05");
  const stale = insertProposal(proposal) + change(proposal, { state: "STALE" }) +
    insertEvent(proposalEventOf(proposal, "REQUESTED", "STALE"));
  assertEquals(await refusal(world(), stale), null);
});

Deno.test("A person has one open proposal; exhausted attempts close it", async () => {
  const open: readonly Row[] = [
    {},
    { attempts: 4 },
    { attempts: 5, lease_id: ulid() },
    READY,
  ];
  for (const columns of open) {
    const { person } = await storedProposal(columns);
    for (const another of [{}, READY]) {
      const script = insertProposal(proposalOf(person, another));
      await assertRefusedToAll(world(), script, "23505 one_open_proposal_a_person");
    }
    const ended = insertProposal(proposalOf(person, { attempts: 5 })) +
      insertProposal(proposalOf(person, { ...READY, state: "EXPIRED" }));
    assertEquals(await refusal(world(), ended), null);
  }
  const { person } = await storedProposal({ attempts: 5 });
  assertEquals(await refusal(world(), insertProposal(proposalOf(person))), null);
});

Deno.test("A proposal's evidence is about its person", async () => {
  const [person, another] = [await storedPerson(), await storedPerson()];
  const [own, foreign] = [evidenceOf(person), evidenceOf(another)];
  await world().raw(insertEvidence(own) + insertEvidence(foreign));
  for (
    const ids of [[foreign.evidence_id], [own.evidence_id, ulid()], [
      own.evidence_id,
      own.evidence_id,
    ]]
  ) {
    const script = insertProposal(proposalOf(person, { sources: JSON.stringify(ids) }));
    await assertRefusedToAll(world(), script, "PRS05");
  }
  const sources = JSON.stringify([own.evidence_id]);
  assertEquals(await refusal(world(), insertProposal(proposalOf(person, { sources }))), null);
});

Deno.test("An archived or sealed person has no moving proposal and accepts none", async () => {
  for (const status of ["ARCHIVED", "SEALED"]) {
    const { person, proposal } = await storedProposal();
    const { script, person: closed } = moveTo(
      person,
      status,
      status === "ARCHIVED" ? status : "STATUS_CHANGED",
    );
    await world().raw(script);
    const attacks = [
      change(proposal, { lease_id: ulid(), attempts: 1 }),
      change(proposal, { claimable_at: LATER }),
      change(proposal, COLUMNS.STALE),
      insertEvent(proposalEventOf(proposal, "REQUESTED", "STALE")),
      insertProposal(proposalOf(closed, { attempts: 5 })),
    ];
    for (const attack of attacks) {
      await assertRefusedToAll(world(), attack, "PRS02 person_status_allows");
    }
  }
});

Deno.test("An evaluation equals its proposal's candidate, and appends one revision", async () => {
  const person = await storedPerson();
  const wrong: readonly string[] = [
    { evaluation: { text: "Forged." } },
    { evaluation: { provider: "local-summary" } },
    { evaluation: { model: "another" } },
    { evaluation: { model: null } },
    { evaluation: { source_digest: "cd".repeat(32) } },
    { evaluation: { source_revision: 2 } },
    { proposal: { decided_at: LATER } },
    { person: { current_evaluation_revision: null } },
    { person: { importance: 1, last_contact_at: AT } },
    { person: { status: "PAUSED" } },
  ].map((forged) => confirmed(person, forged).script);
  for (const script of wrong) await assertRefusedToAll(world(), script, "PRS05");
  const first = confirmed(person);
  // Without its line, revision or confirmation.
  const { proposal } = first;
  const evaluation = evaluationOf(first.person, proposal);
  const step = revise(person, "EVALUATION_CONFIRMED", { current_evaluation_revision: 1 });
  const modified = revise(person, "MODIFIED", { current_evaluation_revision: 1 });
  const rejected = { ...proposal, state: "REJECTED", evaluation_revision: null };
  const incomplete: readonly string[] = [
    insertProposal(proposal) + insertInto("person_evaluations", evaluation) + step.script,
    insertProposal(proposal) + insertEvaluation(evaluation) + modified.script,
    insertProposal(rejected) + insertEvaluation(evaluation) + step.script,
    revise(person, "EVALUATION_CONFIRMED").script,
  ];
  for (const script of incomplete) await assertRefusedToAll(world(), script, "PRS05");
  for (const { script } of [step, modified]) {
    assertEquals(await refusal(world(), script), "23503 person_evaluation_exists");
    const unreferenced = `set local session_replication_role = replica; ${script}`;
    assertEquals(await refusal(world(), unreferenced), "PRS05");
  }
  await world().raw(first.script);
  // Only a new evaluation changes the newest.
  const back = revise(first.person, "MODIFIED", { current_evaluation_revision: null });
  await assertRefusedToAll(world(), back.script, "PRS05");
  assertEquals(await refusal(world(), confirmed(first.person).script), null);
});
