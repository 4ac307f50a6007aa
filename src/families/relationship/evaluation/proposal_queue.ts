import type { FamilyServices } from "../../kit/write.ts";
import type { LeasedProposal } from "../lease_store.ts";
import {
  type Answer,
  type AttemptResult,
  completeProposal,
  extendLease,
  failAttempt,
  giveBack,
  leaseProposals,
  readInput,
  type Unasked,
} from "../evaluation_work.ts";
import type { ProviderInput } from "../sources.ts";

/** The worker's operations on proposals; `relationship/evaluation_work.ts` describes each. */
export interface ProposalQueue {
  /** At most `MAX_BATCH`. */
  lease(now: Date): Promise<readonly LeasedProposal[]>;
  /** False if the lease has been lost. */
  extend(leased: LeasedProposal, now: Date): Promise<boolean>;
  /** The input for the provider, or the proposal's outcome instead. */
  readInput(leased: LeasedProposal, now: Date): Promise<ProviderInput | Unasked>;
  complete(leased: LeasedProposal, answer: Answer, now: Date): Promise<AttemptResult>;
  fail(leased: LeasedProposal, now: Date): Promise<void>;
  giveBack(leased: LeasedProposal, now: Date): Promise<void>;
}

/**
 * The proposals in the database.
 *
 * @param readySeconds How long one can be confirmed, once it is ready.
 */
export function storedProposals(services: FamilyServices, readySeconds: number): ProposalQueue {
  const { database } = services;
  return {
    lease: (now) => leaseProposals(database, now),
    extend: (leased, now) => extendLease(database, leased, now),
    readInput: (leased, now) => readInput(services, leased, now),
    complete: (leased, answer, now) =>
      completeProposal(services, leased, answer, { now, readySeconds }),
    fail: (leased, now) => failAttempt(database, leased, now),
    giveBack: (leased, now) => giveBack(database, leased, now),
  };
}
