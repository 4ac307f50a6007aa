/** The audit trail and its seals. */

type TokenPreset = "read" | "inbox" | "capture" | "own";

type TrailKind = "audit" | "access";

/** The newest checked seal. */
interface TrailHead {
  number: number;
  digest: string;
  /** Number of entries up to it. */
  entries: number;
  /** By the service's clock. */
  at: string;
}

/** Why a chain is invalid. */
interface TrailFault {
  /**
   * `chain`: a seal is missing, altered, or does not follow the one before. `entries`: a seal does
   * not fit its entries. `replaced`: the known seal has another digest. `shorter`: the known seal
   * is missing.
   */
  why: "chain" | "entries" | "replaced" | "shorter";
  number: number;
  /** The current seal's; null for none. */
  digest: string | null;
}

type TrailSummary = import("../../../client/wire.ts").TrailSummary;

interface TrailOf {
  accountId: string;
  kind: TrailKind;
  at: string;
}

interface CheckOptions {
  at: string;
  isWhole: boolean;
  signal: AbortSignal;
  progress: (entries: number) => void;
}
