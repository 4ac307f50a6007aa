// engines: postgres
/** Claims, attempts, pauses, and late answers of workers. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { LeasedProposal } from "../../src/families/relationship/lease_store.ts";
import {
  completeProposal,
  extendLease,
  failAttempt,
  giveBack,
  LEASE_MS,
  leaseProposals,
  MAX_BATCH,
  pauseAfter,
  readInput,
} from "../../src/families/relationship/evaluation_work.ts";
import {
  ANSWER,
  claim,
  propose,
  ready,
  READY_SECONDS,
  shown,
  statesOf,
  tryClaim,
  workerOf,
} from "../families/relationship/evaluation.ts";
import { assertFailure, assertWritesNothing } from "../http/kernel.ts";
import {
  control,
  createPerson,
  current,
  evidence,
  move,
  personPath,
} from "../families/relationship/api.ts";
import { type Caller, createWorld, fileWorld, type Json } from "../support/world.ts";

const world = fileWorld();

interface Proposed {
  readonly caller: Caller;
  readonly known: Json;
  readonly proposal: Json;
}

async function proposed(): Promise<Proposed> {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  return { caller, known, proposal: await propose(caller, known) };
}

/** Returns the claim. */
async function isClaimable(proposal: Json): Promise<boolean> {
  const claimed = await tryClaim(world(), proposal);
  if (claimed !== null) await giveBack(world().database, claimed, world().now());
  return claimed !== null;
}

function complete(claimed: LeasedProposal) {
  const readiness = { now: world().now(), readySeconds: READY_SECONDS };
  return completeProposal(workerOf(world()), claimed, ANSWER, readiness);
}

async function stored({ proposalId }: Json): Promise<string> {
  const rows = await world().rows(`
    select p::text as row from person_proposals p where proposal_id = '${proposalId}'`);
  return rows[0].row;
}

function post({ caller, known }: Proposed) {
  const body = { providerConsent: true };
  return caller.call("POST", personPath(known, "/proposals"), { key: ulid(), body });
}

Deno.test("A batch has the ten longest waiting, and no proposal is in two", async () => {
  await using world = await createWorld();
  const owners = [await world.createCaller(), await world.createCaller()];
  const waiting: string[] = [];
  for (let index = 0; index < 23; index++) {
    const caller = owners[index % 2] as Caller;
    waiting.push((await propose(caller, await createPerson(caller))).proposalId);
    world.advance(1);
  }
  const batches: LeasedProposal[][] = [];
  for (let batch = 0; batch < 4; batch++) {
    batches.push([...await leaseProposals(world.database, world.now())]);
    world.advance(1);
  }
  assertEquals(batches.map(({ length }) => length), [MAX_BATCH, MAX_BATCH, 3, 0]);
  const ids = batches.map((batch) => batch.map(({ proposalId }) => proposalId).sort());
  assertEquals(ids, [
    ...[waiting.slice(0, 10), waiting.slice(10, 20), waiting.slice(20)].map((part) => part.sort()),
    [],
  ]);
  assertEquals(new Set(batches.map((batch) => batch[0]?.leaseId)).size, 4);
  assert(batches.flat().every(({ attempts }) => attempts === 1));
  // A dead worker's are taken over in order.
  world.advance(LEASE_MS - 5);
  assertEquals((await leaseProposals(world.database, world.now())).length, 0);
  world.advance(1);
  const again = await leaseProposals(world.database, world.now());
  assertEquals(again.map(({ proposalId }) => proposalId).sort(), ids[0]);
  assert(again.every(({ attempts }) => attempts === 2));
});

Deno.test("Failed attempts have growing pauses, and the fifth is the last", async () => {
  assertEquals([1, 2, 3, 4, 5, 8].map(pauseAfter), [
    30_000,
    60_000,
    120_000,
    240_000,
    480_000,
    3_600_000,
  ]);
  const made = await proposed();
  const { caller, known, proposal } = made;
  for (let attempt = 1; attempt <= 5; attempt++) {
    const claimed = await claim(world(), proposal);
    assertEquals(claimed.attempts, attempt);
    await failAttempt(world().database, claimed, world().now());
    assertEquals((await shown(caller, proposal)).attempts, attempt);
    if (attempt === 5) break;
    world().advance(pauseAfter(attempt) - 1);
    assertEquals(await isClaimable(proposal), false, `${attempt}`);
    assertFailure(await post(made), "RELATIONSHIP_PROPOSAL_CONFLICT");
    world().advance(1);
  }
  world().advance(3_600_000);
  assertEquals(await isClaimable(proposal), false);
  assertEquals((await shown(caller, proposal)).state, "REQUESTED");
  const next = await post(made);
  assertEquals(next.status, 202);
  assertEquals(await ready(world(), next.body.data), "READY");
  assertEquals(await statesOf(caller, proposal), ["REQUESTED"]);
  // Not open, so the seal does not end it.
  await move(caller, known, "SEALED");
  assertEquals((await shown(caller, proposal)).state, "REQUESTED");
  assertEquals((await shown(caller, next.body.data)).state, "EXPIRED");
});

Deno.test("A fifth attempt's claim keeps its proposal open until it ends", async () => {
  const made = await proposed();
  const { caller, proposal } = made;
  let claimed = await claim(world(), proposal);
  for (let attempt = 1; attempt < 5; attempt++) {
    world().advance(LEASE_MS);
    claimed = await claim(world(), proposal);
  }
  assertEquals(claimed.attempts, 5);
  world().advance(LEASE_MS - 1);
  assertFailure(await post(made), "RELATIONSHIP_PROPOSAL_CONFLICT");
  assertEquals(await extendLease(world().database, claimed, world().now()), true);
  world().advance(LEASE_MS);
  const next = await post(made);
  assertEquals(next.status, 202, next.text);
  assertEquals(await assertWritesNothing(world(), () => complete(claimed)), "LOST");
  await giveBack(world().database, claimed, world().now());
  assertEquals((await shown(caller, proposal)).attempts, 5);
  assertEquals(await isClaimable(proposal), false);
  assertEquals(await isClaimable(next.body.data), true);
});

