/** What the suites of evaluations share: proposals in every state, and a worker that readies them. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CommandRunner } from "../../src/command/runner.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { ClaimedProposal } from "../../src/relationship/claim_store.ts";
import {
  type Answer,
  claimProposals,
  completeProposal,
  giveBack,
  type Settled,
} from "../../src/relationship/evaluation_work.ts";
import { proofOf } from "../support/tokens.ts";
import { waitUntil } from "../support/wait.ts";
import type { Json, Person, TestResponse, World } from "../support/world.ts";
import { done, read, withPermissions } from "./memory.ts";
import { meet, PEOPLE, personPath } from "./relationship.ts";

/** How long a proposal of the tests is ready. */
export const READY_SECONDS = 3_600;

export const ANSWER: Answer = { candidate: "A loyal friend.", provider: "http", model: "a-model" };

/** Requests a proposal and returns it. */
export function propose(person: Person, known: Json, providerConsent = false): Promise<Json> {
  return done(person, personPath(known, "/proposals"), { providerConsent });
}

/** Requests a proposal that may be refused. */
export function requestProposal(person: Person, known: Json): Promise<TestResponse> {
  const body = { providerConsent: false };
  return person.call("POST", personPath(known, "/proposals"), { key: ulid(), body });
}

/** A person of a new account, and its proposal. */
export async function proposed(
  world: World,
): Promise<{ person: Person; known: Json; proposal: Json }> {
  const person = await world.person();
  const known = await meet(person);
  return { person, known, proposal: await propose(person, known) };
}

/** The same with a proposal that is ready. */
export async function readied(world: World): ReturnType<typeof proposed> {
  const made = await proposed(world);
  await ready(world, made.proposal);
  return made;
}

/** The path of a proposal, or of something below it. */
export function proposalPath(proposal: Json, below = ""): string {
  return personPath(proposal, `/proposals/${proposal.proposalId}${below}`);
}

/** What a worker is given, as a process of its own. */
export function workerOf(world: World): { database: World["database"]; commands: CommandRunner } {
  return { database: world.database, commands: new CommandRunner(world.database) };
}

let lastClaim: Promise<unknown> = Promise.resolve();

/** Claims one proposal, and leaves all others as they were; null where it cannot be claimed. */
export async function tryClaim(world: World, proposal: Json): Promise<ClaimedProposal | null> {
  // One after another: what one holds for a moment, another would miss.
  const claimed = lastClaim.then(() => claimAlone(world, proposal));
  lastClaim = claimed.catch(() => {});
  return await claimed;
}

async function claimAlone(world: World, { proposalId }: Json): Promise<ClaimedProposal | null> {
  const others: ClaimedProposal[] = [];
  let claimed: ClaimedProposal | undefined;
  for (let batch = null; claimed === undefined && batch?.length !== 0;) {
    batch = await claimProposals(world.database, world.now());
    claimed = batch.find((each) => each.proposalId === proposalId);
    others.push(...batch.filter((each) => each !== claimed));
  }
  for (const other of others) await giveBack(world.database, other, world.now());
  return claimed ?? null;
}

/**
 * Claims one proposal, and leaves all others as they were. Claims pass over an account whose row another
 * transaction has locked, as a sign-in does, and find it the next time.
 */
export async function claim(world: World, proposal: Json): Promise<ClaimedProposal> {
  const { promise, resolve } = Promise.withResolvers<ClaimedProposal>();
  await waitUntil("the proposal is claimed", async () => {
    const claimed = await tryClaim(world, proposal);
    if (claimed !== null) resolve(claimed);
    return claimed !== null;
  });
  return await promise;
}

/** Answers for one proposal, as a worker does. */
export async function ready(
  world: World,
  proposal: Json,
  answer: Partial<Answer> = {},
): Promise<Settled> {
  const claimed = await claim(world, proposal);
  const readiness = { now: world.now(), readySeconds: READY_SECONDS };
  return await completeProposal(workerOf(world), claimed, { ...ANSWER, ...answer }, readiness);
}

