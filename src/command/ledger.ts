/** The fragments of a family's statement; `statements.ts` makes them. */

import type { Query } from "../database/sql.ts";

/** `claim_command` in `sql/0003_commands.sql` explains the verdicts. */
export interface ClaimRow {
  /** STALE comes from `claimAndLockCte` only. */
  readonly verdict:
    | "GO"
    | "REPLAY"
    | "REUSED"
    | "IN_PROGRESS"
    | "MAINTENANCE"
    | "FROZEN"
    | "STALE";
  readonly envelope: string | null;
  /** The command's place in a statement of several, from 0. */
  readonly number?: number;
}

export interface Ledger {
  /**
   * The first CTE, `claim`, with one row, or one for each command of a shared write. Every insert
   * depends on its verdict.
   */
  readonly claim: Query<object>;
  /** The last CTEs: the audit entries, and the envelopes if clients sent keys. */
  readonly ctes: Query<object>;
}
