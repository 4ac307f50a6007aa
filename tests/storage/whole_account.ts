/** An account with something of everything, and data that a copy could lose. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { decide, decisionPath, OUTCOME, PREDICTION } from "../families/decision/api.ts";
import { claim, confirm, propose, readyProposal } from "../families/relationship/evaluation.ts";
import {
  COMPARISON,
  COMPARISONS,
  introduce,
  roleBody,
  ROLES,
  SNAPSHOTS,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { done, DRAFTS, remember, textPath } from "../families/memory/api.ts";
import {
  contact,
  control,
  createPerson,
  detail,
  evidence,
  experience,
  move,
} from "../families/relationship/api.ts";
import { keep, measure } from "../families/resource/api.ts";
import { actOn, assign, category, tag } from "../families/taxonomy/api.ts";
import { uploaded } from "../support/attachments.ts";
import { proofOf } from "../support/tokens.ts";
import type { Caller, World } from "../support/world.ts";
import { imported, itemsFile, memoryItem, planned } from "../http/imports.ts";
import { insertRow, newRow } from "./family_rows.ts";
import { insertExecution, newDrill, PLANS } from "../families/identity/rows.ts";
import { MEMORIES } from "../families/memory/rows.ts";
import { newProposal } from "./assistant_rows.ts";
import { insertInto, newThumbnail } from "./rows.ts";

/** The longest JSON: generic reads of it exceed the payload limit. */
const LONGEST = "\u0001".repeat(100_000);
const PAYLOAD = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };

/** Records, files, and something of every family. */
export async function fillAccount(world: World, caller: Caller): Promise<void> {
  const record = await caller.create("commitment", PAYLOAD, 'A ladder 🪜 \\ " \u2028 line');
  await caller.call("PATCH", `/api/v2/records/commitment/${record.recordId}`, {
    body: { title: "Changed" },
  });
  await uploaded(caller, "the same words");
  await uploaded(caller, "the same words");
  const attachment_id = await uploaded(caller, "");
  await world.raw(insertInto("attachment_thumbnails", newThumbnail(caller, { attachment_id })));
  await uploaded(caller, Uint8Array.from({ length: 200_000 }, (_, index) => index * index));
  await fillMemories(world, caller);
  await fillDecisions(caller);
  await fillIdentity(world, caller);
  await fillResources(caller);
  await fillPeople(world, caller);
  await fillTaxonomy(caller);
  await fillImports(caller);
  await fillProposals(world, caller);
}

/** A proposal that is pending, and one that was rejected. */
async function fillProposals(world: World, caller: Caller): Promise<void> {
  const rejected = newProposal(caller);
  const { owner_id = null, proposal_id = null } = rejected;
  await world.raw(
    insertInto("assistant_proposals", newProposal(caller)) +
      insertInto("assistant_proposals", rejected) +
      insertInto("assistant_proposal_events", {
        owner_id,
        proposal_id,
        state: "REJECTED",
        decided_at: "2026-11-20T12:00:00.000Z",
      }),
  );
}

/** An import that has run, and one that only waits. */
async function fillImports(caller: Caller): Promise<void> {
  const items = [memoryItem("\u0001🙂", { title: "A title", tags: ["Example"] }), {
    key: "bad",
    target: "none",
    title: "x",
    payload: {},
  }];
  await imported(caller, "prs-items", itemsFile(items), {
    name: "A file",
    keepOriginal: "false",
  });
  await planned(caller, "prs-items", itemsFile([memoryItem("waits")]), { keepOriginal: "false" });
}

/** Adds memories at the ends of time, and of maximum length. */
async function fillMemories(world: World, caller: Caller): Promise<void> {
  const memory = await remember(caller, { originalContent: "🙂".repeat(100_000) });
  await done(caller, textPath(memory, "/slices"), { label: "A slice" });
  await caller.call("PUT", `${DRAFTS}/${ulid()}`, { body: { draftVersion: 1, content: {} } });
  await done(caller, "/api/v2/memory/exports", { format: "JSON", memoryIds: [memory.memoryId] });
  await proofOf(world, caller, "MEMORY_SECRET_EXPORT");
  const allOfTime = {
    occurred_at: "0001-01-01T00:00:00.000Z",
    time_from: "0001-01-01T00:00:00.000Z",
    time_to: "9999-12-31T23:59:59.999Z",
  };
  await world.raw(insertRow(MEMORIES, newRow(MEMORIES, caller.accountId, allOfTime)));
}

