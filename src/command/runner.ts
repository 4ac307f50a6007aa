/**
 * How every write of a family works: `CommandRunner.run`. (Accounts, sessions and tokens write
 * access events instead of audit entries, in transactions of `access/` itself.)
 *
 * ONE transaction contains the claim of the client's key, the family's rows, the audit entry and
 * the idempotency envelope. Any error rolls all of it back; a response is sent only after COMMIT
 * has returned.
 *
 * Verdicts. A write first claims its key (`claim_command`, sql/0003_commands.sql), which returns
 * one of:
 *   MAINTENANCE   the write is frozen and the window is open: 503
 *   FROZEN        the writes of the account are frozen, and the key is new: 503
 *   REUSED        the key belongs to a different request: 409
 *   REPLAY        the operation is finished: its result is rebuilt from the stored envelope
 *   IN_PROGRESS   another transaction, or another request of this process, holds the key: 409
 *   GO            none of these; the key is held until the transaction ends
 * Errors of the family's own rules are thrown for GO only. A command of a cached identity that no
 * longer holds has no verdict (`http/speculation.ts`).
 *
 * Locks, in this order: the maintenance lock, shared, for a frozen write; the account's lock,
 * shared; the key, tried and never waited for; the root's row; then the locks of `related`,
 * `verify` and `preceding`, in the same order for all of the family's writes.
 *
 * Paths:
 *   create      one statement, claim and inserts, which is its own transaction
 *   change      two round trips: BEGIN, claim and lock; then, after the decision, its statement
 *               with COMMIT
 *   optimistic  the row is read without a lock, and the family decides; then one statement claims
 *               the key, locks the row if it is unchanged, and writes. If the row was changed
 *               (verdict STALE) or the decision refuses, the write starts again as a change
 *   related     a change with one more round trip after the lock, for other rows of the decision
 * `verify` and `preceding` turn a create into a change without a row. Before these paths come
 * `before` (a read that rejects before anything is claimed) and `prepare` (slow work outside of any
 * transaction), unless the key's envelope is already stored.
 *
 * Creates and optimistic changes with `shared` that wait for earlier ones of their account are
 * one statement, with a verdict for each (`write_queue.ts`). Its rows are locked in the order of
 * their identifiers.
 *
 * After GO a write can still be refused: a decision throws, a constraint named in `constraints` is
 * violated, or the account's storage is full, and everything is rolled back; or the decision is a
 * `PlannedRefusal`, which is committed without an envelope. In each case the key is free.
 *
 * Retry. After a deadlock, lock timeout or statement timeout the transaction is tried again once
 * from its beginning (`Database`), so every function that a family passes in may be called twice.
 */

