/**
 * Runs every write of a family: `CommandRunner.run`. (Accounts, sessions and tokens write access
 * events instead, and open their own transactions.)
 *
 * ONE transaction holds the claim (maintenance, replay, reuse, in progress), the family's own
 * statement, the audit entry and the idempotency envelope. Anything thrown rolls all of it back, and no
 * response is sent before COMMIT has returned.
 *
 * - A write that needs no stored state is one statement, claim and inserts, and its own transaction.
 * - A write that starts from a locked row takes two round trips: BEGIN with claim and lock; then, after
 *   the family has decided, its statement with COMMIT.
 * - Where conflicts are rare, the row is read first without a lock. The one statement that writes then
 *   locks it on condition that it is unchanged; if it is not, the write starts again as above.
 */

import type { Identity } from "../access/identity.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { type Envelope, readEnvelope } from "./envelope.ts";
import {
  claimAndLockCte,
  claimAndLockStatement,
  claimCte,
  claimedCte,
  type ClaimRow,
  claimStatement,
  type Ledger,
  ledgerOf,
  peekStatement,
  unchangedStatement,
} from "./ledger.ts";

/** A client's idempotency key, bound to its request. */
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

/** What a family has decided to write, and what the response will show. */
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

/** Runs writes on one database. */
export class CommandRunner {
  readonly #database: Database;
  // The embedded engine runs one transaction at a time, so a second one never meets the first one's
  // key lock: this process also remembers the keys that it holds.
  readonly #heldKeys = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Runs a write, or returns the replay of one that is finished.
   *
   * @throws ServiceError `SYSTEM_MAINTENANCE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`,
   * and what the family's own functions throw.
   */
  async run<Root, Answer>(
    command: Command,
    work: CreateWork<Answer> | ChangeWork<Root, Answer>,
  ): Promise<Outcome<Answer>> {
    const release = this.#holdKey(command);
    try {
      const { claim, answer } = release === null
        ? await this.#peek(command)
        : "lock" in work
        ? await this.#change(command, work)
        : await this.#create(command, work);
      if (claim.verdict === "REPLAY") {
        const envelope = readEnvelope(claim.envelope ?? "", command.policy);
        return { answer: await work.replay(envelope), replayed: true };
      }
      assertClaimed(command, claim);
      return { answer: answer(), replayed: false };
    } finally {
      release?.();
    }
  }

  /**
   * Checks the maintenance window before a long upload, so that a frozen service does not receive what
   * it will refuse.
   *
   * @throws ServiceError `SYSTEM_MAINTENANCE`.
   */
  async assertOpen(command: Command): Promise<void> {
    assertClaimed(command, await this.#claimCommand(command));
  }

  /** The verdict for a command that writes nothing. */
  async #claimCommand(command: Command): Promise<ClaimRow> {
    return await this.#database.transaction((tx) => claimCommand(tx, command));
  }

  /**
   * The verdict while another request of this process holds the key: a finished operation is replayed
   * all the same, and only an unfinished one is in progress.
   */
  async #peek(command: Command): Promise<Step<never>> {
    const claim = onlyRow(
      (await this.#database.read((sql) => peekStatement(sql, command)))[0],
    );
    return {
      claim,
      answer: () => {
        throw inProgress(command);
      },
    };
  }

