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
}

export interface Ledger {
  /** The first CTE, `claim`, with one row. Every insert depends on its verdict. */
  readonly claim: Query<object>;
  /** The last CTEs: the audit entry, and the envelope if the client sent a key. */
  readonly ctes: Query<object>;
}
