/** Proposals and evaluations (REL-005): each route, state and refusal, and what each leaves behind. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { fileWorld, type Json, type Person } from "../support/world.ts";
import {
  ANSWER,
  blindProposer,
  claim,
  confirm,
  confirmationProof,
  proposalPath,
  propose,
  proposed,
  readied,
  ready,
  READY_SECONDS,
  readyProposal,
  reject,
  requestProposal,
  shown,
  statesOf,
} from "./evaluation.ts";
import { assertFailure, assertWritesNothing, walkPages } from "./kernel.ts";
import { done } from "./memory.ts";
import { contact, current, evidence, experience, meet, move, personPath } from "./relationship.ts";

const world = fileWorld();

/** The audit entries of an account from the first on: operation and kind of credential. */
async function audited(person: Person, about: string): Promise<string[]> {
  const rows = await world().rows(`
    select operation, credential_kind from audit_entries
     where owner_id = '${person.accountId}' and actor_id = owner_id and subject_id = '${about}'
     order by audit_id`);
  return rows.map(({ operation, credential_kind }) => `${operation} ${credential_kind}`);
}

Deno.test("A proposal is requested, readied, and confirmed as an evaluation", async () => {
  const person = await world().person();
  const known = await meet(person, { opinion: "Kind." });
  const entry = await evidence(person, known);
  const key = ulid();
  const send = () =>
    person.call("POST", personPath(known, "/proposals"), { key, body: { providerConsent: true } });
  const requested = await send();
  const proposal = requested.body.data;
  assertEquals(requested.status, 202, requested.text);
  assertEquals(requested.headers.get("Location"), proposalPath(proposal));
  const { proposalId, sourceDigest, createdAt } = proposal;
  const whole = {
    ...{ proposalId, personId: known.personId, state: "REQUESTED", providerConsent: true },
    ...{ sourceDigest, sourceRevision: 1, candidate: null, provider: null, model: null },
    ...{ attempts: 0, createdAt, readyAt: null, expiresAt: null, decidedAt: null },
    evaluationRevision: null,
  };
  assertEquals(proposal, whole);
  assert(/^[0-9a-f]{64}$/.test(sourceDigest));
  assertEquals(await shown(person, proposal), whole);

  world().advance(1_000);
  assertEquals(await ready(world(), proposal), "READY");
  const readyAt = world().now();
  const readied = {
    ...{ ...whole, ...ANSWER, state: "READY", attempts: 1, readyAt: readyAt.toISOString() },
    expiresAt: new Date(readyAt.getTime() + READY_SECONDS * 1_000).toISOString(),
  };
  assertEquals(await shown(person, proposal), readied);

  world().advance(1_000);
  const response = await confirm(world(), person, proposal);
  const decidedAt = world().now().toISOString();
  const confirmed = { ...readied, state: "CONFIRMED", decidedAt, evaluationRevision: 1 };
  assertEquals([response.status, response.body.data], [200, confirmed], response.text);
  assertEquals(await shown(person, proposal), confirmed);
  assertEquals(await statesOf(person, proposal), ["REQUESTED", "READY", "CONFIRMED"]);

  const after = await current(person, known);
  assertEquals(after, {
    ...known,
    ...{ revision: 2, updatedAt: decidedAt, currentEvaluationRevision: 1 },
  });
  const path = personPath(known, "/evaluations");
  const [evaluation] = (await walkPages(person, path)).flat();
  const { evaluationId } = evaluation;
  assertEquals(evaluation, {
    ...{ evaluationId, personId: known.personId, evaluationRevision: 1, proposalId },
    ...{ origin: "USER_CONFIRMED", text: ANSWER.candidate, provider: "http", model: "a-model" },
    ...{ sourceDigest, sourceRevision: 1, personRevision: 2, createdAt: decidedAt },
  });
  assertEquals((await person.call("GET", `${path}/${evaluationId}`)).body.data, evaluation);
  const [revision] = (await walkPages(person, personPath(known, "/revisions"))).flat();
  assertEquals([revision.change, revision.currentEvaluationRevision], ["EVALUATION_CONFIRMED", 1]);
  const [line] = (await walkPages(person, personPath(known, "/timeline"))).flat();
  const { kind, sourceId, occurredAt, recordedAt } = line;
  assertEquals([kind, sourceId, occurredAt, recordedAt], [
    ...["EVALUATION_CONFIRMED", evaluationId, null, decidedAt],
  ]);
  const executions = `/api/v2/records/relationship/${known.personId}/executions`;
  const [execution] = (await walkPages(person, executions)).flat();
  const { featureId, strategy, revision: read, output } = execution;
  assertEquals([featureId, strategy, read, output], [
    ...["REL-005", "record", 1, { proposalId, sourceDigest, provider: "http" }],
  ]);
  assertEquals(await audited(person, proposalId), [
    "relationship.proposal.create SESSION",
    "relationship.proposal.ready SYSTEM",
    "relationship.proposal.confirm SESSION",
  ]);
  assertEquals(
    (await person.call("GET", personPath(known, `/evidence/${entry.evidenceId}`))).body.data,
    entry,
  );
  // A replay shows the proposal as it was requested.
  const again = await send();
  assertEquals([again.status, again.body.data, again.headers.get("Idempotency-Replayed")], [
    ...[202, whole, "true"],
  ]);
});

