/** Proposals and evaluations (REL-005): each route, state and refusal, and what each leaves behind. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { fileWorld, type Json, type Person } from "../support/world.ts";
import {
  ANSWER,
  confirm,
  proposalPath,
  propose,
  ready,
  READY_SECONDS,
  readyProposal,
  reject,
  shown,
  statesOf,
} from "./evaluation.ts";
import { assertFailure, assertWritesNothing, walkPages } from "./kernel.ts";
import { control, current, evidence, meet, move, personPath } from "./relationship.ts";

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
  const [[evaluation]] = await walkPages(person, path);
  const { evaluationId } = evaluation;
  assertEquals(evaluation, {
    ...{ evaluationId, personId: known.personId, evaluationRevision: 1, proposalId },
    ...{ origin: "USER_CONFIRMED", text: ANSWER.candidate, provider: "http", model: "a-model" },
    ...{ sourceDigest, sourceRevision: 1, personRevision: 2, createdAt: decidedAt },
  });
  assertEquals((await person.call("GET", `${path}/${evaluationId}`)).body.data, evaluation);
  const [[revision]] = await walkPages(person, personPath(known, "/revisions"));
  assertEquals([revision.change, revision.currentEvaluationRevision], ["EVALUATION_CONFIRMED", 1]);
  const [[line]] = await walkPages(person, personPath(known, "/timeline"));
  const { kind, sourceId, occurredAt, recordedAt } = line;
  assertEquals([kind, sourceId, occurredAt, recordedAt], [
    ...["EVALUATION_CONFIRMED", evaluationId, null, decidedAt],
  ]);
  const executions = `/api/v2/records/relationship/${known.personId}/executions`;
  const [[execution]] = await walkPages(person, executions);
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
