/** Who proposes evaluations of people (specification, Evaluation proposal). */

import type { ProposalRow } from "../proposal.ts";
import type { ProviderInput } from "../sources.ts";

/** A provider. */
export interface EvaluationProvider {
  readonly name: NonNullable<ProposalRow["provider"]>;
  /** Null where there is no choice of models. */
  readonly model: string | null;
  /**
   * Proposes an evaluation: a text that may be stored in a `textarea` field.
   *
   * @param signal Cuts the call off.
   * @throws ProviderError where there is no such text.
   */
  propose(input: ProviderInput, signal: AbortSignal): Promise<string>;
}

/** Why a provider gave no evaluation, in words that hold nothing of a request or a response. */
export type ProviderFailure = "CONNECTION" | "STATUS" | "SIZE" | "SHAPE" | "CANDIDATE";

/** A provider gave no evaluation. It has no cause: the errors of a connection quote addresses. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure) {
    super("The provider gave no evaluation");
    this.failure = failure;
  }
}