import { settle } from "../access/confirmation.ts";
import { systemClock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type {
  ChangeWork,
  Command,
  CommandResult,
  CommonWork,
  CreateWork,
  KeylessCommand,
  OptimisticRead,
  Plan,
  Work,
  WriteMeter,
} from "./command.ts";
import { recordErased } from "../erasure/refusal.ts";
import { isErasedEnvelope, readEnvelope } from "./envelope.ts";
import { HeldKeys } from "./held_keys.ts";
import type { ClaimRow } from "./ledger.ts";
import { claimRefusal, constraintRefusal, storageFull } from "./refusals.ts";
import {
  claimedStatement,
  claimStatement,
  peekStatement,
  type WritingService,
} from "./statements.ts";
import { NO_LIMITS, type WriteLimits } from "./write_limits.ts";
import { WriteQueue } from "./write_queue.ts";

type Decided<Result> =
  | { readonly decision: Plan<Result> }
  | { readonly refusal: unknown };

type Ending<Result> =
  | Plan<Result>
  | { readonly refusal: unknown }
  | { readonly claim: ClaimRow };

export class CommandRunner {
  readonly #database: Database;
  readonly #limits: WriteLimits;
  readonly #meter: WriteMeter | null;
  readonly #service: WritingService;
  readonly #queue: WriteQueue;
  readonly #heldKeys = new HeldKeys();
  /** The credential id in audit entries of the service's own writes. */
  readonly processId: string = newId(systemClock());

  constructor(
    database: Database,
    limits: WriteLimits = NO_LIMITS,
    meter: WriteMeter | null = null,
  ) {
    this.#database = database;
    this.#limits = limits;
    this.#meter = meter;
    this.#service = { limits, processId: this.processId };
    this.#queue = new WriteQueue(database, this.#service);
  }

  /**
   * Runs a write, or returns the replay if the operation is finished.
   *
   * @throws ServiceError `SYSTEM_MAINTENANCE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`,
   *   `RECORD_ERASED`, `ACCOUNT_STORAGE_FULL`, `HTTP_503` if the disk is nearly full, those of the
   *   work's `constraints`, and errors of the family's own functions.
   */
  async run<Root, Result, Related = undefined>(
    command: Command,
    work: Work<Root, Result, Related>,
  ): Promise<CommandResult<Result>> {
    const ending = await this.#attempt(command, work).catch((error) => {
      throw this.#constraintRefusal(error, work.constraints);
    });
    this.#count(command, ending);
    if ("result" in ending) return { result: ending.result, replayed: false };
    if ("refusal" in ending) throw ending.refusal;
    const { claim } = ending;
    if (claim.verdict !== "REPLAY") throw claimRefusal(command, claim);
    if (isErasedEnvelope(claim.envelope ?? "")) throw recordErased(command.moduleCode);
    const envelope = readEnvelope(claim.envelope ?? "", command.policy);
    return { result: await work.replay(envelope), replayed: true };
  }

  /**
   * Runs a write of many subjects, such as an import, in one transaction without time limits. It
   * has no key and is never replayed. `write` adds the audit entries itself (`auditEntries`), and
   * may be called twice.
   *
   * @throws ServiceError `SYSTEM_MAINTENANCE`, `ACCOUNT_STORAGE_FULL`, `HTTP_503` if the disk is
   *   nearly full; errors of `write`.
   */
  async runMany<Result>(
    command: KeylessCommand,
    write: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    if (!command.continuesWhenFull) this.assertDiskRoom();
    const result = await this.#database.transaction(async (tx) => {
      await tx.withoutTimeouts();
      const claim = claimOf(command, await claimStatement(tx.sql, command, this.#service));
      if (claim.verdict !== "GO") throw claimRefusal(command, claim);
      return await write(tx);
    }).catch((error) => {
      throw this.#constraintRefusal(error);
    });
    this.#meter?.written(command.operation);
    return result;
  }

  /** Counts neither replays nor changes that change nothing. */
  #count({ operation }: Command, ending: Ending<unknown>): void {
    if (this.#meter === null || !("statement" in ending) || ending.statement === null) return;
    if (ending.precedingOperation !== undefined) this.#meter.written(ending.precedingOperation);
    this.#meter.written("operation" in ending ? ending.operation : operation);
  }

  /**
   * Checks before a long upload that the write could succeed now, so that no bytes are received in
   * vain.
   *
   * @throws ServiceError `SYSTEM_MAINTENANCE`, `HTTP_503`.
   */
  async assertOpen(command: Command): Promise<void> {
    const claim = await this.#peek(command);
    if (claim.verdict !== "GO") throw claimRefusal(command, claim);
    this.assertDiskRoom();
  }

  /**
   * Called during a long upload or import.
   *
   * @throws ServiceError `HTTP_503` if the disk is nearly full.
   */
  assertDiskRoom(): void {
    this.#limits.assertDiskRoom();
  }

  #constraintRefusal(
    error: unknown,
    constraints: CommonWork<unknown>["constraints"] = {},
  ): unknown {
    const limit = this.#limits.accountBytes ?? 0;
    return constraintRefusal(error, {
      account_storage_limit: () => storageFull(limit),
      ...constraints,
    });
  }

  async #attempt<Root, Result, Related>(
    command: Command,
    work: Work<Root, Result, Related>,
  ): Promise<Ending<Result>> {
    const refusedByDisk = await this.#refusedByDisk(command);
    if (refusedByDisk !== null) return refusedByDisk;
    const { before } = work;
    if (before !== undefined && isRightInItself(work)) {
      const refused = await this.#refusedBefore(command, before);
      if (refused !== null) return refused;
    }
    const release = this.#heldKeys.hold(command);
    if (release === null) {
      const refusal = claimRefusal(command, { verdict: "IN_PROGRESS", envelope: null });
      return unlessClaimed(await this.#peek(command), { refusal });
    }
    try {
      let ready: CreateWork<Result> | ChangeWork<Root, Result, Related>;
      if ("prepare" in work) {
        const claim = await this.#peek(command);
        if (claim.verdict !== "GO") return { claim };
        ready = await work.prepare();
      } else {
        ready = work;
      }
      return "lock" in ready
        ? await this.#change(command, ready)
        : await this.#create(command, ready);
    } finally {
      release();
    }
  }

  async #refusedByDisk(command: Command): Promise<Ending<never> | null> {
    if (command.continuesWhenFull) return null;
    try {
      this.assertDiskRoom();
      return null;
    } catch (refusal) {
      return unlessClaimed(await this.#peek(command), { refusal });
    }
  }

  /**
   * Runs `before`. Returns null if it accepts. If it refuses, the envelope is read afterwards, when
   * every request that could still store one has ended.
   */
  async #refusedBefore(
    command: Command,
    before: (sql: Sql) => Promise<void>,
  ): Promise<Ending<never> | null> {
    try {
      await this.#database.read(before);
      return null;
    } catch (refusal) {
      return unlessClaimed(await this.#peek(command), { refusal });
    }
  }

  /** Claims nothing; GO if there is no envelope. */
  async #peek(command: Command): Promise<ClaimRow> {
    return onlyRow(await this.#database.read((sql) => peekStatement(sql, command)));
  }

  /** Throws the refusal, unless the claim has a verdict other than GO. */
  async #refuse(command: Command, refused: { readonly refusal: unknown }): Promise<Ending<never>> {
    const claim = await this.#database.transaction(async (tx) =>
      claimOf(command, await claimStatement(tx.sql, command, this.#service))
    );
    return unlessClaimed(claim, refused);
  }

  async #create<Result>(command: Command, work: CreateWork<Result>): Promise<Ending<Result>> {
    const decided = attempt(work.decide);
    if ("refusal" in decided) return await this.#refuse(command, decided);
    const { decision } = decided;
    return await this.#writeOnce(command, decision) ??
      await this.#changeLocked(command, null, () => Promise.resolve(decision));
  }

  async #change<Root, Result, Related>(
    command: Command,
    work: ChangeWork<Root, Result, Related>,
  ): Promise<Ending<Result>> {
    const { check, lock, related, decide } = work;
    try {
      check();
    } catch (refusal) {
      return await this.#refuse(command, { refusal });
    }
    if (related !== undefined) {
      const decideRelated = async (sql: Sql, root: Root | null) =>
        decide(root, await related(sql, root));
      return await this.#changeLocked(command, lock, decideRelated);
    }
    const decideAlone = (root: Root | null) => decide(root, undefined as Related);
    return await this.#changeOptimistically(command, work.optimistic, decideAlone) ??
      await this.#changeLocked(command, lock, (_, root) => Promise.resolve(decideAlone(root)));
  }

  /** Null if the row must be locked: it is missing or changed, or the decision refuses. */
  async #changeOptimistically<Root, Result>(
    command: Command,
    optimistic: OptimisticRead<Root> | undefined,
    decide: (root: Root) => Plan<Result>,
  ): Promise<Ending<Result> | null> {
    if (optimistic === undefined) return null;
    const [root] = await this.#database.read((sql) => optimistic.read(sql));
    if (root === undefined) return null;
    const decided = attempt(() => decide(root));
    if ("refusal" in decided || "refusal" in decided.decision) return null;
    const lock = (sql: Sql) => optimistic.lockIfUnchanged(sql, root);
    return await this.#writeOnce(command, decided.decision, lock);
  }

  /**
   * One statement with its own transaction. Null if that does not suffice, or the verdict is STALE.
   */
  async #writeOnce<Result>(
    command: Command,
    decision: Plan<Result>,
    lock: ((sql: Sql) => Query<object>) | null = null,
  ): Promise<Ending<Result> | null> {
    const { statement, preceding } = decision;
    const isVerified = "verify" in decision && decision.verify !== undefined;
    if (statement === null || preceding !== undefined || isVerified) return null;
    const claim = claimOf(command, await this.#queue.write({ command, decision, lock, statement }));
    return claim.verdict === "STALE" ? null : unlessClaimed(claim, decision);
  }

  async #changeLocked<Root, Result>(
    command: Command,
    lock: ((sql: Sql) => Query<Root & object>) | null,
    decide: (sql: Sql, root: Root | null) => Promise<Plan<Result>>,
  ): Promise<Ending<Result>> {
    return await this.#database.transaction(async (tx) => {
      const locking = lock?.(tx.sql) ?? null;
      const claiming = claimStatement(tx.sql, command, this.#service, locking);
      const row = claimOf(command, await claiming);
      if (row.verdict !== "GO") return { claim: row };
      const decision = await decide(tx.sql, row.found ? row : null);
      if ("verify" in decision) await decision.verify?.(tx.sql);
      await commitWrite(tx, decision, claimedStatement(tx.sql, command, decision, this.#service));
      return decision;
    });
  }
}

/** True if only stored state can refuse the request. */
function isRightInItself(work: object | { readonly check: () => void }): boolean {
  try {
    if ("check" in work) work.check();
    return true;
  } catch {
    return false;
  }
}

function attempt<Result>(decide: () => Plan<Result>): Decided<Result> {
  try {
    return { decision: decide() };
  } catch (refusal) {
    return { refusal };
  }
}

/** Sends `preceding`, the last statement and COMMIT in one round trip. */
async function commitWrite(
  tx: Tx,
  { preceding }: Plan<unknown>,
  last: Query<ClaimRow> | null,
): Promise<void> {
  const sent: Promise<unknown>[] = (preceding?.(tx.sql) ?? []).map((query) => query.execute());
  if (last !== null) sent.push(tx.commitWith(last));
  // Later statements and COMMIT fail because of the first failure.
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function unlessClaimed<Result>(claim: ClaimRow, ending: Ending<Result>): Ending<Result> {
  return claim.verdict === "GO" ? ending : { claim };
}

/** The claim's row; also confirms the command's identity. */
function claimOf<Row>({ caller }: Command, rows: readonly Row[]): Row {
  settle(caller, rows.length > 0);
  return onlyRow(rows);
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("The claim has no verdict");
  return row;
}