const CONFLICT = "RELATIONSHIP_PROPOSAL_CONFLICT";

Deno.test("A person has one open proposal, and a ready one stays open though its sources drift", async () => {
  const { person, known, proposal } = await proposed(world());
  const refused = () => assertWritesNothing(world(), () => requestProposal(person, known));
  assertFailure(await refused(), CONFLICT);
  await ready(world(), proposal);
  assertFailure(await refused(), CONFLICT);
  await contact(person, known);
  assertFailure(await refused(), CONFLICT);
  assertEquals((await shown(person, proposal)).state, "READY");
  // Other people have their own.
  await propose(person, await meet(person));
});

Deno.test("A requested proposal gives way once its sources have drifted", async () => {
  const { person, known, proposal } = await proposed(world());
  await evidence(person, known);
  world().advance(1);
  const next = await propose(person, known);
  assertEquals(await statesOf(person, proposal), ["REQUESTED", "STALE"]);
  const { state, attempts, candidate, decidedAt } = await shown(person, proposal);
  assertEquals([state, attempts, candidate, decidedAt], ["STALE", 0, null, null]);
  assertEquals(await audited(person, proposal.proposalId), [
    "relationship.proposal.create SESSION",
    "relationship.proposal.stale SYSTEM",
  ]);
  const { items } = (await person.call("GET", personPath(known, "/proposals"))).body.data;
  assertEquals(
    items.map(({ proposalId, state }: Json) => [proposalId, state]).sort(),
    [
      [next.proposalId, "REQUESTED"],
      [proposal.proposalId, "STALE"],
    ].sort(),
  );
});

Deno.test("A ready proposal expires: it reads so at once, and gives way to another", async () => {
  const { person, known, proposal } = await readied(world());
  world().advance(READY_SECONDS * 1_000 - 1);
  assertEquals((await shown(person, proposal)).state, "READY");
  world().advance(1);
  const expired = await assertWritesNothing(world(), () => shown(person, proposal));
  assertEquals([expired.state, expired.candidate], ["EXPIRED", ANSWER.candidate]);
  assertEquals(await statesOf(person, proposal), ["REQUESTED", "READY"]);
  const rejected = await assertWritesNothing(world(), () => reject(person, proposal));
  assertFailure(rejected, CONFLICT);
  await propose(person, known);
  assertEquals(await statesOf(person, proposal), ["REQUESTED", "READY", "EXPIRED"]);
  assertEquals(await shown(person, proposal), expired);
  assertEquals(
    (await audited(person, proposal.proposalId)).at(-1),
    "relationship.proposal.expire SYSTEM",
  );
});

