/** Proposals in every state, and a worker that completes them. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CommandRunner } from "../../../src/command/runner.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { LeasedProposal } from "../../../src/families/relationship/lease_store.ts";
import {
  type Answer,
  type AttemptResult,
  completeProposal,
  giveBack,
  leaseProposals,
} from "../../../src/families/relationship/evaluation_work.ts";
import { proofOf } from "../../support/tokens.ts";
import { waitUntil } from "../../support/wait.ts";
import type { Caller, Json, TestResponse, World } from "../../support/world.ts";
import { done, read, withPermissions } from "../memory/api.ts";
import { createPerson, PEOPLE, personPath } from "./api.ts";

/** Lifetime of a ready proposal. */
export const READY_SECONDS = 3_600;

export const ANSWER: Answer = { candidate: "A loyal friend.", provider: "http", model: "a-model" };

export function propose(caller: Caller, known: Json, providerConsent = false): Promise<Json> {
  return done(caller, personPath(known, "/proposals"), { providerConsent });
}

export function requestProposal(caller: Caller, known: Json): Promise<TestResponse> {
  const body = { providerConsent: false };
  return caller.call("POST", personPath(known, "/proposals"), { key: ulid(), body });
}

/** A new caller, person and proposal. */
export async function proposed(
  world: World,
): Promise<{ caller: Caller; known: Json; proposal: Json }> {
  const caller = await world.createCaller();
  const known = await createPerson(caller);
  return { caller, known, proposal: await propose(caller, known) };
}

/** A caller, person and ready proposal. */
export async function readied(world: World): ReturnType<typeof proposed> {
  const made = await proposed(world);
  await ready(world, made.proposal);
  return made;
}

export function proposalPath(proposal: Json, below = ""): string {
  return personPath(proposal, `/proposals/${proposal.proposalId}${below}`);
}

/** A worker as in a separate process. */
export function workerOf(world: World): { database: World["database"]; commands: CommandRunner } {
  return { database: world.database, commands: new CommandRunner(world.database) };
}

let lastClaim: Promise<unknown> = Promise.resolve();

/** Leases one proposal without changing others; null if impossible. */
export async function tryClaim(world: World, proposal: Json): Promise<LeasedProposal | null> {
  // In sequence: concurrent calls would skip each other's locked rows.
  const claimed = lastClaim.then(() => claimAlone(world, proposal));
  lastClaim = claimed.catch(() => {});
  return await claimed;
}

async function claimAlone(world: World, { proposalId }: Json): Promise<LeasedProposal | null> {
  const others: LeasedProposal[] = [];
  let claimed: LeasedProposal | undefined;
  for (let batch = null; claimed === undefined && batch?.length !== 0;) {
    batch = await leaseProposals(world.database, world.now());
    claimed = batch.find((each) => each.proposalId === proposalId);
    others.push(...batch.filter((each) => each !== claimed));
  }
  for (const other of others) await giveBack(world.database, other, world.now());
  return claimed ?? null;
}

/** Retries, because leases skip accounts whose row is locked, as by a sign-in. */
export async function claim(world: World, proposal: Json): Promise<LeasedProposal> {
  const { promise, resolve } = Promise.withResolvers<LeasedProposal>();
  await waitUntil("the proposal is claimed", async () => {
    const claimed = await tryClaim(world, proposal);
    if (claimed !== null) resolve(claimed);
    return claimed !== null;
  });
  return await promise;
}

/** Answers as a worker does. */
export async function ready(
  world: World,
  proposal: Json,
  answer: Partial<Answer> = {},
): Promise<AttemptResult> {
  const claimed = await claim(world, proposal);
  const readiness = { now: world.now(), readySeconds: READY_SECONDS };
  return await completeProposal(workerOf(world), claimed, { ...ANSWER, ...answer }, readiness);
}

export async function readyProposal(
  world: World,
  caller: Caller,
  known: Json,
  providerConsent = false,
): Promise<Json> {
  const proposal = await propose(caller, known, providerConsent);
  await ready(world, proposal);
  return proposal;
}

/** Confirms with a new proof, unless headers are given. */
export async function confirm(
  world: World,
  caller: Caller,
  proposal: Json,
  { expectedRevision = proposal.sourceRevision, key = ulid(), headers }: {
    readonly expectedRevision?: number;
    readonly key?: string;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<TestResponse> {
  return await caller.call("POST", proposalPath(proposal, "/confirm"), {
    key,
    body: { expectedRevision },
    headers: headers ?? await confirmationProof(world, caller, proposal),
  });
}

export function confirmationProof(
  world: World,
  caller: Caller,
  proposal: Json | null = null,
): Promise<Record<string, string>> {
  return proofOf(world, caller, "RELATIONSHIP_EVALUATION_CONFIRM", proposal?.proposalId ?? null);
}

export function reject(
  caller: Caller,
  proposal: Json,
  body: JsonObject = {},
  key: string = ulid(),
): Promise<TestResponse> {
  return caller.call("POST", proposalPath(proposal, "/reject"), { key, body });
}

/** Reads the proposal again. */
export async function shown(caller: Caller, proposal: Json): Promise<Json> {
  return (await caller.call("GET", proposalPath(proposal))).body.data;
}

/** Lists the states of its events, in order. */
export async function statesOf(caller: Caller, proposal: Json): Promise<string[]> {
  const { body } = await caller.call("GET", proposalPath(proposal, "/events"));
  return body.data.items.map(({ toState }: Json) => toState).reverse();
}

/** All evaluation permissions, but no access to SECRET entries. */
export function blindProposer(world: World, caller: Caller): Promise<Caller> {
  return withPermissions(
    world,
    caller,
    "relationship.ledger.read",
    "relationship.evaluation.propose",
    "relationship.evaluation.confirm",
    "relationship.person.read",
  );
}

type ValueOf = (parameter: string) => Promise<string>;

/** A ready proposal about a new person with constant sources. */
async function readiedPerson(world: World, caller: Caller): Promise<Json> {
  const proposal = await propose(caller, await createPerson(caller));
  assertEquals(await ready(world, proposal), "READY");
  return proposal;
}

/** The first item for the person that a parameter names. */
async function firstOf(caller: Caller, personId: string, list: string): Promise<Json> {
  const { items: [first] } = await read(caller, personPath({ personId }, list));
  return first;
}

/** Makers of the objects that parameters of evaluation routes name. */
export const EVALUATION_MAKERS = {
  proposedPersonId: async (caller: Caller, _valueOf: ValueOf, world: World) =>
    (await readiedPerson(world, caller)).personId,
  proposalId: async (caller: Caller, valueOf: ValueOf) =>
    (await firstOf(caller, await valueOf("proposedPersonId"), "/proposals")).proposalId,
  evaluatedPersonId: async (caller: Caller, _valueOf: ValueOf, world: World) => {
    const proposal = await readiedPerson(world, caller);
    assertEquals((await confirm(world, caller, proposal)).status, 200);
    return proposal.personId;
  },
  evaluationId: async (caller: Caller, valueOf: ValueOf) =>
    (await firstOf(caller, await valueOf("evaluatedPersonId"), "/evaluations")).evaluationId,
} as const;

const PROPOSALS = `${PEOPLE}/:personId/proposals`;

/** Valid bodies of the examples. */
export const EVALUATION_BODIES = {
  [`POST ${PROPOSALS}`]: { body: { providerConsent: true } },
  [`POST ${PROPOSALS}/:proposalId/confirm`]: { body: { expectedRevision: 1 } },
  [`POST ${PROPOSALS}/:proposalId/reject`]: { body: {} },
} as const;
