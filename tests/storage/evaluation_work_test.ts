/** What a worker does to proposals: claims and their ends, attempts and pauses, answers in time and late. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { ClaimedProposal } from "../../src/relationship/claim_store.ts";
import {
  claimProposals,
  completeProposal,
  extendLease,
  failAttempt,
  giveBack,
  LEASE_MS,
  MAXIMUM_BATCH,
  pauseAfter,
  readInput,
} from "../../src/relationship/evaluation_work.ts";
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
} from "../http/evaluation.ts";
import { assertFailure, assertWritesNothing } from "../http/kernel.ts";
import { control, current, evidence, meet, move, personPath } from "../http/relationship.ts";
import { createWorld, fileWorld, type Json, type Person } from "../support/world.ts";

const world = fileWorld();

interface Proposed {
  readonly person: Person;
  readonly known: Json;
  readonly proposal: Json;
}

async function proposed(): Promise<Proposed> {
  const person = await world().person();
  const known = await meet(person);
  return { person, known, proposal: await propose(person, known) };
}

/** Whether a worker can claim a proposal now. What it has claimed for that is given back. */
async function isClaimable(proposal: Json): Promise<boolean> {
  const claimed = await tryClaim(world(), proposal);
  if (claimed !== null) await giveBack(world().database, claimed, world().now());
  return claimed !== null;
}

function complete(claimed: ClaimedProposal) {
  const readiness = { now: world().now(), readySeconds: READY_SECONDS };
  return completeProposal(workerOf(world()), claimed, ANSWER, readiness);
}

/** The stored row of a proposal, as text. */
async function stored({ proposalId }: Json): Promise<string> {
  const rows = await world().rows(`
    select p::text as row from person_proposals p where proposal_id = '${proposalId}'`);
  return rows[0].row;
}

function post({ person, known }: Proposed) {
  const body = { providerConsent: true };
  return person.call("POST", personPath(known, "/proposals"), { key: ulid(), body });
}

Deno.test("A batch holds the ten that have waited longest, and no proposal is in two", async () => {
  await using world = await createWorld();
  const owners = [await world.person(), await world.person()];
  const waiting: string[] = [];
  for (let index = 0; index < 23; index++) {
    const person = owners[index % 2] as Person;
    waiting.push((await propose(person, await meet(person))).proposalId);
    world.advance(1);
  }
  const batches: ClaimedProposal[][] = [];
  for (let batch = 0; batch < 4; batch++) {
    batches.push([...await claimProposals(world.database, world.now())]);
    world.advance(1);
  }
  assertEquals(batches.map(({ length }) => length), [MAXIMUM_BATCH, MAXIMUM_BATCH, 3, 0]);
  const ids = batches.map((batch) => batch.map(({ proposalId }) => proposalId).sort());
  assertEquals(ids, [
    ...[waiting.slice(0, 10), waiting.slice(10, 20), waiting.slice(20)].map((part) => part.sort()),
    [],
  ]);
  assertEquals(new Set(batches.map((batch) => batch[0]?.leaseId)).size, 4);
  assert(batches.flat().every(({ attempts }) => attempts === 1));
  // Those of a dead worker are taken over, the first of them first.
  world.advance(LEASE_MS - 5);
  assertEquals((await claimProposals(world.database, world.now())).length, 0);
  world.advance(1);
  const again = await claimProposals(world.database, world.now());
  assertEquals(again.map(({ proposalId }) => proposalId).sort(), ids[0]);
  assert(again.every(({ attempts }) => attempts === 2));
});

Deno.test("Failed attempts are followed by longer and longer pauses, and the fifth by nothing", async () => {
  assertEquals([1, 2, 3, 4, 5, 8].map(pauseAfter), [
    ...[30_000, 60_000, 120_000, 240_000, 480_000, 3_600_000],
  ]);
  const made = await proposed();
  const { person, known, proposal } = made;
  for (let attempt = 1; attempt <= 5; attempt++) {
    const claimed = await claim(world(), proposal);
    assertEquals(claimed.attempts, attempt);
    await failAttempt(world().database, claimed, world().now());
    assertEquals((await shown(person, proposal)).attempts, attempt);
    if (attempt === 5) break;
    world().advance(pauseAfter(attempt) - 1);
    assertEquals(await isClaimable(proposal), false, `${attempt}`);
    assertFailure(await post(made), "RELATIONSHIP_PROPOSAL_CONFLICT");
    world().advance(1);
  }
  world().advance(3_600_000);
  assertEquals(await isClaimable(proposal), false);
  assertEquals((await shown(person, proposal)).state, "REQUESTED");
  const next = await post(made);
  assertEquals(next.status, 202);
  assertEquals(await ready(world(), next.body.data), "READY");
  assertEquals(await statesOf(person, proposal), ["REQUESTED"]);
  // It is not open, so the seal does not end it.
  await move(person, known, "SEALED");
  assertEquals((await shown(person, proposal)).state, "REQUESTED");
  assertEquals((await shown(person, next.body.data)).state, "EXPIRED");
});

