/** The stored proposals, as the worker uses them. */

import type { ProviderInput } from "./provider.ts";

export interface ClaimedProposal {
  readonly owner: string;
  readonly personId: string;
  readonly proposalId: string;
  readonly leaseId: string;
  readonly attempts: number;
  readonly providerConsent: boolean;
  readonly sourceDigest: string;
}

export interface Answer {
  readonly candidate: string;
  readonly provider: "local-summary" | "http";
  readonly model: string | null;
}

export type Settled = "READY" | "STALE" | "LOST";

export const MAXIMUM_BATCH = 10;

/** What the worker does to stored proposals; `relationship/evaluation_work.ts` says more of each. */
export interface ProposalQueue {
  claim(now: Date): Promise<readonly ClaimedProposal[]>;
  /** Extends a claim; false where it has been lost. */
  extend(claimed: ClaimedProposal, now: Date): Promise<boolean>;
  /** Null where the provider need not be asked. */
  readInput(claimed: ClaimedProposal, now: Date): Promise<ProviderInput | null>;
  complete(claimed: ClaimedProposal, answer: Answer, now: Date): Promise<Settled>;
  fail(claimed: ClaimedProposal, now: Date): Promise<void>;
  giveBack(claimed: ClaimedProposal, now: Date): Promise<void>;
}
