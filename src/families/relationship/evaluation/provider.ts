/** The interface of providers of evaluations (specification, Evaluation proposal). */

import type { ProposalRow } from "../proposal.ts";
import type { ProviderInput } from "../sources.ts";

/** A provider. */
export interface EvaluationProvider {
  readonly name: NonNullable<ProposalRow["provider"]>;
  /** Null if the provider has no choice of models. */
  readonly model: string | null;
  /**
   * Proposes an evaluation: a text that may be stored in a `textarea` field.
   *
   * @param signal Aborts the call.
   * @throws ProviderError if there is no such text.
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
