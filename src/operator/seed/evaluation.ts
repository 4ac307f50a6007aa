/** Adds an evaluation of a sample person, proposed by the built-in provider and confirmed. */

import type { CommandResult } from "../../command/command.ts";
import { localSummary } from "../../families/relationship/evaluation/local_summary.ts";
import { appendEntry } from "../../kit/entry.ts";
import { controlEntry } from "../../families/relationship/control.ts";
import {
  completeProposal,
  leaseProposal,
  readInput,
} from "../../families/relationship/evaluation_work.ts";
import type { Proposal } from "../../families/relationship/proposal.ts";
import { CONFIRMATION } from "../../families/relationship/proposal_decisions.ts";
import { proposalWrite, readRequested } from "../../families/relationship/proposal_request.ts";
import { PROPOSALS } from "../../families/relationship/proposal_routes.ts";
import { PEOPLE, type PersonTypes } from "../../families/relationship/person_store.ts";
import { type SeededRoot, stepCommand } from "./steps.ts";

export type SeededPerson = Omit<SeededRoot<PersonTypes>, "root">;

/** The service's default, a week; the proposal is confirmed immediately. */
const READY_SECONDS = 7 * 86_400;

export async function seedEvaluation(person: SeededPerson): Promise<CommandResult<Proposal>> {
  const proposed = await propose(person);
  await answer(person, proposed.result);
  await confirm(person, proposed.result);
  return proposed;
}

async function propose(person: SeededPerson): Promise<CommandResult<Proposal>> {
  const { seeding, key } = person;
  const about = { module: PEOPLE.module, policy: PROPOSALS.policy };
  const command = stepCommand(person, about, "/proposal", "proposal.create");
  const owner = seeding.caller.account.accountId;
  return await appendEntry(seeding, PEOPLE, PROPOSALS, command, {
    key,
    related: (sql) => readRequested(sql, owner, key.personId),
    decide: (row, requested) =>
      proposalWrite(command, seeding.commands.processId, row, requested, false),
  });
}

/** Does the work of a worker, unless an earlier run did. */
async function answer({ seeding }: SeededPerson, proposal: Proposal): Promise<void> {
  const { database, caller, clock } = seeding;
  const { personId, proposalId } = proposal;
  const named = { owner: caller.account.accountId, personId, proposalId };
  const claimed = await leaseProposal(database, named, clock());
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
  const { caller, now } = command;
  const owner = caller.account.accountId;
  const controlling = {
    caller,
    owner,
    personId,
    entryId,
    body: { expectedRevision },
    now,
  };
  await controlEntry(seeding, CONFIRMATION, command, controlling);
}
