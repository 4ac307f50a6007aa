/** Proposals under concurrent requests and workers. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { LeasedProposal } from "../../src/families/relationship/lease_store.ts";
import {
  completeProposal,
  LEASE_MS,
  leaseProposals,
} from "../../src/families/relationship/evaluation_work.ts";
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
} from "../families/relationship/evaluation.ts";
import { patch } from "../families/decision/api.ts";
import {
  control,
  createPerson,
  current,
  evidence,
  personPath,
} from "../families/relationship/api.ts";
import { seededRandom } from "../support/random.ts";
import { createWorld, type Json, sharedWorld, type TestResponse } from "../support/world.ts";
import { ENDINGS, race, type Request } from "./holding.ts";

const world = sharedWorld();

const CONFLICT = "RELATIONSHIP_PROPOSAL_CONFLICT";

function codeOf({ status, body }: TestResponse): string {
  return status < 300 ? "done" : body.error.code;
}

for (const ending of ENDINGS) {
  const expected = (...codes: readonly string[]) => ending === "committed" ? codes[0] : "done";

  Deno.test(`Of two requests for a proposal one creates it, if the first is ${ending}`, async () => {
    const caller = await world().createCaller();
    const known = await createPerson(caller);
    const request: Request = (caller) =>
      caller.call("POST", personPath(known, "/proposals"), {
        key: ulid(),
        body: { providerConsent: true },
      });
    const [, second] = await race(world(), caller, [request, request], ending);
    assertEquals(codeOf(second), expected(CONFLICT));
    const { body: { data: { items } } } = await caller.call("GET", personPath(known, "/proposals"));
    assertEquals(items.length, 1);
  });

  Deno.test(`Of a confirmation and a rejection one decides, if the first is ${ending}`, async () => {
    for (const confirmsFirst of [true, false]) {
      const caller = await world().createCaller();
      const known = await createPerson(caller);
      const proposal = await readyProposal(world(), caller, known);
      const headers = await confirmationProof(world(), caller, proposal);
      const requests: [Request, Request] = [
        (caller) => confirm(world(), caller, proposal, { headers }),
        (caller) => reject(caller, proposal),
      ];
      if (!confirmsFirst) requests.reverse();
      const [, second] = await race(world(), caller, requests, ending);
      assertEquals(codeOf(second), expected(CONFLICT));
      const isConfirmed = confirmsFirst === (ending === "committed");
      const decided = isConfirmed ? "CONFIRMED" : "REJECTED";
      assertEquals(await statesOf(caller, proposal), ["REQUESTED", "READY", decided]);
      assertEquals((await current(caller, known)).revision, isConfirmed ? 2 : 1);
    }
  });

  Deno.test(`A confirmation sees the state when it locks the person, which is ${ending}`, async () => {
    for (const confirmsFirst of [true, false]) {
      const caller = await world().createCaller();
      const known = await createPerson(caller);
      const entry = await evidence(caller, known, { privacy: "PRIVATE", providerConsent: true });
      const proposal = await readyProposal(world(), caller, known, true);
      const headers = await confirmationProof(world(), caller);
      const requests: [Request, Request] = [
        (caller) => confirm(world(), caller, proposal, { headers }),
        (caller) => control(caller, entry, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" }),
      ];
      if (!confirmsFirst) requests.reverse();
      const [, second] = await race(world(), caller, requests, ending);
      const stale = !confirmsFirst && ending === "committed";
      assertEquals(codeOf(second), stale ? "RELATIONSHIP_PROPOSAL_STALE" : "done");
      const state = (await shown(caller, proposal)).state;
      const killed = confirmsFirst && ending === "killed";
      assertEquals(state, stale ? "STALE" : killed ? "READY" : "CONFIRMED");
      // An unused proof works for another proposal.
      const used = state === "CONFIRMED";
      const elsewhere = await readyProposal(world(), caller, await createPerson(caller));
      const next = await confirm(world(), caller, elsewhere, { headers });
      assertEquals(codeOf(next), used ? "STEP_UP_REQUIRED" : "done");
    }
  });
}

Deno.test("An answer precedes a change of its person, or is stale", async () => {
  const random = seededRandom(1);
  for (let round = 0; round < 12; round++) {
    const caller = await world().createCaller();
    const known = await createPerson(caller);
    const proposal = await propose(caller, known);
    const claimed = await claim(world(), proposal);
    const delayed = async <T>(action: () => Promise<T>): Promise<T> => {
      await new Promise((resolve) => setTimeout(resolve, random.integer(0, 6)));
      return await action();
    };
    const readiness = { now: world().now(), readySeconds: READY_SECONDS };
    const change = { expectedRevision: 1, set: { importance: 1 } };
    const [settled, changed] = await Promise.all([
      delayed(() => completeProposal(workerOf(world()), claimed, ANSWER, readiness)),
      delayed(() => patch(caller, personPath(known), change)),
    ]);
    assertEquals(changed.status, 200);
    assert(settled === "READY" || settled === "STALE", settled);
    assertEquals((await shown(caller, proposal)).state, settled);
    const late = await confirm(world(), caller, proposal, { expectedRevision: 2 });
    assertEquals(codeOf(late), settled === "READY" ? "RELATIONSHIP_PROPOSAL_STALE" : CONFLICT);
  }
});

Deno.test("With any number of workers and deaths, each proposal is answered once", async () => {
  await using world = await createWorld();
  const [caller, random] = [await world.createCaller(), seededRandom(2)];
  const proposals: Json[] = [];
  for (let index = 0; index < 24; index++) {
    proposals.push(await propose(caller, await createPerson(caller)));
  }
  const answered = new Map<string, number>();
  const late: LeasedProposal[] = [];
  const answer = async (claimed: LeasedProposal, worker: ReturnType<typeof workerOf>) => {
    const readiness = { now: world.now(), readySeconds: READY_SECONDS };
    const candidate = `${claimed.leaseId} ${claimed.attempts}`;
    const settled = await completeProposal(worker, claimed, { ...ANSWER, candidate }, readiness);
    if (settled !== "READY") return assertEquals(settled, "LOST");
    answered.set(claimed.proposalId, (answered.get(claimed.proposalId) ?? 0) + 1);
  };
  for (let round = 0; answered.size < proposals.length; round++) {
    assert(round < 30, "Proposals are left");
    const batches = await Promise.all(
      Array.from({ length: 8 }, () => leaseProposals(world.database, world.now())),
    );
    const claimed = batches.flat();
    const ids = claimed.map(({ proposalId }) => proposalId);
    assertEquals(new Set(ids).size, ids.length, "A proposal is in two batches");
    // Some workers die; their late answers meet their successors'.
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
  assertEquals([ready, runs], [24, 24]);
});
