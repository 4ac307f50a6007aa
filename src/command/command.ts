/** How a family describes a write, and its result. `runner.ts` explains how a write runs. */

import type { Caller } from "../access/identity.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { ServiceError } from "../errors/service_error.ts";
import type { Envelope } from "./envelope.ts";
import type { ClaimRow, Ledger } from "./ledger.ts";

/** A client's key for a write, bound to the request. */
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
  /** The subject's identifier; empty if the operation creates its subject. */
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

/** Shared by all planned changes. */
interface PlannedChange {
  readonly subjectId: string;
  /** Null for a subject without revisions. */
  readonly revision: number | null;
  /**
   * Statements that must take effect before `statement`, such as the deletion of a row whose unique value
   * it inserts again. They are sent in order, in one round trip with it and COMMIT, after the claim
   * returned GO.
   */
  readonly preceding?: (sql: Sql) => readonly Query<object>[];
  /** The service's own action in `preceding`, by its name in the audit trail; by default none. */
  readonly precedingOperation?: string;
}

/** A write that a family has decided on, and the result of its command. */
export interface PlannedWrite<Result> extends PlannedChange {
  readonly executionId?: string;
  /**
   * Checks or reserves other stored rows. Runs inside the transaction, after the claim. The transaction
   * may be tried twice, and so may this.
   */
  readonly verify?: (sql: Sql) => Promise<void>;
  /**
   * The whole write as one statement. It begins with `with ${ledger.claim}`, inserts `from claim where
   * verdict = 'GO'`, includes `${ledger.ctes}` and ends with `select verdict, envelope from claim`. Null if
   * nothing changes: then only the envelope is stored.
   */
  readonly statement: ((sql: Sql, ledger: Ledger) => Query<ClaimRow>) | null;
  readonly result: Result;
}

/**
 * A change that the service must write before it refuses, such as a proposal's transition to EXPIRED: it is
 * committed under the credential kind SYSTEM, then the refusal is thrown. No envelope is stored, so the
 * client's key stays free.
 */
export interface PlannedRefusal extends PlannedChange {
  /** The service's action, by its stable name in the audit trail. */
  readonly operation: string;
  /** As a `Write` has it. */
  readonly statement: (sql: Sql, ledger: Ledger) => Query<ClaimRow>;
  readonly refusal: ServiceError;
}

/** A family's decision, unless it throws a refusal. */
export type Plan<Result> = PlannedWrite<Result> | PlannedRefusal;

/** A write that needs no stored state. */
export interface CreateWork<Result> {
  /** Pure. Its errors are thrown only for the verdict GO: every other verdict comes first. */
  readonly decide: () => Plan<Result>;
}

/** A write that starts from a row it locks. */
export interface ChangeWork<Root, Result, Related = undefined> {
  /** Pure. Rejects requests that are invalid in any state; its errors are thrown only for GO, as above. */
  readonly check: () => void;
  /** The row, locked: `select … for no key update`. */
  readonly lock: (sql: Sql) => Query<Root & object>;
  /**
   * Reads further rows for the decision; required if `decide` uses them. Its statements begin after the
   * row's lock was granted, so they see what every earlier holder of the lock has committed. Put several of
   * them into one `Promise.all`.
   */
  readonly related?: (sql: Sql, root: Root | null) => Promise<Related>;
  /** Pure, given the locked row or null, and the result of `related`. */
  readonly decide: (root: Root | null, related: Related) => Plan<Result>;
  /**
   * Only for families whose row shows by its revision whether it was changed. Ignored together with
   * `related`, whose rows may change while the row does not.
   */
  readonly optimistic?: OptimisticRead<Root>;
}

/** A write that needs slow work first, such as a computation. */
export interface PreparedWork<Root, Result, Related> {
  /**
   * Does the slow work outside of any transaction, and returns the write. It is called once, and not at all
   * for a replay or in the maintenance window. During it this process rejects the same key; another process
   * may prepare under it too, and then one of the two writes.
   */
  readonly prepare: () => Promise<CreateWork<Result> | ChangeWork<Root, Result, Related>>;
}

/** Shared by every kind of work. */
export interface CommonWork<Result> {
  /** The result of a finished operation, rebuilt from its envelope. */
  readonly replay: (envelope: Envelope) => Promise<Result>;
  /**
   * Rejects, by reading, requests that can never succeed, before any key is claimed: so of many requests
   * under one key none is answered IDEMPOTENCY_IN_PROGRESS. A stored envelope, the maintenance window and
   * `check` still come first. Use for terminal states only.
   */
  readonly before?: (sql: Sql) => Promise<void>;
  /**
   * The error codes for violated constraints, by constraint name. The whole transaction is rolled back,
   * including the claim of the key.
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
  /** Selects and locks the row if it is unchanged; otherwise selects nothing. */
  readonly lockIfUnchanged: (sql: Sql, root: Root) => Query<object>;
}

/** Counts writes. */
export interface WriteMeter {
  /** A write was committed, under this name in the audit trail. */
  written(operation: string): void;
}

/** The result of a command, and whether it repeats an earlier one. */
export interface CommandResult<Result> {
  readonly result: Result;
  readonly replayed: boolean;
}
