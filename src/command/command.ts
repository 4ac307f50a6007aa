/** How a family describes a write; `runner.ts` runs it. */

import type { Caller } from "../access/identity.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { ServiceError } from "../errors/service_error.ts";
import type { Envelope } from "./envelope.ts";
import type { ClaimRow, Ledger } from "./ledger.ts";

export interface IdempotencyKey {
  readonly key: string;
  /** HMAC of method, path and canonical body. */
  readonly fingerprint: Uint8Array;
  /** The secret that the fingerprint was made with. */
  readonly fingerprintKey: string;
}

export interface Command {
  /** The name in the audit trail, such as `record.create`. */
  readonly operation: string;
  readonly moduleCode: string | null;
  /** Operation, module and feature: with owner, target and key, they identify a replay. */
  readonly scope: string;
  /** Empty if the operation creates its subject. */
  readonly target: string;
  readonly policy: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly now: Date;
  readonly key: IdempotencyKey | null;
  /** Blocked by the maintenance window. */
  readonly frozen: boolean;
  /** Continues when the account or the disk is full. */
  readonly continuesWhenFull?: boolean;
  /** The proposal that the write accepts: it is decided in the same statement. */
  readonly acceptance?: {
    readonly assistantId: string;
    /** The CTE that decides it, conditional on the claim. */
    readonly entries: (sql: Sql, written: AuditedSubject) => Query<object>;
  };
}

/** A command that is never replayed. */
export type KeylessCommand = Command & { readonly key: null };

/** The members of a command that a request has. */
type CommandCall = Pick<Command, "operation" | "caller" | "requestId" | "now" | "key">;

export interface CommandOptions {
  readonly module: string | null;
  /** Default: empty, for a creation. */
  readonly target?: string;
  readonly policy: string;
  /** Default: the operation. */
  readonly scope?: string;
  readonly frozen?: boolean | undefined;
  readonly continuesWhenFull?: boolean;
}

/** The command of a request. Without a key, it is a `KeylessCommand`. */
export function commandOf<Key extends IdempotencyKey | null>(
  { operation, caller, requestId, now, key }: CommandCall & { readonly key: Key },
  { module, target = "", policy, scope = operation, frozen = false, continuesWhenFull = false }:
    CommandOptions,
): Command & { readonly key: Key } {
  const about = { operation, scope, moduleCode: module, target, policy, frozen, continuesWhenFull };
  return { ...about, caller, requestId, now, key };
}

/** The subject of a write, as its audit entry names it. */
export type AuditedSubject = Pick<PlannedWrite<unknown>, "subjectId" | "revision">;

interface PlannedChange {
  readonly subjectId: string;
  /** Null for a subject without revisions. */
  readonly revision: number | null;
  /**
   * Statements that must take effect before `statement`, such as deleting a row whose unique value
   * it inserts again. They are sent in order after the verdict GO, in one round trip with
   * `statement` and COMMIT.
   */
  readonly preceding?: (sql: Sql) => readonly Query<object>[];
  /** The audit name of the service's own action in `preceding`, if any. */
  readonly precedingOperation?: string;
}

/** A family's decision to write. */
export interface PlannedWrite<Result> extends PlannedChange {
  readonly executionId?: string;
  /** Checks or reserves other rows after the claim. May be called twice. */
  readonly verify?: (sql: Sql) => Promise<void>;
  /**
   * The whole write: begins with `with ${ledger.claim}`, inserts `from claim where verdict = 'GO'`,
   * includes `${ledger.ctes}` and ends with `select verdict, envelope from claim`. Null if nothing
   * changes: then only the envelope is stored.
   */
  readonly statement: ((sql: Sql, ledger: Ledger) => Query<ClaimRow>) | null;
  /** The same write, if others that wait at the same time can be in its statement. */
  readonly shared?: SharedWrite;
  readonly result: Result;
}

/** A write as one row of a statement of several. */
export interface SharedWrite {
  readonly kind: SharedKind;
  readonly row: object;
  /** Approximate size of the row. */
  readonly bytes: number;
}