Deno.test("The claim of a fifth attempt keeps its proposal open until it ends", async () => {
  const made = await proposed();
  const { person, proposal } = made;
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
  assertEquals((await shown(person, proposal)).attempts, 5);
  assertEquals(await isClaimable(proposal), false);
  assertEquals(await isClaimable(next.body.data), true);
});

Deno.test("A claim holds as long as it is extended, and its late answer is dropped", async () => {
  const { person, proposal } = await proposed();
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
  assertEquals((await shown(person, proposal)).attempts, 2);
});

Deno.test("A claim that is given back was no attempt", async () => {
  const { person, proposal } = await proposed();
  for (let time = 0; time < 7; time++) {
    await giveBack(world().database, await claim(world(), proposal), world().now());
  }
  assertEquals((await shown(person, proposal)).attempts, 0);
  assertEquals(await ready(world(), proposal), "READY");
});

Deno.test("A provider is not asked for what has drifted", async () => {
  const drifts: readonly ((made: Proposed) => Promise<unknown>)[] = [
    ({ person, known }) => evidence(person, known),
    ({ person, known }) => move(person, known, "PAUSED"),
  ];
  for (const drift of drifts) {
    const made = await proposed();
    const claimed = await claim(world(), made.proposal);
    await drift(made);
    assertEquals(await readInput(workerOf(world()), claimed, world().now()), "STALE");
    assertEquals(await statesOf(made.person, made.proposal), ["REQUESTED", "STALE"]);
    const again = () => readInput(workerOf(world()), claimed, world().now());
    assertEquals(await assertWritesNothing(world(), again), "LOST");
  }
});

Deno.test("An answer to what has drifted meanwhile is not kept", async () => {
  const { person, known, proposal } = await proposed();
  const claimed = await claim(world(), proposal);
  const input = await readInput(workerOf(world()), claimed, world().now());
  assert(typeof input !== "string");
  assertEquals(input.evidenceCounts, { supporting: 0, counter: 0 });
  const entry = await evidence(person, known);
  assertEquals(await complete(claimed), "STALE");
  const { state, candidate, provider, readyAt } = await shown(person, proposal);
  assertEquals([state, candidate, provider, readyAt], ["STALE", null, null, null]);
  // What has drifted and come back is as it was.
  await control(person, entry, { kind: "RETRACTED" });
  const next = await propose(person, known);
  assertEquals(next.sourceDigest, proposal.sourceDigest);
});

Deno.test("A worker writes nothing about an archived or sealed person", async () => {
  for (const to of ["archive", "SEALED"] as const) {
    const waiting = await proposed();
    const made = await proposed();
    const claimed = await claim(world(), made.proposal);
    for (const { person, known } of [waiting, made]) await move(person, known, to);
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
    await move(waiting.person, waiting.known, "restore");
    const after = await claim(world(), waiting.proposal);
    assertEquals(await readInput(workerOf(world()), after, world().now()), "STALE");
    assertEquals((await shown(waiting.person, waiting.proposal)).state, "STALE");
  }
});

Deno.test("A ready proposal names its run, and its person keeps its revision", async () => {
  const { person, known, proposal } = await proposed();
  const claimed = await claim(world(), proposal);
  const local = {
    candidate: "Two entries support.",
    provider: "local-summary",
    model: null,
  } as const;
  const worker = workerOf(world());
  const readiness = { now: world().now(), readySeconds: 1 };
  assertEquals(await completeProposal(worker, claimed, local, readiness), "READY");
  const { provider, model, readyAt, expiresAt } = await shown(person, proposal);
  assertEquals([provider, model], ["local-summary", null]);
  assertEquals(Date.parse(expiresAt) - Date.parse(readyAt), 1_000);
  assertEquals((await current(person, known)).revision, 1);
  const written = await world().rows(`
    select credential_id, actor_id, operation from audit_entries
     where subject_id = '${proposal.proposalId}' and credential_kind = 'SYSTEM'`);
  assertEquals(written, [{
    credential_id: worker.commands.processId,
    actor_id: person.accountId,
    operation: "relationship.proposal.ready",
  }]);
});
