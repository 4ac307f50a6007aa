/** An account that holds something of everything, with what a copy could lose. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { decide, decisionPath, OUTCOME, PREDICTION } from "../http/decision.ts";
import { claim, confirm, propose, readyProposal } from "../http/evaluation.ts";
import {
  COMPARISON,
  COMPARISONS,
  introduce,
  roleBody,
  ROLES,
  SNAPSHOTS,
  WHOLE_PROFILE,
} from "../http/identity.ts";
import { done, DRAFTS, remember, textPath } from "../http/memory.ts";
import { contact, control, evidence, experience, meet, move } from "../http/relationship.ts";
import { keep, measure } from "../http/resource.ts";
import { actOn, assign, category, tag } from "../http/taxonomy.ts";
import { uploaded } from "../support/attachments.ts";
import { proofOf } from "../support/tokens.ts";
import type { Person, World } from "../support/world.ts";
import { insertRow, newRow } from "./family_rows.ts";
import { insertExecution, newDrill, PLANS } from "./identity_rows.ts";
import { MEMORIES } from "./memory_rows.ts";
import { insertInto } from "./rows.ts";

/** The text whose JSON is the longest: what shows it in general reads is larger than their own payloads may be. */
const LONGEST = "\u0001".repeat(100_000);
const PAYLOAD = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };

/** Gives a person records, files, and something of every family. */
export async function fillAccount(world: World, person: Person): Promise<void> {
  const record = await person.create("commitment", PAYLOAD, 'A ladder 🪜 \\ " \u2028 line');
  await person.call("PATCH", `/api/v2/records/commitment/${record.recordId}`, {
    body: { title: "Changed" },
  });
  await uploaded(person, "the same words");
  await uploaded(person, "the same words");
  await uploaded(person, "");
  await uploaded(person, Uint8Array.from({ length: 200_000 }, (_, index) => index * index));
  await fillMemories(world, person);
  await fillDecisions(person);
  await fillIdentity(world, person);
  await fillResources(person);
  await fillPeople(world, person);
  await fillTaxonomy(person);
}

/** Memories at the ends of time, and as long as they may be. */
async function fillMemories(world: World, person: Person): Promise<void> {
  const memory = await remember(person, { originalContent: "🙂".repeat(100_000) });
  await done(person, textPath(memory, "/slices"), { label: "A slice" });
  await person.call("PUT", `${DRAFTS}/${ulid()}`, { body: { draftVersion: 1, content: {} } });
  await done(person, "/api/v2/memory/exports", { format: "JSON", memoryIds: [memory.memoryId] });
  await proofOf(world, person, "MEMORY_SECRET_EXPORT");
  const allOfTime = {
    occurred_at: "0001-01-01T00:00:00.000Z",
    time_from: "0001-01-01T00:00:00.000Z",
    time_to: "9999-12-31T23:59:59.999Z",
  };
  await world.raw(insertRow(MEMORIES, newRow(MEMORIES, person.accountId, allOfTime)));
}

/** Categories whose parents were made after them, a merged tag, and records that carry terms. */
async function fillTaxonomy(person: Person): Promise<void> {
  const first = await category(person, "First", null, { description: LONGEST });
  const second = await category(person, "Second");
  await actOn(person, first, "move", { parentId: second.termId });
  const [merged, target] = [await tag(person, "Merged"), await tag(person, "Target")];
  const record = await person.create("commitment", PAYLOAD);
  for (const term of [first, merged, target]) await assign(person, term, record);
  await actOn(person, merged, "merge", { intoId: target.termId });
}

/** A prediction that was changed before it came true. */
async function fillDecisions(person: Person): Promise<void> {
  const decision = await decide(person);
  const predictions = decisionPath(decision, "/predictions");
  const { predictionId } = await done(person, predictions, PREDICTION);
  const changed = await person.call("PATCH", `${predictions}/${predictionId}`, {
    key: ulid(),
    body: { expectedRevision: 1, set: { probability: 0.5 } },
  });
  assertEquals(changed.status, 200, changed.text);
  await done(person, decisionPath(decision, "/outcomes"), { ...OUTCOME, predictionId });
}

/** A profile with a role, a past self at the end of time, a comparison and a drill. */
async function fillIdentity(world: World, person: Person): Promise<void> {
  await introduce(person, WHOLE_PROFILE);
  await done(person, ROLES, roleBody(2010));
  const fields = { tags: [], endedAt: "9999-12-31T23:59:59.999Z" };
  await done(person, SNAPSHOTS, { label: "A", fields });
  await done(person, COMPARISONS, COMPARISON);
  const plan = newRow(PLANS, person.accountId);
  const drill = newDrill(plan);
  await world.raw(
    insertRow({ ...PLANS, parents: () => "" }, plan) + insertExecution(plan, drill.drill_id) +
      insertInto("identity_legacy_drills", drill),
  );
}

/**
 * People who take no entries any more, with those that they have: evidence that has ended in turn, an
 * evaluation, and a proposal that a worker is at.
 */
async function fillPeople(world: World, person: Person): Promise<void> {
  for (const end of ["archive", "SEALED"] as const) {
    const known = await meet(person, { lastContactAt: "2026-05-01T00:00:00Z" });
    const first = await contact(person, known);
    await control(person, first, { kind: "RETRACTED" });
    await experience(person, known, { narrative: "\u0001🙂" });
    const [one, two] = [await evidence(person, known), await evidence(person, known)];
    await control(person, one, { kind: "SUPERSEDED", supersededBy: two.evidenceId });
    await control(person, two, { kind: "RETRACTED" });
    await control(person, one, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
    await evidence(person, known);
    await confirm(world, person, await readyProposal(world, person, known));
    await claim(world, await propose(person, known));
    await move(person, known, "PAUSED");
    await move(person, known, end);
  }
}

/** Resources and snapshots with numbers that a copy could cut, and one as long as it may be. */
async function fillResources(person: Person): Promise<void> {
  await keep(person, { notes: LONGEST });
  for (const amount of [0.1 + 0.2, 1 / 3, -5e-324, 999_999_999_999.999_9]) {
    const resource = await keep(person, { amount, notes: "\u0001" });
    await measure(person, resource, { amount, note: "\u0001" });
  }
}
