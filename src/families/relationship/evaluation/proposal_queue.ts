import type { FamilyServices } from "../../../kit/write.ts";
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

/** The worker's operations; see `relationship/evaluation_work.ts`. */
export interface ProposalQueue {
  /** At most `MAX_BATCH`. */
  lease(now: Date): Promise<readonly LeasedProposal[]>;
  /** False if the lease is lost. */
  extend(leased: LeasedProposal, now: Date): Promise<boolean>;
  /** Returns the provider's input, or the result if the provider must not be asked. */
  readInput(leased: LeasedProposal, now: Date): Promise<ProviderInput | Unasked>;
  complete(leased: LeasedProposal, answer: Answer, now: Date): Promise<AttemptResult>;
  fail(leased: LeasedProposal, now: Date): Promise<void>;
  giveBack(leased: LeasedProposal, now: Date): Promise<void>;
}

/** @param readySeconds How long a ready proposal can be confirmed. */
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
