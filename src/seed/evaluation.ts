/** Gives a person of the sample life an evaluation: proposed by the built-in provider, and confirmed. */

import type { Outcome } from "../command/command.ts";
import { localSummary } from "../evaluation/local_summary.ts";
import { appendEntry } from "../family/entry.ts";
import { controlEntry } from "../relationship/control.ts";
import { claimProposal, completeProposal, readInput } from "../relationship/evaluation_work.ts";
import type { Proposal } from "../relationship/proposal.ts";
import { CONFIRMATION } from "../relationship/proposal_decisions.ts";
import { PROPOSALS, proposalWrite, readRequested } from "../relationship/proposals.ts";
import { PEOPLE, type PersonTypes } from "../relationship/store.ts";
import { type SeededRoot, stepCommand } from "./steps.ts";

/** A person of a run. */
export type SeededPerson = Omit<SeededRoot<PersonTypes>, "root">;

/** A week, as the service's own default says. Here it is confirmed at once. */
const READY_SECONDS = 7 * 86_400;

/** Proposes an evaluation of a person and confirms it; returns the outcome of the proposal. */
export async function seedEvaluation(person: SeededPerson): Promise<Outcome<Proposal>> {
  const proposed = await propose(person);
  await answer(person, proposed.result);
  await confirm(person, proposed.result);
  return proposed;
}

async function propose(person: SeededPerson): Promise<Outcome<Proposal>> {
  const { seeding, key } = person;
  const about = { module: PEOPLE.module, policy: PROPOSALS.policy };
  const command = stepCommand(person, about, "/proposal", "proposal.create");
  const owner = seeding.identity.account.accountId;
  return await appendEntry(seeding, PEOPLE, PROPOSALS, command, {
    key,
    related: (sql) => readRequested(sql, owner, key.personId),
    decide: (row, requested) =>
      proposalWrite(command, seeding.commands.processId, row, requested, false),
  });
}

/** Does a worker's work; nothing where an earlier run has done it. */
async function answer({ seeding }: SeededPerson, proposal: Proposal): Promise<void> {
  const { database, identity, clock } = seeding;
  const { personId, proposalId } = proposal;
  const named = { owner: identity.account.accountId, personId, proposalId };
  const claimed = await claimProposal(database, named, clock());
  if (claimed === null) return;
  const input = await readInput(seeding, claimed, clock());
  if (typeof input === "string") return;
  const { name: provider, model } = localSummary;
  const candidate = await localSummary.propose(input, new AbortController().signal);
  const readiness = { now: clock(), readySeconds: READY_SECONDS };
  await completeProposal(seeding, claimed, { candidate, provider, model }, readiness);
}

async function confirm(
  person: SeededPerson,
  { personId, proposalId: entryId, sourceRevision: expectedRevision }: Proposal,
): Promise<void> {
  const { seeding } = person;
  const about = { module: PEOPLE.module, policy: CONFIRMATION.policy };
  const command = stepCommand(person, about, "/confirmation", "proposal.confirm");
  const { identity, now } = command;
  const owner = identity.account.accountId;
  const controlling = { identity, owner, personId, entryId, body: { expectedRevision }, now };
  await controlEntry(seeding, CONFIRMATION, command, controlling);
}
