/**
 * The one way to write.
 *
 * Every write of every family runs through `CommandRunner.run`: in ONE transaction the gate
 * (maintenance, replay, reuse, in progress), the family's own statement, the audit entry and the
 * idempotency envelope. Anything thrown rolls all of it back, and no answer is given before COMMIT
 * has returned.
 *
 * A write that needs no stored state is one statement that holds gate and inserts, and is its own
 * transaction. A write that starts from a locked row is two flights: BEGIN with gate and lock; then,
 * after the family has decided, its statement with COMMIT. Where another write is seldom met, the row is
 * found first and locked by the one statement that writes, if it still is as it was found.
 */

import type { Database, Tx } from "../database/database.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { ChangeWork, Command, CreateWork, GateRow, Outcome, Write } from "./command.ts";
import { readEnvelope } from "./envelope.ts";
import {
  besideStatement,
  gateAndLockStatement,
  gateStatement,
  goAsGated,
  goAsHeld,
  goAsPassed,
  ledgerOf,
  unchangedStatement,
} from "./ledger.ts";

/** Runs writes on one database. */
export class CommandRunner {
  readonly #database: Database;
  // The embedded engine runs one transaction at a time, so that no second one would find the lock of a
  // key taken: this process also remembers which keys it has open.
  readonly #openKeys = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Runs a write, or answers the replay of one that is finished.
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
      const { gate, answer } = release === null
        ? await this.#askBeside(command)
        : "lock" in work
        ? await this.#change(command, work)
        : await this.#create(command, work);
      if (gate.verdict === "REPLAY") {
        const envelope = readEnvelope(gate.envelope ?? "", command.policy);
        return { answer: await work.replay(envelope), replayed: true };
      }
      assertGo(command, gate);
      return { answer: answer(), replayed: false };
    } finally {
      release?.();
    }
  }

  /**
   * Asks the gate ahead of a long upload, so that a frozen service does not take in what it will
   * refuse.
   *
   * @throws ServiceError `SYSTEM_MAINTENANCE`.
   */
  async assertOpen(command: Command): Promise<void> {
    assertGo(command, await this.#askGate(command));
  }

  /** The gate's word for a command that writes nothing. */
  async #askGate(command: Command): Promise<GateRow> {
    return await this.#database.transaction((tx) => askGate(tx, command));
  }

  /**
   * The gate's word while another request of this process has the key open: a finished operation is
   * replayed all the same, and only what is not finished is in progress.
   */
  async #askBeside(command: Command): Promise<Step<never>> {
    const gate = theGate(
      (await this.#database.read((sql) => besideStatement(sql, command)))[0],
    );
    return {
      gate,
      answer: () => {
        throw inProgress(command);
      },
    };
  }

  async #create<Answer>(command: Command, work: CreateWork<Answer>): Promise<Step<Answer>> {
    const decided = attempt(work.decide);
    const gate = decided.refused
      ? await this.#askGate(command)
      : await this.#insert(command, decided.value());
    return { gate, answer: () => decided.value().answer };
  }

  async #insert(command: Command, write: Write<unknown>): Promise<GateRow> {
    const { verify, statement } = write;
    if (verify === undefined && statement !== null) {
      const rows = await this.#database.write((sql) =>
        statement(sql, ledgerOf(sql, command, write, goAsGated(sql, command)))
      );
      return theGate(rows[0]);
    }
    return await this.#database.transaction(async (tx) => {
      const gate = await askGate(tx, command);
      if (gate.verdict !== "GO") return gate;
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
      return { gate: await this.#askGate(command), answer: checked.value as () => never };
    }
    return await this.#changeAsFound(command, work) ?? await this.#changeLocked(command, work);
  }

  /** Null where the row was not found, has moved on, or is refused: then only its lock can tell why. */
  async #changeAsFound<Root, Answer>(
    command: Command,
    { unlocked, decide }: ChangeWork<Root, Answer>,
  ): Promise<Step<Answer> | null> {
    if (unlocked === undefined) return null;
    const [root] = await this.#database.read((sql) => unlocked.find(sql));
    if (root === undefined) return null;
    const decided = attempt(() => decide(root));
    if (decided.refused) return null;
    const write = decided.value();
    const { statement, verify, answer } = write;
    if (statement === null || verify !== undefined) return null;
    const rows = await this.#database.write((sql) => {
      const go = goAsHeld(sql, command, unlocked.hold(sql, root));
      return statement(sql, ledgerOf(sql, command, write, go));
    });
    const gate = theGate(rows[0]);
    return gate.verdict === "MOVED" ? null : { gate, answer: () => answer };
  }

  async #changeLocked<Root, Answer>(
    command: Command,
    work: ChangeWork<Root, Answer>,
  ): Promise<Step<Answer>> {
    return await this.#database.transaction(async (tx) => {
      const [row] = await gateAndLockStatement<Root>(tx.sql, command, work.lock(tx.sql));
      const gate = theGate(row);
      if (row === undefined || gate.verdict !== "GO") return { gate, answer: neverAsked };
      const write = work.decide(row.found ? row : null);
      await write.verify?.(tx.sql);
      await commitWrite(tx, command, write);
      return { gate, answer: () => write.answer };
    });
  }

  /** Marks the command's key as open in this process; null when it already is. */
  #holdKey(command: Command): (() => void) | null {
    if (command.key === null) return () => {};
    const { identity, scope, target, key } = command;
    const name = [identity.account.accountId, scope, target, key.key].join(" ");
    if (this.#openKeys.has(name)) return null;
    this.#openKeys.add(name);
    return () => this.#openKeys.delete(name);
  }
}

/** The gate's word, and the answer should that word be GO. */
interface Step<Answer> {
  readonly gate: GateRow;
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

function neverAsked(): never {
  throw new Error("The gate did not open");
}

async function askGate(tx: Tx, command: Command): Promise<GateRow> {
  return theGate((await gateStatement(tx.sql, command))[0]);
}

/** Writes what the gate has let through, and commits. */
async function commitWrite(
  tx: Tx,
  command: Command,
  write: Write<unknown>,
): Promise<GateRow> {
  if (write.statement !== null) {
    const ledger = ledgerOf(tx.sql, command, write, goAsPassed(tx.sql, command));
    return theGate((await tx.commitWith(write.statement(tx.sql, ledger)))[0]);
  }
  if (command.key !== null) await tx.commitWith(unchangedStatement(tx.sql, command, write));
  return { verdict: "GO", envelope: null };
}

function theGate(row: GateRow | undefined): GateRow {
  if (row === undefined) throw new Error("The gate gave no verdict");
  return row;
}

function assertGo(command: Command, gate: GateRow): void {
  switch (gate.verdict) {
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
