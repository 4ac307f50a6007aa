/** What a write is: what it says of itself, what it decides, and what comes of it. `runner.ts` runs it. */

import type { Identity } from "../access/identity.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Envelope } from "./envelope.ts";

/** A client's key for a write, bound to what it asked for. */
export interface IdempotencyKey {
  readonly key: string;
  /** HMAC of method, path and canonical body. */
  readonly fingerprint: Uint8Array;
  /** Names the secret that the fingerprint was made with. */
  readonly fingerprintKey: string;
}

/** What a write says of itself. */
export interface Command {
  /** The stable name in the audit, such as `record.create`. */
  readonly operation: string;
  readonly moduleCode: string | null;
  /** With owner, target and key, what a replay is recognised by: operation, module and feature. */
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

/** What the gate says; `sql/0003_commands.sql` tells what each verdict means. */
export interface GateRow {
  /** MOVED is `goAsHeld`'s own word. */
  readonly verdict: "GO" | "REPLAY" | "REUSED" | "IN_PROGRESS" | "MAINTENANCE" | "MOVED";
  readonly envelope: string | null;
}

/** The fragments of one write. */
export interface Ledger {
  /** The first CTE, `go`: one row whose verdict every insert asks for. */
  readonly go: Query<object>;
  /** The last CTEs: the audit entry, and the envelope where the client sent a key. */
  readonly entries: Query<object>;
}

/** What a family has decided to write, and what it will answer. */
export interface Write<Answer> {
  readonly subjectId: string;
  /** Null for a subject without revisions. */
  readonly revision: number | null;
  readonly executionId?: string;
  /**
   * What must hold of other stored rows, or must be reserved in them: runs inside the transaction,
   * behind the gate. The transaction may be tried twice, and so may this.
   */
  readonly verify?: (sql: Sql) => Promise<void>;
  /**
   * The whole write as one statement. It begins `with ${ledger.go}`, takes what it inserts `from go
   * where verdict = 'GO'`, includes `${ledger.entries}` and ends `select verdict, envelope from go`.
   * Null where nothing changes: then only the envelope is kept.
   */
  readonly statement: ((sql: Sql, ledger: Ledger) => Query<GateRow>) | null;
  readonly answer: Answer;
}

/** A write that needs no stored state. */
export interface CreateWork<Answer> {
  /** Pure. A refusal is only a candidate: maintenance, replay, reuse and in-progress win over it. */
  readonly decide: () => Write<Answer>;
  readonly replay: (envelope: Envelope) => Promise<Answer>;
}

/** A write that starts from a row it locks. */
export interface ChangeWork<Root, Answer> {
  /** Pure. Refuses what needs no stored state to be refused; only a candidate, as above. */
  readonly check: () => void;
  /** The row, locked: `select … for no key update`. */
  readonly lock: (sql: Sql) => Query<Root & object>;
  /** Pure, given the locked row or null. */
  readonly decide: (root: Root | null) => Write<Answer>;
  readonly replay: (envelope: Envelope) => Promise<Answer>;
  /** Given by families whose row says itself whether it was changed meanwhile. */
  readonly unlocked?: UnlockedRow<Root>;
}

/** How a row is read without a lock, and then held. */
export interface UnlockedRow<Root> {
  readonly find: (sql: Sql) => Query<Root & object>;
  /** Selects the row, locked, where it is as it was found; otherwise nothing. */
  readonly hold: (sql: Sql, root: Root) => Query<object>;
}

/** An answer, and whether it repeats an earlier one. */
export interface Outcome<Answer> {
  readonly answer: Answer;
  readonly replayed: boolean;
}