/** Requests a proposal and readies it. */
export async function readyProposal(
  world: World,
  person: Person,
  known: Json,
  providerConsent = false,
): Promise<Json> {
  const proposal = await propose(person, known, providerConsent);
  await ready(world, proposal);
  return proposal;
}

/** Confirms a proposal, with a proof unless the headers are given. */
export async function confirm(
  world: World,
  person: Person,
  proposal: Json,
  { expectedRevision = proposal.sourceRevision, key = ulid(), headers }: {
    readonly expectedRevision?: number;
    readonly key?: string;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<TestResponse> {
  return await person.call("POST", proposalPath(proposal, "/confirm"), {
    key,
    body: { expectedRevision },
    headers: headers ?? await confirmationProof(world, person, proposal),
  });
}

/** A proof for the confirmation of a proposal, or of any. */
export function confirmationProof(
  world: World,
  person: Person,
  proposal: Json | null = null,
): Promise<Record<string, string>> {
  return proofOf(world, person, "RELATIONSHIP_EVALUATION_CONFIRM", proposal?.proposalId ?? null);
}

/** Rejects a proposal. */
export function reject(
  person: Person,
  proposal: Json,
  body: JsonObject = {},
  key: string = ulid(),
): Promise<TestResponse> {
  return person.call("POST", proposalPath(proposal, "/reject"), { key, body });
}

/** A proposal as its reader sees it now. */
export async function shown(person: Person, proposal: Json): Promise<Json> {
  return (await person.call("GET", proposalPath(proposal))).body.data;
}

/** The states that the events of a proposal name, from the first on. */
export async function statesOf(person: Person, proposal: Json): Promise<string[]> {
  const { body } = await person.call("GET", proposalPath(proposal, "/events"));
  return body.data.items.map(({ toState }: Json) => toState).reverse();
}

/** The same account, which may do all about evaluations but see what is SECRET. */
export function blindProposer(world: World, person: Person): Promise<Person> {
  return withPermissions(
    world,
    person,
    ...["relationship.ledger.read", "relationship.evaluation.propose"] as const,
    ...["relationship.evaluation.confirm", "relationship.person.read"] as const,
  );
}

type ValueOf = (parameter: string) => Promise<string>;

/** Readies a proposal about a person of its own: nothing else that is made changes its sources. */
async function readiedPerson(world: World, person: Person): Promise<Json> {
  const proposal = await propose(person, await meet(person));
  assertEquals(await ready(world, proposal), "READY");
  return proposal;
}

/** The first item of a list below the person that a parameter names. */
async function firstOf(person: Person, personId: string, list: string): Promise<Json> {
  const { items: [first] } = await read(person, personPath({ personId }, list));
  return first;
}

/** What makes the thing that a parameter of the routes of evaluations names. */
export const EVALUATION_MAKERS = {
  proposedPersonId: async (person: Person, _valueOf: ValueOf, world: World) =>
    (await readiedPerson(world, person)).personId,
  proposalId: async (person: Person, valueOf: ValueOf) =>
    (await firstOf(person, await valueOf("proposedPersonId"), "/proposals")).proposalId,
  evaluatedPersonId: async (person: Person, _valueOf: ValueOf, world: World) => {
    const proposal = await readiedPerson(world, person);
    assertEquals((await confirm(world, person, proposal)).status, 200);
    return proposal.personId;
  },
  evaluationId: async (person: Person, valueOf: ValueOf) =>
    (await firstOf(person, await valueOf("evaluatedPersonId"), "/evaluations")).evaluationId,
} as const;

const PROPOSALS = `${PEOPLE}/:personId/proposals`;

/** A body that succeeds on the example, of each route of evaluations that takes one. */
export const EVALUATION_BODIES = {
  [`POST ${PROPOSALS}`]: { body: { providerConsent: true } },
  [`POST ${PROPOSALS}/:proposalId/confirm`]: { body: { expectedRevision: 1 } },
  [`POST ${PROPOSALS}/:proposalId/reject`]: { body: {} },
} as const;