Deno.test("A confirmation that comes too late ends the proposal, and spends neither proof nor key", async () => {
  const cases = [
    {
      to: "EXPIRED",
      code: CONFLICT,
      operation: "expire",
      later: () => world().advance(READY_SECONDS * 1_000),
    },
    {
      to: "STALE",
      code: "RELATIONSHIP_PROPOSAL_STALE",
      operation: "stale",
      later: ({ person, known }: Awaited<ReturnType<typeof readied>>) => evidence(person, known),
    },
  ] as const;
  for (const { to, code, operation, later } of cases) {
    const made = await readied(world());
    const { person, known, proposal } = made;
    await later(made);
    const [key, headers] = [ulid(), await confirmationProof(world(), person)];
    const late = await confirm(world(), person, proposal, { key, headers });
    assertFailure(late, code);
    const { state, candidate, decidedAt } = await shown(person, proposal);
    assertEquals([state, candidate, decidedAt], [to, ANSWER.candidate, null]);
    assertEquals(await statesOf(person, proposal), ["REQUESTED", "READY", to]);
    assertEquals((await current(person, known)).revision, 1);
    const entries = await world().rows(`
      select operation, credential_kind, module_code, revision, request_id from audit_entries
       where subject_id = '${proposal.proposalId}'
         and operation not in ('relationship.proposal.create', 'relationship.proposal.ready')`);
    assertEquals(entries, [{
      ...{ operation: `relationship.proposal.${operation}`, credential_kind: "SYSTEM" },
      ...{ module_code: "relationship", revision: null },
      request_id: late.headers.get("X-Request-Id"),
    }]);
    // The state is refused now, under the same key, which is free; the proof is good for the next one.
    const again = () => confirm(world(), person, proposal, { key, headers });
    assertFailure(await assertWritesNothing(world(), again), CONFLICT);
    const next = await readyProposal(world(), person, known);
    const fresh = to === "STALE" ? headers : await confirmationProof(world(), person);
    assertEquals((await confirm(world(), person, next, { headers: fresh })).status, 200);
  }
});

Deno.test("A confirmation takes a proof of its session, for this proposal or for any", async () => {
  const { person, known, proposal } = await readied(world());
  const other = await readyProposal(world(), person, await meet(person));
  const refused = async (headers: Record<string, string>, caller = person) => {
    const response = await assertWritesNothing(
      world(),
      () => confirm(world(), caller, proposal, { headers }),
    );
    assertFailure(response, "STEP_UP_REQUIRED");
  };
  await refused({});
  await refused({ "Step-Up-Proof": "prs_x_forged" });
  await refused(await confirmationProof(world(), person, other));
  const proof = await confirmationProof(world(), person);
  await refused(proof, await blindProposer(world(), person));
  assertEquals((await confirm(world(), person, proposal, { headers: proof })).status, 200);
  const spent = await confirm(world(), person, other, { headers: proof });
  assertFailure(spent, "STEP_UP_REQUIRED");
  assertEquals((await current(person, known)).currentEvaluationRevision, 1);
});

Deno.test("A confirmation is done once, and its replay needs no second proof", async () => {
  const { person, known, proposal } = await readied(world());
  const key = ulid();
  const first = await confirm(world(), person, proposal, { key });
  await contact(person, known);
  const again = await confirm(world(), person, proposal, { key, headers: {} });
  assertEquals([again.status, again.body.data], [200, first.body.data]);
  assertFailure(await confirm(world(), person, proposal), CONFLICT);
  assertFailure(await reject(person, proposal), CONFLICT);
});

Deno.test("Evaluations are numbered, and each names what it was made of", async () => {
  const person = await world().person();
  const known = await meet(person);
  for (const expected of [1, 2, 3]) {
    const proposal = await readyProposal(world(), person, known);
    assertEquals((await confirm(world(), person, proposal)).status, 200);
    assertEquals((await current(person, known)).currentEvaluationRevision, expected);
  }
  const all = (await walkPages(person, personPath(known, "/evaluations"), { limit: "2" })).flat();
  const figures = all.map((
    each,
  ) => [each.evaluationRevision, each.sourceRevision, each.personRevision]);
  assertEquals(figures, [[3, 3, 4], [2, 2, 3], [1, 1, 2]]);
  const missing = await person.call("GET", personPath(known, `/evaluations/${ulid()}`));
  assertFailure(missing, "RECORD_NOT_FOUND");
});

