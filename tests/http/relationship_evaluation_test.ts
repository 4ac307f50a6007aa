/** REL-005: routes, states and errors of proposals and evaluations. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
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
} from "../families/relationship/evaluation.ts";
import { assertFailure, assertWritesNothing, walkPages } from "./kernel.ts";
import { done } from "../families/memory/api.ts";
import {
  contact,
  createPerson,
  current,
  evidence,
  experience,
  move,
  personPath,
} from "../families/relationship/api.ts";

const world = fileWorld();

/** Operation and kind of credential, in order. */
async function audited(caller: Caller, about: string): Promise<string[]> {
  const rows = await world().rows(`
    select operation, credential_kind from audit_entries
     where owner_id = '${caller.accountId}' and actor_id = owner_id and subject_id = '${about}'
     order by audit_id`);
  return rows.map(({ operation, credential_kind }) => `${operation} ${credential_kind}`);
}

Deno.test("A proposal is requested, completed, and confirmed as an evaluation", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { opinion: "Kind." });
  const entry = await evidence(caller, known);
  const key = ulid();
  const send = () =>
    caller.call("POST", personPath(known, "/proposals"), { key, body: { providerConsent: true } });
  const requested = await send();
  const proposal = requested.body.data;
  assertEquals(requested.status, 202, requested.text);
  assertEquals(requested.headers.get("Location"), proposalPath(proposal));
  const { proposalId, sourceDigest, createdAt } = proposal;
  const whole = {
    proposalId,
    personId: known.personId,
    state: "REQUESTED",
    providerConsent: true,
    sourceDigest,
    sourceRevision: 1,
    candidate: null,
    provider: null,
    model: null,
    attempts: 0,
    createdAt,
    readyAt: null,
    expiresAt: null,
    decidedAt: null,
    evaluationRevision: null,
  };
  assertEquals(proposal, whole);
  assert(/^[0-9a-f]{64}$/.test(sourceDigest));
  assertEquals(await shown(caller, proposal), whole);

  world().advance(1_000);
  assertEquals(await ready(world(), proposal), "READY");
  const readyAt = world().now();
  const readied = {
    ...whole,
    ...ANSWER,
    state: "READY",
    attempts: 1,
    readyAt: readyAt.toISOString(),
    expiresAt: new Date(readyAt.getTime() + READY_SECONDS * 1_000).toISOString(),
  };
  assertEquals(await shown(caller, proposal), readied);

  world().advance(1_000);
  const response = await confirm(world(), caller, proposal);
  const decidedAt = world().now().toISOString();
  const confirmed = { ...readied, state: "CONFIRMED", decidedAt, evaluationRevision: 1 };
  assertEquals([response.status, response.body.data], [200, confirmed], response.text);
  assertEquals(await shown(caller, proposal), confirmed);
  assertEquals(await statesOf(caller, proposal), ["REQUESTED", "READY", "CONFIRMED"]);

  const after = await current(caller, known);
  assertEquals(after, {
    ...known,
    revision: 2,
    updatedAt: decidedAt,
    currentEvaluationRevision: 1,
  });
  const path = personPath(known, "/evaluations");
  const [evaluation] = (await walkPages(caller, path)).flat();
  const { evaluationId } = evaluation;
  assertEquals(evaluation, {
    evaluationId,
    personId: known.personId,
    evaluationRevision: 1,
    proposalId,
    origin: "USER_CONFIRMED",
    text: ANSWER.candidate,
    provider: "http",
    model: "a-model",
    sourceDigest,
    sourceRevision: 1,
    personRevision: 2,
    createdAt: decidedAt,
  });
  assertEquals((await caller.call("GET", `${path}/${evaluationId}`)).body.data, evaluation);
  const [revision] = (await walkPages(caller, personPath(known, "/revisions"))).flat();
  assertEquals([revision.change, revision.currentEvaluationRevision], ["EVALUATION_CONFIRMED", 1]);
  const [line] = (await walkPages(caller, personPath(known, "/timeline"))).flat();
  const { kind, sourceId, occurredAt, recordedAt } = line;
  assertEquals([kind, sourceId, occurredAt, recordedAt], [
    "EVALUATION_CONFIRMED",
    evaluationId,
    null,
    decidedAt,
  ]);
  const executions = `/api/v2/records/relationship/${known.personId}/executions`;
  const [execution] = (await walkPages(caller, executions)).flat();
  const { featureId, strategy, revision: read, output } = execution;
  assertEquals([featureId, strategy, read, output], [
    "REL-005",
    "record",
    1,
    { proposalId, sourceDigest, provider: "http" },
  ]);
  assertEquals(await audited(caller, proposalId), [
    "relationship.proposal.create SESSION",
    "relationship.proposal.ready SYSTEM",
    "relationship.proposal.confirm SESSION",
  ]);
  assertEquals(
    (await caller.call("GET", personPath(known, `/evidence/${entry.evidenceId}`))).body.data,
    entry,
  );
  // A replay shows the requested state.
  const again = await send();
  assertEquals([again.status, again.body.data, again.headers.get("Idempotency-Replayed")], [
    202,
    whole,
    "true",
  ]);
});