/** Writes with the same kind, of one account, can be one statement. */
export interface SharedKind {
  readonly name: string;
  /** As `PlannedWrite.statement`. Joins each row with `claim` by `number`, and selects that too. */
  statement(sql: Sql, ledger: Ledger, owner: string, rows: readonly object[]): Query<ClaimRow>;
}

/**
 * A change to write before refusing, such as a proposal's transition to EXPIRED. It is committed
 * under the credential kind SYSTEM; then the refusal is thrown. No envelope is stored, so the
 * client's key stays free.
 */
export interface PlannedRefusal extends PlannedChange {
  readonly operation: string;
  /** As in `PlannedWrite`. */
  readonly statement: (sql: Sql, ledger: Ledger) => Query<ClaimRow>;
  readonly refusal: ServiceError;
}

export type Plan<Result> = PlannedWrite<Result> | PlannedRefusal;

/** A write that needs no stored state. */
export interface CreateWork<Result> {
  /** Must be pure. Its errors are thrown only for the verdict GO. */
  readonly decide: () => Plan<Result>;
}

/** A write that starts from a row and locks it. */
export interface ChangeWork<Root, Result, Related = undefined> {
  /** Must be pure. Rejects requests that are invalid in any state; only for GO. */
  readonly check: () => void;
  /** `select … for no key update`. */
  readonly lock: (sql: Sql) => Query<Root & object>;
  /**
   * Reads further rows for `decide`, in statements after the row's lock was granted, so that they
   * see the commits of earlier holders. Send several in one `Promise.all`.
   */
  readonly related?: (sql: Sql, root: Root | null) => Promise<Related>;
  /** Must be pure, given the locked row or null, and the result of `related`. */
  readonly decide: (root: Root | null, related: Related) => Plan<Result>;
  /**
   * Allowed only for rows whose revision every change raises. Ignored together with `related`,
   * whose rows may change while the row does not.
   */
  readonly optimistic?: OptimisticRead<Root>;
}

/** A write that needs slow work first, such as a computation. */
interface PreparedWork<Root, Result, Related> {
  /**
   * Does the slow work outside of any transaction. Called once, but not for a replay or in the
   * maintenance window. While it runs, this process rejects the same key; if another process
   * prepares under it too, one of the two writes.
   */
  readonly prepare: () => Promise<CreateWork<Result> | ChangeWork<Root, Result, Related>>;
}

export interface CommonWork<Result> {
  /** Rebuilds the result of a finished operation from its envelope. */
  readonly replay: (envelope: Envelope) => Promise<Result>;
  /**
   * Rejects by reading, before any key is claimed, so that concurrent requests under one key do not
   * get IDEMPOTENCY_IN_PROGRESS. A stored envelope, the maintenance window and `check` still come
   * first. Use for terminal states only.
   */
  readonly before?: (sql: Sql) => Promise<void>;
  /**
   * Error codes by constraint name. A violation rolls back the whole transaction, including the
   * claim of the key.
   */
  readonly constraints?: Readonly<Record<string, ErrorCode | (() => ServiceError)>>;
}

export type Work<Root, Result, Related = undefined> =
  & CommonWork<Result>
  & (
    | CreateWork<Result>
    | ChangeWork<Root, Result, Related>
    | PreparedWork<Root, Result, Related>
  );

export interface OptimisticRead<Root> {
  readonly read: (sql: Sql) => Query<Root & object>;
  /**
   * Locks the row if it is unchanged; otherwise selects nothing. If the write is shared, it finds
   * the row by `sent` alone, the command's row in `claim` (`statements.ts`).
   */
  readonly lockIfUnchanged: (sql: Sql, root: Root) => Query<object>;
}

export interface WriteMeter {
  /** Counts a write, by its audit name, after the commit. */
  written(operation: string): void;
}

export interface CommandResult<Result> {
  readonly result: Result;
  readonly replayed: boolean;
}
