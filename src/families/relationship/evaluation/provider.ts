/** Interface of evaluation providers (specification, Evaluation proposal). */

import type { ProposalRow } from "../proposal.ts";
import type { ProviderInput } from "../sources.ts";

export interface EvaluationProvider {
  readonly name: NonNullable<ProposalRow["provider"]>;
  /** Null if the provider has no choice of models. */
  readonly model: string | null;
  /**
   * Returns a text that may be stored in a `textarea` field.
   *
   * @param signal Aborts the call.
   * @throws ProviderError if there is no such text.
   */
  propose(input: ProviderInput, signal: AbortSignal): Promise<string>;
}

/** Reasons without any part of a request or response. */
export type ProviderFailure = "CONNECTION" | "STATUS" | "SIZE" | "SHAPE" | "CANDIDATE";

/** A provider returned no evaluation. Without a cause: connection errors quote addresses. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure) {
    super("The provider gave no evaluation");
    this.failure = failure;
  }
}
