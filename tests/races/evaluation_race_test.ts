/** Proposals that several requests and workers reach for at once. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { ClaimedProposal } from "../../src/relationship/claim_store.ts";
import {
  claimProposals,
  completeProposal,
  LEASE_MS,
} from "../../src/relationship/evaluation_work.ts";
import {
  ANSWER,
  claim,
  confirm,
  confirmationProof,
  propose,
  READY_SECONDS,
  readyProposal,
  reject,
  shown,
  statesOf,
  workerOf,
} from "../http/evaluation.ts";
import { patch } from "../http/decision.ts";
import { control, current, evidence, meet, personPath } from "../http/relationship.ts";
import { seededRandom } from "../support/random.ts";
import { createWorld, type Json, sharedWorld, type TestResponse } from "../support/world.ts";
import { ENDINGS, race, type Request } from "./holding.ts";

const world = sharedWorld();

const CONFLICT = "RELATIONSHIP_PROPOSAL_CONFLICT";

function codeOf({ status, body }: TestResponse): string {
  return status < 300 ? "done" : body.error.code;
}

for (const ending of ENDINGS) {
  const fate = (...codes: readonly string[]) => ending === "committed" ? codes[0] : "done";

  Deno.test(`Of two requests for a proposal one makes it, where the first is ${ending}`, async () => {
    const person = await world().person();
    const known = await meet(person);
    const request: Request = (caller) =>
      caller.call("POST", personPath(known, "/proposals"), {
        key: ulid(),
        body: { providerConsent: true },
      });
    const [, second] = await race(world(), person, [request, request], ending);
    assertEquals(codeOf(second), fate(CONFLICT));
    const { body: { data: { items } } } = await person.call("GET", personPath(known, "/proposals"));
    assertEquals(items.length, 1);
  });

  Deno.test(`Of a confirmation and a rejection one decides, where the first is ${ending}`, async () => {
    for (const confirmsFirst of [true, false]) {
      const person = await world().person();
      const known = await meet(person);
      const proposal = await readyProposal(world(), person, known);
      const headers = await confirmationProof(world(), person, proposal);
      const requests: [Request, Request] = [
        (caller) => confirm(world(), caller, proposal, { headers }),
        (caller) => reject(caller, proposal),
      ];
      if (!confirmsFirst) requests.reverse();
      const [, second] = await race(world(), person, requests, ending);
      assertEquals(codeOf(second), fate(CONFLICT));
      const isConfirmed = confirmsFirst === (ending === "committed");
      const expected = isConfirmed ? "CONFIRMED" : "REJECTED";
      assertEquals(await statesOf(person, proposal), ["REQUESTED", "READY", expected]);
      assertEquals((await current(person, known)).revision, isConfirmed ? 2 : 1);
    }
  });

  Deno.test(`A confirmation takes what is there when it gets the person, which is ${ending}`, async () => {
    for (const confirmsFirst of [true, false]) {
      const person = await world().person();
      const known = await meet(person);
      const entry = await evidence(person, known, { privacy: "PRIVATE", providerConsent: true });
      const proposal = await readyProposal(world(), person, known, true);
      const headers = await confirmationProof(world(), person);
      const requests: [Request, Request] = [
        (caller) => confirm(world(), caller, proposal, { headers }),
        (caller) => control(caller, entry, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" }),
      ];
      if (!confirmsFirst) requests.reverse();
      const [, second] = await race(world(), person, requests, ending);
      const stale = !confirmsFirst && ending === "committed";
      assertEquals(codeOf(second), stale ? "RELATIONSHIP_PROPOSAL_STALE" : "done");
      const state = (await shown(person, proposal)).state;
      const killed = confirmsFirst && ending === "killed";
      assertEquals(state, stale ? "STALE" : killed ? "READY" : "CONFIRMED");
      // A proof that was not used is good for another proposal.
      const used = state === "CONFIRMED";
      const elsewhere = await readyProposal(world(), person, await meet(person));
      const next = await confirm(world(), person, elsewhere, { headers });
      assertEquals(codeOf(next), used ? "STEP_UP_REQUIRED" : "done");
    }
  });
}

Deno.test("An answer comes before a change of its person, or is stale", async () => {
  const random = seededRandom(1);
  for (let round = 0; round < 12; round++) {
    const person = await world().person();
    const known = await meet(person);
    const proposal = await propose(person, known);
    const claimed = await claim(world(), proposal);
    const delayed = async <T>(action: () => Promise<T>): Promise<T> => {
      await new Promise((resolve) => setTimeout(resolve, random.integer(0, 6)));
      return await action();
    };
    const readiness = { now: world().now(), readySeconds: READY_SECONDS };
    const change = { expectedRevision: 1, set: { importance: 1 } };
    const [settled, changed] = await Promise.all([
      delayed(() => completeProposal(workerOf(world()), claimed, ANSWER, readiness)),
      delayed(() => patch(person, personPath(known), change)),
    ]);
    assertEquals(changed.status, 200);
    assert(settled === "READY" || settled === "STALE", settled);
    assertEquals((await shown(person, proposal)).state, settled);
    const late = await confirm(world(), person, proposal, { expectedRevision: 2 });
    assertEquals(codeOf(late), settled === "READY" ? "RELATIONSHIP_PROPOSAL_STALE" : CONFLICT);
  }
});

Deno.test("However many workers claim, and however many die, each proposal is answered once", async () => {
  await using world = await createWorld();
  const [person, random] = [await world.person(), seededRandom(2)];
  const proposals: Json[] = [];
  for (let index = 0; index < 40; index++) {
    proposals.push(await propose(person, await meet(person)));
  }
  const answered = new Map<string, number>();
  const late: ClaimedProposal[] = [];
  const answer = async (claimed: ClaimedProposal, worker: ReturnType<typeof workerOf>) => {
    const readiness = { now: world.now(), readySeconds: READY_SECONDS };
    const candidate = `${claimed.leaseId} ${claimed.attempts}`;
    const settled = await completeProposal(worker, claimed, { ...ANSWER, candidate }, readiness);
    if (settled !== "READY") return assertEquals(settled, "LOST");
    answered.set(claimed.proposalId, (answered.get(claimed.proposalId) ?? 0) + 1);
  };
  for (let round = 0; answered.size < proposals.length; round++) {
    assert(round < 30, "Proposals are left");
    const batches = await Promise.all(
      Array.from({ length: 8 }, () => claimProposals(world.database, world.now())),
    );
    const claimed = batches.flat();
    const ids = claimed.map(({ proposalId }) => proposalId);
    assertEquals(new Set(ids).size, ids.length, "A proposal is in two batches");
    // Some workers die; what they had is answered too late, beside those who took it over.
    const dying = claimed.filter(({ attempts }) => attempts < 4 && random.chance(0.5));
    const [working, overdue] = [claimed.filter((each) => !dying.includes(each)), late.splice(0)];
    await Promise.all([...working, ...overdue].map((each) => answer(each, workerOf(world))));
    late.push(...dying);
    world.advance(LEASE_MS);
  }
  assertEquals([...answered.values()], proposals.map(() => 1));
  const [{ ready, runs }] = await world.rows(`
    select (select count(*)::integer from person_proposal_events where to_state = 'READY') as ready,
           (select count(*)::integer from executions where feature_id = 'REL-005') as runs`);
  assertEquals([ready, runs], [40, 40]);
});
