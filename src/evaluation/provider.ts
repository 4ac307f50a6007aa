/** Who proposes evaluations of people (specification, Evaluation proposal). */

/** What a provider is given of one person: never an identifier, account data, or anything of another. */
export interface ProviderInput {
  readonly relationshipType: string;
  /** 1 to 5. */
  readonly importance: number;
  readonly lastContactAt: string | null;
  readonly desiredContactIntervalDays: number | null;
  /** How many entries of evidence there are of each stance. */
  readonly evidenceCounts: { readonly supporting: number; readonly counter: number };
  /** With the proposal's consent only. */
  readonly consented?: {
    readonly personName: string;
    readonly opinion: string | null;
    readonly evidence: string | null;
    readonly counterEvidence: string | null;
    /** Those that carry a consent of their own. */
    readonly entries: readonly {
      readonly stance: string;
      readonly sourceKind: string;
      readonly content: string;
    }[];
  };
}

/** A provider. */
export interface EvaluationProvider {
  readonly name: "local-summary" | "http";
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