const CONFLICT = "RELATIONSHIP_PROPOSAL_CONFLICT";

Deno.test("A person has one open proposal, and a ready one stays open when its sources change", async () => {
  const { caller, known, proposal } = await proposed(world());
  const refused = () => assertWritesNothing(world(), () => requestProposal(caller, known));
  assertFailure(await refused(), CONFLICT);
  await ready(world(), proposal);
  assertFailure(await refused(), CONFLICT);
  await contact(caller, known);
  assertFailure(await refused(), CONFLICT);
  assertEquals((await shown(caller, proposal)).state, "READY");
  // Other people have their own.
  await propose(caller, await createPerson(caller));
});

Deno.test("A requested proposal is replaced once its sources have changed", async () => {
  const { caller, known, proposal } = await proposed(world());
  await evidence(caller, known);
  world().advance(1);
  const next = await propose(caller, known);
  assertEquals(await statesOf(caller, proposal), ["REQUESTED", "STALE"]);
  const { state, attempts, candidate, decidedAt } = await shown(caller, proposal);
  assertEquals([state, attempts, candidate, decidedAt], ["STALE", 0, null, null]);
  assertEquals(await audited(caller, proposal.proposalId), [
    "relationship.proposal.create SESSION",
    "relationship.proposal.stale SYSTEM",
  ]);
  const { items } = (await caller.call("GET", personPath(known, "/proposals"))).body.data;
  assertEquals(
    items.map(({ proposalId, state }: Json) => [proposalId, state]).sort(),
    [
      [next.proposalId, "REQUESTED"],
      [proposal.proposalId, "STALE"],
    ].sort(),
  );
});

Deno.test("A ready proposal expires immediately in reads, and is replaced", async () => {
  const { caller, known, proposal } = await readied(world());
  world().advance(READY_SECONDS * 1_000 - 1);
  assertEquals((await shown(caller, proposal)).state, "READY");
  world().advance(1);
  const expired = await assertWritesNothing(world(), () => shown(caller, proposal));
  assertEquals([expired.state, expired.candidate], ["EXPIRED", ANSWER.candidate]);
  assertEquals(await statesOf(caller, proposal), ["REQUESTED", "READY"]);
  const rejected = await assertWritesNothing(world(), () => reject(caller, proposal));
  assertFailure(rejected, CONFLICT);
  await propose(caller, known);
  assertEquals(await statesOf(caller, proposal), ["REQUESTED", "READY", "EXPIRED"]);
  assertEquals(await shown(caller, proposal), expired);
  assertEquals(
    (await audited(caller, proposal.proposalId)).at(-1),
    "relationship.proposal.expire SYSTEM",
  );
});

