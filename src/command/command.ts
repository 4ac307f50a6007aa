/** What a family describes of a write, and what it gets back. `runner.ts` says how a write runs. */

import type { Caller } from "../access/identity.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { ServiceError } from "../errors/service_error.ts";
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
  readonly caller: Caller;
  readonly requestId: string;
  readonly now: Date;
  readonly key: IdempotencyKey | null;
  /** Whether the maintenance window freezes this write. */
  readonly frozen: boolean;
  /** An export continues when the account or the disk is full. */
  readonly isExport?: boolean;
}

/** What every decided write has. */
interface PlannedChange {
  readonly subjectId: string;
  /** Null for a subject without revisions. */
  readonly revision: number | null;
  /**
   * Statements that must take effect before `statement`, such as the deletion of a row whose unique
   * value it inserts anew. They are sent in order, in one round trip with it and COMMIT. The claim has
   * said GO by then.
   */
  readonly preceding?: (sql: Sql) => readonly Query<object>[];
  /** What the service itself did in `preceding`, by its name in the audit trail; nothing unless given. */
  readonly precedingOperation?: string;
}

/** What a family has decided to write, and the result of its command. */
export interface PlannedWrite<Result> extends PlannedChange {
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
  readonly result: Result;
}

/**
 * What the service has to write before it refuses, such as the move of a proposal to EXPIRED: it is
 * committed under the credential kind SYSTEM, and then the refusal is thrown. No envelope is kept, so
 * the client's key is not spent.
 */
export interface PlannedRefusal extends PlannedChange {
  /** What the service did, by its stable name in the audit trail. */
  readonly operation: string;
  /** As a `Write` has it. */
  readonly statement: (sql: Sql, ledger: Ledger) => Query<ClaimRow>;
  readonly refusal: ServiceError;
}

/** What a family decides where it does not refuse at once. */
export type Plan<Result> = PlannedWrite<Result> | PlannedRefusal;

/** A write that needs no stored state. */
export interface CreateWork<Result> {
  /** Pure. What it throws is thrown only for the verdict GO: every other verdict comes first. */
  readonly decide: () => Plan<Result>;
}

/** A write that starts from a row it locks. */
export interface ChangeWork<Root, Result, Related = undefined> {
  /** Pure. Refuses what needs no stored state; what it throws is thrown only for GO, as above. */
  readonly check: () => void;
  /** The row, locked: `select … for no key update`. */
  readonly lock: (sql: Sql) => Query<Root & object>;
  /**
   * Reads what else the decision needs; to be given exactly where `decide` takes it. Its statements
   * begin after the row's lock was granted, so they see what every earlier holder of the lock has
   * committed. Several of them belong into one `Promise.all`.
   */
  readonly related?: (sql: Sql, root: Root | null) => Promise<Related>;
  /** Pure, given the locked row or null, and what `related` read. */
  readonly decide: (root: Root | null, related: Related) => Plan<Result>;
  /**
   * Only for families whose row shows by its revision whether it was changed meanwhile. Without effect
   * beside `related`, whose rows may change while the row does not.
   */
  readonly optimistic?: OptimisticRead<Root>;
}

/** A write that takes slow work first, such as a computation. */
export interface PreparedWork<Root, Result, Related> {
  /**
   * Does the slow work, outside of any transaction, and returns the write that follows from it. It is
   * called once, and not at all for a replay or in the maintenance window. Meanwhile this process
   * refuses the same key; another process may prepare under it too, and then one of the two writes.
   */
  readonly prepare: () => Promise<CreateWork<Result> | ChangeWork<Root, Result, Related>>;
}

/** What every kind of work has. */
export interface CommonWork<Result> {
  /** The result of a finished operation, from what its envelope names. */
  readonly replay: (envelope: Envelope) => Promise<Result>;
  /**
   * Refuses, by reading, what no request can do any more, before any key is claimed: so of many
   * requests under one key none is answered IDEMPOTENCY_IN_PROGRESS. A stored envelope, the maintenance
   * window and what `check` refuses still come first. Only for states that nothing leads out of.
   */
  readonly before?: (sql: Sql) => Promise<void>;
  /**
   * The refusals that stand for violated constraints, by the names of these. The whole transaction is
   * rolled back, and so is the claim of the key.
   */
  readonly constraints?: Readonly<Record<string, ErrorCode | (() => ServiceError)>>;
}

/** How a command is carried out. */
export type Work<Root, Result, Related = undefined> =
  & CommonWork<Result>
  & (
    | CreateWork<Result>
    | ChangeWork<Root, Result, Related>
    | PreparedWork<Root, Result, Related>
  );

/** How a row is read without a lock, and locked later. */
export interface OptimisticRead<Root> {
  readonly read: (sql: Sql) => Query<Root & object>;
  /** Selects and locks the row where it is as it was read; otherwise selects nothing. */
  readonly lockIfUnchanged: (sql: Sql, root: Root) => Query<object>;
}

/** Counts what is written. */
export interface WriteMeter {
  /** A write was committed, under this name in the audit trail. */
  written(operation: string): void;
}

/** The result of a command, and whether it repeats an earlier one. */
export interface CommandResult<Result> {
  readonly result: Result;
  readonly replayed: boolean;
}
