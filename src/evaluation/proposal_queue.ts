import type { FamilyServices } from "../family/write.ts";
import type { ClaimedProposal } from "../relationship/claim_store.ts";
import {
  type Answer,
  claimProposals,
  completeProposal,
  extendLease,
  failAttempt,
  giveBack,
  readInput,
  type Settled,
  type Unasked,
} from "../relationship/evaluation_work.ts";
import type { ProviderInput } from "../relationship/sources.ts";

/** What the worker does to proposals; `relationship/evaluation_work.ts` says more of each. */
export interface ProposalQueue {
  /** At most `MAXIMUM_BATCH`. */
  claim(now: Date): Promise<readonly ClaimedProposal[]>;
  /** False where the claim has been lost. */
  extend(claimed: ClaimedProposal, now: Date): Promise<boolean>;
  /** What the provider is asked, or what became of the proposal instead. */
  readInput(claimed: ClaimedProposal, now: Date): Promise<ProviderInput | Unasked>;
  complete(claimed: ClaimedProposal, answer: Answer, now: Date): Promise<Settled>;
  fail(claimed: ClaimedProposal, now: Date): Promise<void>;
  giveBack(claimed: ClaimedProposal, now: Date): Promise<void>;
}

/**
 * The proposals in the database.
 *
 * @param readySeconds How long one can be confirmed, once it is ready.
 */
export function storedProposals(services: FamilyServices, readySeconds: number): ProposalQueue {
  const { database } = services;
  return {
    claim: (now) => claimProposals(database, now),
    extend: (claimed, now) => extendLease(database, claimed, now),
    readInput: (claimed, now) => readInput(services, claimed, now),
    complete: (claimed, answer, now) =>
      completeProposal(services, claimed, answer, { now, readySeconds }),
    fail: (claimed, now) => failAttempt(database, claimed, now),
    giveBack: (claimed, now) => giveBack(database, claimed, now),
  };
}
