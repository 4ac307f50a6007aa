/** Atomic writes about a proposal. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CommandRunner } from "../../src/command/runner.ts";
import { completeProposal, readInput } from "../../src/families/relationship/evaluation_work.ts";
import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import {
  type Caller,
  callerOf,
  fileWorld,
  type Json,
  type TestResponse,
} from "../support/world.ts";
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
} from "../families/relationship/evaluation.ts";
import { createPerson, evidence, personPath } from "../families/relationship/api.ts";

const world = fileWorld();

const TABLES = [
  "people",
  "person_revisions",
  "records",
  "record_revisions",
  "executions",
  "person_proposals",
  "person_proposal_events",
  "person_evaluations",
  "person_timeline_entries",
  "audit_entries",
  "idempotency_envelopes",
  "step_up_proofs",
];

interface Scene {
  readonly faulty: ReturnType<typeof faultyDatabase>;
  readonly owner: Caller;
  /** At a process whose writes break off. */
  readonly caller: Caller;
  readonly known: Json;
}

async function openScene(): Promise<Scene> {
  const faulty = faultyDatabase(world().database);
  const owner = await world().createCaller();
  const caller = callerOf(world().again({ database: faulty.database }), owner);
  const known = await createPerson(owner);
  await evidence(owner, known);
  return { faulty, owner, caller, known };
}

function assertWhole({ faulty }: Scene, send: () => Promise<TestResponse>): Promise<void> {
  return assertWholeOrNothing(world(), faulty, TABLES, send);
}

async function toldAs(work: () => Promise<unknown>): Promise<TestResponse> {
  const status = await work().then(() => 200, () => 500);
  return { status, headers: new Headers(), body: null, text: "" };
}

Deno.test("A proposal and what it replaces are written atomically", async () => {
  const scene = await openScene();
  const { owner, caller, known } = scene;
  const request = () => {
    const key = ulid();
    const body = { providerConsent: true };
    return assertWhole(
      scene,
      () => caller.call("POST", personPath(known, "/proposals"), { key, body }),
    );
  };
  await request();
  // The first becomes stale …
  await evidence(owner, known);
  await request();
  // … and the second has expired.
  const { body: { data: { items } } } = await owner.call("GET", personPath(known, "/proposals"));
  await claimReady(items.find(({ state }: Json) => state === "REQUESTED"));
  world().advance(1_000);
  await request();
});

async function claimReady(proposal: Json): Promise<void> {
  const claimed = await claim(world(), proposal);
  const commands = new CommandRunner(world().database);
  const readiness = { now: world().now(), readySeconds: 1 };
  const services = { database: world().database, commands };
  assertEquals(await completeProposal(services, claimed, ANSWER, readiness), "READY");
}

Deno.test("Confirmations and rejections are written atomically", async () => {
  const scene = await openScene();
  const { owner, caller, known } = scene;
  for (let round = 1; round <= 2; round++) {
    const proposal = await readyProposal(world(), owner, known);
    const headers = await confirmationProof(world(), owner, proposal);
    const key = ulid();
    await assertWhole(scene, () => confirm(world(), caller, proposal, { key, headers }));
  }
  const proposal = await readyProposal(world(), owner, known);
  const key = ulid();
  await assertWhole(scene, () => reject(caller, proposal, { reason: "No." }, key));
});

Deno.test("The worker writes an answer or a drift atomically", async () => {
  const scene = await openScene();
  const { owner, known, faulty } = scene;
  const services = { database: faulty.database, commands: new CommandRunner(faulty.database) };
  const readiness = { now: world().now(), readySeconds: READY_SECONDS };
  const proposal = await propose(owner, known);
  const claimed = await claim(world(), proposal);
  await assertWhole(
    scene,
    () => toldAs(() => completeProposal(services, claimed, ANSWER, readiness)),
  );
  assertEquals((await shown(owner, proposal)).state, "READY");
  await reject(owner, proposal);
  const drifting = await propose(owner, known);
  const held = await claim(world(), drifting);
  await evidence(owner, known);
  await assertWhole(scene, () => toldAs(() => readInput(services, held, world().now())));
  assertEquals((await shown(owner, drifting)).state, "STALE");
});

Deno.test("A move that the service makes before an error is written atomically", async () => {
  const scene = await openScene();
  const { owner, caller, known, faulty } = scene;
  const proposal = await readyProposal(world(), owner, known);
  await evidence(owner, known);
  const headers = await confirmationProof(world(), owner);
  const before = await shown(owner, proposal);
  for (let step = 1;; step++) {
    faulty.breakAt(step);
    const response = await confirm(world(), caller, proposal, { headers });
    if (!faulty.broke) {
      assertEquals(response.body.error.code, "RELATIONSHIP_PROPOSAL_STALE");
      break;
    }
    assertEquals(response.status, 500);
    assertEquals(await shown(owner, proposal), before);
  }
  assertEquals((await shown(owner, proposal)).state, "STALE");
});