Deno.test("A claim lasts while it is extended, and a late answer is dropped", async () => {
  const { caller, proposal } = await proposed();
  const first = await claim(world(), proposal);
  for (let beat = 0; beat < 8; beat++) {
    world().advance(LEASE_MS - 1);
    assertEquals(await extendLease(world().database, first, world().now()), true);
    assertEquals(await isClaimable(proposal), false);
  }
  world().advance(LEASE_MS);
  assertEquals(await extendLease(world().database, first, world().now()), false);
  assertEquals(await assertWritesNothing(world(), () => complete(first)), "LOST");
  const second = await claim(world(), proposal);
  const before = await stored(proposal);
  assertEquals(await extendLease(world().database, first, world().now()), false);
  await failAttempt(world().database, first, world().now());
  await giveBack(world().database, first, world().now());
  assertEquals(await assertWritesNothing(world(), () => complete(first)), "LOST");
  assertEquals(await stored(proposal), before);
  assertEquals(await complete(second), "READY");
  assertEquals(await assertWritesNothing(world(), () => complete(second)), "LOST");
  assertEquals((await shown(caller, proposal)).attempts, 2);
});

Deno.test("A returned claim is not an attempt", async () => {
  const { caller, proposal } = await proposed();
  for (let time = 0; time < 7; time++) {
    await giveBack(world().database, await claim(world(), proposal), world().now());
  }
  assertEquals((await shown(caller, proposal)).attempts, 0);
  assertEquals(await ready(world(), proposal), "READY");
});

Deno.test("A provider is not asked about changed sources", async () => {
  const drifts: readonly ((made: Proposed) => Promise<unknown>)[] = [
    ({ caller, known }) => evidence(caller, known),
    ({ caller, known }) => move(caller, known, "PAUSED"),
  ];
  for (const drift of drifts) {
    const made = await proposed();
    const claimed = await claim(world(), made.proposal);
    await drift(made);
    assertEquals(await readInput(workerOf(world()), claimed, world().now()), "STALE");
    assertEquals(await statesOf(made.caller, made.proposal), ["REQUESTED", "STALE"]);
    const again = () => readInput(workerOf(world()), claimed, world().now());
    assertEquals(await assertWritesNothing(world(), again), "LOST");
  }
});

Deno.test("An answer to changed sources is not stored", async () => {
  const { caller, known, proposal } = await proposed();
  const claimed = await claim(world(), proposal);
  const input = await readInput(workerOf(world()), claimed, world().now());
  assert(typeof input !== "string");
  assertEquals(input.evidenceCounts, { supporting: 0, counter: 0 });
  const entry = await evidence(caller, known);
  assertEquals(await complete(claimed), "STALE");
  const { state, candidate, provider, readyAt } = await shown(caller, proposal);
  assertEquals([state, candidate, provider, readyAt], ["STALE", null, null, null]);
  // Changed and restored sources count as unchanged.
  await control(caller, entry, { kind: "RETRACTED" });
  const next = await propose(caller, known);
  assertEquals(next.sourceDigest, proposal.sourceDigest);
});

Deno.test("A worker writes nothing about archived or sealed people", async () => {
  for (const to of ["archive", "SEALED"] as const) {
    const waiting = await proposed();
    const made = await proposed();
    const claimed = await claim(world(), made.proposal);
    for (const { caller, known } of [waiting, made]) await move(caller, known, to);
    const before = [await stored(waiting.proposal), await stored(made.proposal)];
    await assertWritesNothing(world(), async () => {
      assertEquals(await isClaimable(waiting.proposal), false);
      assertEquals(await extendLease(world().database, claimed, world().now()), false);
      await failAttempt(world().database, claimed, world().now());
      await giveBack(world().database, claimed, world().now());
      assertEquals(await readInput(workerOf(world()), claimed, world().now()), "LOST");
      assertEquals(await complete(claimed), "LOST");
    });
    assertEquals([await stored(waiting.proposal), await stored(made.proposal)], before);
    if (to === "SEALED") continue;
    await move(waiting.caller, waiting.known, "restore");
    const after = await claim(world(), waiting.proposal);
    assertEquals(await readInput(workerOf(world()), after, world().now()), "STALE");
    assertEquals((await shown(waiting.caller, waiting.proposal)).state, "STALE");
  }
});

Deno.test("A ready proposal names its run, and its person keeps its revision", async () => {
  const { caller, known, proposal } = await proposed();
  const claimed = await claim(world(), proposal);
  const local = {
    candidate: "Two entries support.",
    provider: "local-summary",
    model: null,
  } as const;
  const worker = workerOf(world());
  const readiness = { now: world().now(), readySeconds: 1 };
  assertEquals(await completeProposal(worker, claimed, local, readiness), "READY");
  const { provider, model, readyAt, expiresAt } = await shown(caller, proposal);
  assertEquals([provider, model], ["local-summary", null]);
  assertEquals(Date.parse(expiresAt) - Date.parse(readyAt), 1_000);
  assertEquals((await current(caller, known)).revision, 1);
  const written = await world().rows(`
    select credential_id, actor_id, operation from audit_entries
     where subject_id = '${proposal.proposalId}' and credential_kind = 'SYSTEM'`);
  assertEquals(written, [{
    credential_id: worker.commands.processId,
    actor_id: caller.accountId,
    operation: "relationship.proposal.ready",
  }]);
});
