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

import type { Database, Tx } from "../database/database.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { ChangeWork, Command, CreateWork, Outcome, Write } from "./command.ts";
import { readEnvelope } from "./envelope.ts";
import type { ClaimRow } from "./ledger.ts";
import {
  claimAndLockCte,
  claimAndLockStatement,
  claimCte,
  claimedCte,
  claimStatement,
  ledgerOf,
  peekStatement,
  unchangedStatement,
} from "./statements.ts";

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