Deno.test("A rejection takes a reason or none, and ends a ready proposal", async () => {
  const { person, known, proposal } = await proposed(world());
  const early = await assertWritesNothing(world(), () => reject(person, proposal));
  assertFailure(early, CONFLICT);
  await ready(world(), proposal);
  const key = ulid();
  const rejected = await reject(person, proposal, { reason: "It misses what matters." }, key);
  const { state, decidedAt, candidate, evaluationRevision } = rejected.body.data;
  assertEquals([rejected.status, state, decidedAt, candidate, evaluationRevision], [
    ...[200, "REJECTED", world().now().toISOString(), ANSWER.candidate, null],
  ]);
  const { items: [event] } =
    (await person.call("GET", proposalPath(proposal, "/events"))).body.data;
  assertEquals([event.fromState, event.toState, event.reason], [
    ...["READY", "REJECTED", "It misses what matters."],
  ]);
  assertEquals((await current(person, known)).revision, 1);
  const again = await reject(person, proposal, { reason: "It misses what matters." }, key);
  assertEquals(again.body.data, rejected.body.data);
  assertFailure(await reject(person, proposal), CONFLICT);
  const next = await readyProposal(world(), person, known);
  assertFailure(await reject(person, next, { reason: "x".repeat(501) }), "PAYLOAD_INVALID");
  assertFailure(await reject(person, next, { reason: "a\nb" }), "PAYLOAD_INVALID");
  const bare = await person.call("POST", proposalPath(next, "/reject"), { key: ulid() });
  assertEquals([bare.status, bare.body.data?.state], [200, "REJECTED"], bare.text);
});

Deno.test("Experiences and the notes of contacts are no source of an evaluation", async () => {
  const { person, known, proposal } = await readied(world());
  await experience(person, known);
  assertEquals((await confirm(world(), person, proposal)).status, 200);
});

Deno.test("An open proposal of a sealed person reads as expired, and nothing is written about it", async () => {
  const requested = await proposed(world());
  const made = await readied(world());
  for (const { person, known, proposal } of [requested, made]) {
    const before = await shown(person, proposal);
    await move(person, known, "SEALED");
    const answers = await assertWritesNothing(world(), async () => [
      await shown(person, proposal),
      (await person.call("GET", personPath(known, "/proposals"))).body.data.items[0],
    ]);
    for (const each of answers) assertEquals(each, { ...before, state: "EXPIRED" });
    const writes = [
      () => requestProposal(person, known),
      () => confirm(world(), person, proposal, { expectedRevision: 2, headers: {} }),
      () => reject(person, proposal),
    ];
    for (const write of writes) {
      const refused = await assertWritesNothing(world(), write);
      assertFailure(refused, "RELATIONSHIP_STATUS_CONFLICT");
    }
  }
});

Deno.test("An archived person takes no proposal and no decision on one", async () => {
  const { person, known, proposal } = await readied(world());
  await move(person, known, "archive");
  assertEquals((await shown(person, proposal)).state, "READY");
  const writes = [
    () => requestProposal(person, known),
    () => confirm(world(), person, proposal, { expectedRevision: 2, headers: {} }),
    () => reject(person, proposal),
  ];
  for (const write of writes) {
    assertFailure(await assertWritesNothing(world(), write), "RELATIONSHIP_STATUS_CONFLICT");
  }
  await move(person, known, "restore");
  assertFailure(await confirm(world(), person, proposal), "RELATIONSHIP_PROPOSAL_STALE");
});

Deno.test("The body of a proposal is a consent, stated either way, and nothing else", async () => {
  const person = await world().person();
  const known = await meet(person);
  const bodies = [{}, { providerConsent: null }, { providerConsent: "true" }, {
    providerConsent: true,
    candidate: "x",
  }];
  for (const body of bodies) {
    const path = personPath(known, "/proposals");
    assertFailure(await person.call("POST", path, { key: ulid(), body }), "PAYLOAD_INVALID");
  }
  const { proposalId } = await done(person, personPath(known, "/proposals"), {
    providerConsent: true,
  });
  const claimed = await claim(world(), { proposalId });
  assertEquals(claimed.providerConsent, true);
});