Deno.test("A late confirmation ends the proposal, and uses up neither proof nor key", async () => {
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
      later: ({ caller, known }: Awaited<ReturnType<typeof readied>>) => evidence(caller, known),
    },
  ] as const;
  for (const { to, code, operation, later } of cases) {
    const made = await readied(world());
    const { caller, known, proposal } = made;
    await later(made);
    const [key, headers] = [ulid(), await confirmationProof(world(), caller)];
    const late = await confirm(world(), caller, proposal, { key, headers });
    assertFailure(late, code);
    const { state, candidate, decidedAt } = await shown(caller, proposal);
    assertEquals([state, candidate, decidedAt], [to, ANSWER.candidate, null]);
    assertEquals(await statesOf(caller, proposal), ["REQUESTED", "READY", to]);
    assertEquals((await current(caller, known)).revision, 1);
    const entries = await world().rows(`
      select operation, credential_kind, module_code, revision, request_id from audit_entries
       where subject_id = '${proposal.proposalId}'
         and operation not in ('relationship.proposal.create', 'relationship.proposal.ready')`);
    assertEquals(entries, [{
      operation: `relationship.proposal.${operation}`,
      credential_kind: "SYSTEM",
      module_code: "relationship",
      revision: null,
      request_id: late.headers.get("X-Request-Id"),
    }]);
    // The same key is still free, and the proof works for the next one.
    const again = () => confirm(world(), caller, proposal, { key, headers });
    assertFailure(await assertWritesNothing(world(), again), CONFLICT);
    const next = await readyProposal(world(), caller, known);
    const fresh = to === "STALE" ? headers : await confirmationProof(world(), caller);
    assertEquals((await confirm(world(), caller, next, { headers: fresh })).status, 200);
  }
});

Deno.test("A confirmation requires a proof of its session, for this proposal or any", async () => {
  const { caller: owner, known, proposal } = await readied(world());
  const other = await readyProposal(world(), owner, await createPerson(owner));
  const refused = async (headers: Record<string, string>, caller = owner) => {
    const response = await assertWritesNothing(
      world(),
      () => confirm(world(), caller, proposal, { headers }),
    );
    assertFailure(response, "STEP_UP_REQUIRED");
  };
  await refused({});
  await refused({ "Step-Up-Proof": "prs_x_forged" });
  await refused(await confirmationProof(world(), owner, other));
  const proof = await confirmationProof(world(), owner);
  await refused(proof, await blindProposer(world(), owner));
  assertEquals((await confirm(world(), owner, proposal, { headers: proof })).status, 200);
  const spent = await confirm(world(), owner, other, { headers: proof });
  assertFailure(spent, "STEP_UP_REQUIRED");
  assertEquals((await current(owner, known)).currentEvaluationRevision, 1);
});

Deno.test("A confirmation happens once, and its replay requires no second proof", async () => {
  const { caller, known, proposal } = await readied(world());
  const key = ulid();
  const first = await confirm(world(), caller, proposal, { key });
  await contact(caller, known);
  const again = await confirm(world(), caller, proposal, { key, headers: {} });
  assertEquals([again.status, again.body.data], [200, first.body.data]);
  assertFailure(await confirm(world(), caller, proposal), CONFLICT);
  assertFailure(await reject(caller, proposal), CONFLICT);
});

Deno.test("Evaluations are numbered, and each names its sources", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  for (const expected of [1, 2, 3]) {
    const proposal = await readyProposal(world(), caller, known);
    assertEquals((await confirm(world(), caller, proposal)).status, 200);
    assertEquals((await current(caller, known)).currentEvaluationRevision, expected);
  }
  const all = (await walkPages(caller, personPath(known, "/evaluations"), { limit: "2" })).flat();
  const figures = all.map((
    each,
  ) => [each.evaluationRevision, each.sourceRevision, each.personRevision]);
  assertEquals(figures, [[3, 3, 4], [2, 2, 3], [1, 1, 2]]);
  const missing = await caller.call("GET", personPath(known, `/evaluations/${ulid()}`));
  assertFailure(missing, "RECORD_NOT_FOUND");
});

