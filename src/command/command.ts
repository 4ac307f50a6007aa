/** What a family describes of a write, and what it gets back. `runner.ts` says how a write runs. */

import type { Identity } from "../access/identity.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Envelope } from "./envelope.ts";
import type { ClaimRow, Ledger } from "./ledger.ts";

/** A client's key for a write, bound to what it asked for. */
export interface IdempotencyKey {
  readonly key: string;
  /** HMAC of method, path and canonical body. */
  readonly fingerprint: Uint8Array;
  /** Names the secret that the fingerprint was made with. */
  readonly fingerprintKey: string;
}

/** The description of a write. */
export interface Command {
  /** The stable name in the audit trail, such as `record.create`. */
  readonly operation: string;
  readonly moduleCode: string | null;
  /** Identifies a replay together with owner, target and key: operation, module and feature. */
  readonly scope: string;
  /** The subject's identifier; empty where the operation makes its subject. */
  readonly target: string;
  /** The policy name in the envelope. */
  readonly policy: string;
  readonly identity: Identity;
  readonly requestId: string;
  readonly now: Date;
  readonly key: IdempotencyKey | null;
  /** Whether the maintenance window freezes this write. */
  readonly frozen: boolean;
}

/** What a family has decided to write, and what it will answer. */
export interface Write<Answer> {
  readonly subjectId: string;
  /** Null for a subject without revisions. */
  readonly revision: number | null;
  readonly executionId?: string;
  /**
   * Checks or reserves other stored rows. Runs inside the transaction, after the claim. The transaction
   * may be tried twice, and so may this.
   */
  readonly verify?: (sql: Sql) => Promise<void>;
  /**
   * The whole write as one statement. It begins `with ${ledger.claim}`, inserts `from claim
   * where verdict = 'GO'`, includes `${ledger.entries}` and ends `select verdict, envelope from claim`.
   * Null where nothing changes: then only the envelope is kept.
   */
  readonly statement: ((sql: Sql, ledger: Ledger) => Query<ClaimRow>) | null;
  readonly answer: Answer;
}

/** A write that needs no stored state. */
export interface CreateWork<Answer> {
  /** Pure. What it throws is thrown only for the verdict GO: every other verdict comes first. */
  readonly decide: () => Write<Answer>;
  readonly replay: (envelope: Envelope) => Promise<Answer>;
}

/** A write that starts from a row it locks. */
export interface ChangeWork<Root, Answer> {
  /** Pure. Refuses what needs no stored state; what it throws is thrown only for GO, as above. */
  readonly check: () => void;
  /** The row, locked: `select … for no key update`. */
  readonly lock: (sql: Sql) => Query<Root & object>;
  /** Pure, given the locked row or null. */
  readonly decide: (root: Root | null) => Write<Answer>;
  readonly replay: (envelope: Envelope) => Promise<Answer>;
  /** Only for families whose row shows by its revision whether it was changed meanwhile. */
  readonly optimistic?: OptimisticRead<Root>;
}

/** How a row is read without a lock, and locked later. */
export interface OptimisticRead<Root> {
  readonly read: (sql: Sql) => Query<Root & object>;
  /** Selects and locks the row where it is as it was read; otherwise selects nothing. */
  readonly lockIfUnchanged: (sql: Sql, root: Root) => Query<object>;
}

/** An answer, and whether it repeats an earlier one. */
export interface Outcome<Answer> {
  readonly answer: Answer;
  readonly replayed: boolean;
}