  async #create<Answer>(command: Command, work: CreateWork<Answer>): Promise<Step<Answer>> {
    const decided = attempt(work.decide);
    const claim = decided.refused
      ? await this.#claimCommand(command)
      : await this.#insert(command, decided.value());
    return { claim, answer: () => decided.value().answer };
  }

  async #insert(command: Command, write: Write<unknown>): Promise<ClaimRow> {
    const { verify, statement } = write;
    if (verify === undefined && statement !== null) {
      const rows = await this.#database.write((sql) =>
        statement(sql, ledgerOf(sql, command, write, claimCte(sql, command)))
      );
      return onlyRow(rows[0]);
    }
    return await this.#database.transaction(async (tx) => {
      const claim = await claimCommand(tx, command);
      if (claim.verdict !== "GO") return claim;
      await verify?.(tx.sql);
      return await commitWrite(tx, command, write);
    });
  }

  async #change<Root, Answer>(
    command: Command,
    work: ChangeWork<Root, Answer>,
  ): Promise<Step<Answer>> {
    const checked = attempt(work.check);
    if (checked.refused) {
      return { claim: await this.#claimCommand(command), answer: checked.value as () => never };
    }
    return await this.#changeOptimistically(command, work) ??
      await this.#changeLocked(command, work);
  }

  /** Null where the row is missing, was changed meanwhile, or is refused: then it must be locked. */
  async #changeOptimistically<Root, Answer>(
    command: Command,
    { optimistic, decide }: ChangeWork<Root, Answer>,
  ): Promise<Step<Answer> | null> {
    if (optimistic === undefined) return null;
    const [root] = await this.#database.read((sql) => optimistic.read(sql));
    if (root === undefined) return null;
    const decided = attempt(() => decide(root));
    if (decided.refused) return null;
    const write = decided.value();
    const { statement, verify, answer } = write;
    if (statement === null || verify !== undefined) return null;
    const rows = await this.#database.write((sql) => {
      const claim = claimAndLockCte(sql, command, optimistic.lockIfUnchanged(sql, root));
      return statement(sql, ledgerOf(sql, command, write, claim));
    });
    const claim = onlyRow(rows[0]);
    return claim.verdict === "STALE" ? null : { claim, answer: () => answer };
  }

  async #changeLocked<Root, Answer>(
    command: Command,
    work: ChangeWork<Root, Answer>,
  ): Promise<Step<Answer>> {
    return await this.#database.transaction(async (tx) => {
      const [row] = await claimAndLockStatement<Root>(tx.sql, command, work.lock(tx.sql));
      const claim = onlyRow(row);
      if (row === undefined || claim.verdict !== "GO") return { claim, answer: unreachable };
      const write = work.decide(row.found ? row : null);
      await write.verify?.(tx.sql);
      await commitWrite(tx, command, write);
      return { claim, answer: () => write.answer };
    });
  }

  /** Marks the command's key as held by this process; null when it already is. */
  #holdKey(command: Command): (() => void) | null {
    if (command.key === null) return () => {};
    const { identity, scope, target, key } = command;
    const name = [identity.account.accountId, scope, target, key.key].join(" ");
    if (this.#heldKeys.has(name)) return null;
    this.#heldKeys.add(name);
    return () => this.#heldKeys.delete(name);
  }
}

/** The verdict, and the answer where the verdict is GO. */
interface Step<Answer> {
  readonly claim: ClaimRow;
  readonly answer: () => Answer;
}

interface Attempt<T> {
  readonly refused: boolean;
  /** The value; throws the refusal where there was one. */
  readonly value: () => T;
}

function attempt<T>(decide: () => T): Attempt<T> {
  try {
    const value = decide();
    return { refused: false, value: () => value };
  } catch (refusal) {
    return {
      refused: true,
      value: () => {
        throw refusal;
      },
    };
  }
}

function unreachable(): never {
  throw new Error("The claim did not succeed");
}

async function claimCommand(tx: Tx, command: Command): Promise<ClaimRow> {
  return onlyRow((await claimStatement(tx.sql, command))[0]);
}

/** Writes what was claimed, and commits. */
async function commitWrite(
  tx: Tx,
  command: Command,
  write: Write<unknown>,
): Promise<ClaimRow> {
  if (write.statement !== null) {
    const ledger = ledgerOf(tx.sql, command, write, claimedCte(tx.sql, command));
    return onlyRow((await tx.commitWith(write.statement(tx.sql, ledger)))[0]);
  }
  if (command.key !== null) await tx.commitWith(unchangedStatement(tx.sql, command, write));
  return { verdict: "GO", envelope: null };
}

function onlyRow(row: ClaimRow | undefined): ClaimRow {
  if (row === undefined) throw new Error("The claim has no verdict");
  return row;
}

function assertClaimed(command: Command, claim: ClaimRow): void {
  switch (claim.verdict) {
    case "MAINTENANCE":
      throw new ServiceError("SYSTEM_MAINTENANCE", {
        details: { scope: "ORDINARY_WRITES", entryPoint: command.operation },
      });
    case "IN_PROGRESS":
      throw inProgress(command);
    case "REUSED":
      throw new ServiceError("IDEMPOTENCY_KEY_REUSED", {
        details: { operation: command.operation },
      });
  }
}

function inProgress(command: Command): ServiceError {
  return new ServiceError("IDEMPOTENCY_IN_PROGRESS", {
    details: { operation: command.operation },
  });
}