/** Parents created after their children, a merged tag, and assigned terms. */
async function fillTaxonomy(caller: Caller): Promise<void> {
  const first = await category(caller, "First", null, { description: LONGEST });
  const second = await category(caller, "Second");
  await actOn(caller, first, "move", { parentId: second.termId });
  const [merged, target] = [await tag(caller, "Merged"), await tag(caller, "Target")];
  const record = await caller.create("commitment", PAYLOAD);
  for (const term of [first, merged, target]) await assign(caller, term, record);
  await actOn(caller, merged, "merge", { intoId: target.termId });
}

/** A prediction that changed before its outcome. */
async function fillDecisions(caller: Caller): Promise<void> {
  const decision = await decide(caller);
  const predictions = decisionPath(decision, "/predictions");
  const { predictionId } = await done(caller, predictions, PREDICTION);
  const changed = await caller.call("PATCH", `${predictions}/${predictionId}`, {
    key: ulid(),
    body: { expectedRevision: 1, set: { probability: 0.5 } },
  });
  assertEquals(changed.status, 200, changed.text);
  await done(caller, decisionPath(decision, "/outcomes"), { ...OUTCOME, predictionId });
}

/** A role, a snapshot at the end of time, a comparison and a drill. */
async function fillIdentity(world: World, caller: Caller): Promise<void> {
  await introduce(caller, WHOLE_PROFILE);
  await done(caller, ROLES, roleBody(2010));
  const fields = { tags: [], endedAt: "9999-12-31T23:59:59.999Z" };
  await done(caller, SNAPSHOTS, { label: "A", fields });
  await done(caller, COMPARISONS, COMPARISON);
  const plan = newRow(PLANS, caller.accountId);
  const drill = newDrill(plan);
  await world.raw(
    insertRow({ ...PLANS, parents: () => "" }, plan) + insertExecution(plan, drill.drill_id) +
      insertInto("identity_legacy_drills", drill),
  );
}

/** People who accept no entries: with ended evidence, an evaluation, and a leased proposal. */
async function fillPeople(world: World, caller: Caller): Promise<void> {
  for (const end of ["archive", "SEALED"] as const) {
    const known = await createPerson(caller, { lastContactAt: "2026-05-01T00:00:00Z" });
    const first = await contact(caller, known);
    await control(caller, first, { kind: "RETRACTED" });
    await experience(caller, known, { narrative: "\u0001🙂" });
    const [one, two] = [await evidence(caller, known), await evidence(caller, known)];
    await control(caller, one, { kind: "SUPERSEDED", supersededBy: two.evidenceId });
    await control(caller, two, { kind: "RETRACTED" });
    await control(caller, one, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
    await evidence(caller, known);
    const phones = [
      await detail(caller, known),
      await detail(caller, known, { label: "a\u2028b" }),
    ];
    const [old, present] = phones;
    await control(caller, old, { kind: "SUPERSEDED", supersededBy: present.detailId });
    await control(caller, old, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
    await detail(caller, known, { kind: "DATE", value: { what: "BIRTHDAY", date: "--02-29" } });
    const other = await createPerson(caller);
    const value = { relation: "🙂", personId: other.personId };
    await detail(caller, known, { kind: "LINK", value });
    await confirm(world, caller, await readyProposal(world, caller, known));
    await claim(world, await propose(caller, known));
    await move(caller, known, "PAUSED");
    await move(caller, known, end);
  }
}

/** Numbers that a copy could truncate, and a resource of maximum length. */
async function fillResources(caller: Caller): Promise<void> {
  await keep(caller, { notes: LONGEST });
  for (const amount of [0.1 + 0.2, 1 / 3, -5e-324, 999_999_999_999.999_9]) {
    const resource = await keep(caller, { amount, notes: "\u0001" });
    await measure(caller, resource, { amount, note: "\u0001" });
  }
}