Deno.test("A rejection has an optional reason, and ends a ready proposal", async () => {
  const { caller, known, proposal } = await proposed(world());
  const early = await assertWritesNothing(world(), () => reject(caller, proposal));
  assertFailure(early, CONFLICT);
  await ready(world(), proposal);
  const key = ulid();
  const rejected = await reject(caller, proposal, { reason: "It misses what matters." }, key);
  const { state, decidedAt, candidate, evaluationRevision } = rejected.body.data;
  assertEquals([rejected.status, state, decidedAt, candidate, evaluationRevision], [
    200,
    "REJECTED",
    world().now().toISOString(),
    ANSWER.candidate,
    null,
  ]);
  const { items: [event] } =
    (await caller.call("GET", proposalPath(proposal, "/events"))).body.data;
  assertEquals([event.fromState, event.toState, event.reason], [
    "READY",
    "REJECTED",
    "It misses what matters.",
  ]);
  assertEquals((await current(caller, known)).revision, 1);
  const again = await reject(caller, proposal, { reason: "It misses what matters." }, key);
  assertEquals(again.body.data, rejected.body.data);
  assertFailure(await reject(caller, proposal), CONFLICT);
  const next = await readyProposal(world(), caller, known);
  assertFailure(await reject(caller, next, { reason: "x".repeat(501) }), "PAYLOAD_INVALID");
  assertFailure(await reject(caller, next, { reason: "a\nb" }), "PAYLOAD_INVALID");
  const bare = await caller.call("POST", proposalPath(next, "/reject"), { key: ulid() });
  assertEquals([bare.status, bare.body.data?.state], [200, "REJECTED"], bare.text);
});

Deno.test("Experiences and notes of contacts are not sources of an evaluation", async () => {
  const { caller, known, proposal } = await readied(world());
  await experience(caller, known);
  assertEquals((await confirm(world(), caller, proposal)).status, 200);
});

Deno.test("An open proposal of a sealed person reads as expired without a write", async () => {
  const requested = await proposed(world());
  const made = await readied(world());
  for (const { caller, known, proposal } of [requested, made]) {
    const before = await shown(caller, proposal);
    await move(caller, known, "SEALED");
    const answers = await assertWritesNothing(world(), async () => [
      await shown(caller, proposal),
      (await caller.call("GET", personPath(known, "/proposals"))).body.data.items[0],
    ]);
    for (const each of answers) assertEquals(each, { ...before, state: "EXPIRED" });
    const writes = [
      () => requestProposal(caller, known),
      () => confirm(world(), caller, proposal, { expectedRevision: 2, headers: {} }),
      () => reject(caller, proposal),
    ];
    for (const write of writes) {
      const refused = await assertWritesNothing(world(), write);
      assertFailure(refused, "RELATIONSHIP_STATUS_CONFLICT");
    }
  }
});

Deno.test("An archived person accepts no proposal and no decision on one", async () => {
  const { caller, known, proposal } = await readied(world());
  await move(caller, known, "archive");
  assertEquals((await shown(caller, proposal)).state, "READY");
  const writes = [
    () => requestProposal(caller, known),
    () => confirm(world(), caller, proposal, { expectedRevision: 2, headers: {} }),
    () => reject(caller, proposal),
  ];
  for (const write of writes) {
    assertFailure(await assertWritesNothing(world(), write), "RELATIONSHIP_STATUS_CONFLICT");
  }
  await move(caller, known, "restore");
  assertFailure(await confirm(world(), caller, proposal), "RELATIONSHIP_PROPOSAL_STALE");
});

Deno.test("The body of a proposal is only an explicit consent", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const bodies = [{}, { providerConsent: null }, { providerConsent: "true" }, {
    providerConsent: true,
    candidate: "x",
  }];
  for (const body of bodies) {
    const path = personPath(known, "/proposals");
    assertFailure(await caller.call("POST", path, { key: ulid(), body }), "PAYLOAD_INVALID");
  }
  const { proposalId } = await done(caller, personPath(known, "/proposals"), {
    providerConsent: true,
  });
  const claimed = await claim(world(), { proposalId });
  assertEquals(claimed.providerConsent, true);
});
