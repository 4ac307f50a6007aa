/**
 * Sends writes that are one statement. While two statements of shared writes of an account are
 * being sent, further writes wait, and become one statement and transaction. None waits for others
 * to come, so a single write is not delayed; with one statement at a time, a slow one would delay
 * all.
 *
 * Each command of such a statement has a verdict of its own. If the whole statement fails, e.g.
 * because of the storage limit, nothing of it was written, and each command is sent alone, so that
 * it gets the answer that it would have got alone. If the database is unavailable, its commands get
 * that answer, because it may have been written.
 *
 * An account's sessions and its tokens have queues of their own, and take turns with other accounts
 * for the connections.
 */

import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Plan, PlannedWrite, SharedWrite } from "./command.ts";
import type { ClaimRow, Ledger } from "./ledger.ts";
import { claimCte, ledgerOf, type SentCommand, type WritingService } from "./statements.ts";

/** Statements of a queue that are under way. */
const STATEMENTS_AT_ONCE = 2;

/** Limits of one statement. */
const MAX_COMMANDS = 16;
const MAX_BYTES = 256 * 1024;

/**
 * The same if other accounts' writes have to wait for it: the built-in engine has one connection,
 * and a pool of fewer than five has one for writes of one statement.
 */
const MAX_COMMANDS_OF_ALL = 4;
const CONNECTIONS_WITH_ANOTHER_WRITER = 5;

interface SingleWrite extends SentCommand {
  readonly decision: Plan<unknown>;
  readonly statement: (sql: Sql, ledger: Ledger) => Query<ClaimRow>;
  /** See `OptimisticRead.lockIfUnchanged`. */
  readonly lock: ((sql: Sql) => Query<object>) | null;
}

/** At least one. */
type Batch<Write> = readonly [Write, ...Write[]];

interface Waiting extends SingleWrite {
  readonly shared: SharedWrite;
  readonly answer: PromiseWithResolvers<readonly ClaimRow[]>;
}

interface Queue {
  readonly waiting: Waiting[];
  underWay: number;
}

export class WriteQueue {
  readonly #database: Database;
  readonly #service: WritingService;
  readonly #maxCommands: number;
  /** By account, credential kind and kind of write; only while one is being sent. */
  readonly #queues = new Map<string, Queue>();

  constructor(database: Database, service: WritingService) {
    this.#database = database;
    this.#service = service;
    const isShared = database.connections().size < CONNECTIONS_WITH_ANOTHER_WRITER;
    this.#maxCommands = isShared ? MAX_COMMANDS_OF_ALL : MAX_COMMANDS;
  }

  /** Returns the verdict, or no row if the cached identity no longer holds. */
  async write(write: SingleWrite): Promise<readonly ClaimRow[]> {
    const shared = sharedOf(write);
    if (shared === undefined) {
      return await this.#send([write], (sql, ledger) => write.statement(sql, ledger));
    }
    const waiting = { ...write, shared, answer: Promise.withResolvers<readonly ClaimRow[]>() };
    const name = queueName(waiting);
    const queue = this.#queues.get(name) ?? { waiting: [], underWay: 0 };
    this.#queues.set(name, queue);
    queue.waiting.push(waiting);
    if (queue.underWay < STATEMENTS_AT_ONCE) void this.#sendAll(name, queue);
    return await waiting.answer.promise;
  }

  async #sendAll(name: string, queue: Queue): Promise<void> {
    queue.underWay++;
    while (queue.waiting.length > 0) {
      await this.#sendBatch(this.#take(queue.waiting) as [Waiting, ...Waiting[]]);
    }
    if (--queue.underWay === 0) this.#queues.delete(name);
  }

  /** Removes and returns the first writes, in the order of their subjects, which are distinct. */
  #take(queue: Waiting[]): Waiting[] {
    const subjects = new Set<string>();
    let bytes = 0;
    for (const { shared, decision: { subjectId } } of queue) {
      bytes += shared.bytes;
      const isFull = subjects.size === this.#maxCommands || bytes > MAX_BYTES;
      if (subjects.has(subjectId) || (isFull && subjects.size > 0)) break;
      subjects.add(subjectId);
    }
    // Transactions that lock rows in one order do not wait for each other in a circle.
    return queue.splice(0, subjects.size)
      .sort((one, other) => one.decision.subjectId < other.decision.subjectId ? -1 : 1);
  }

  async #sendBatch(batch: Batch<Waiting>): Promise<void> {
    const [{ shared: { kind }, command: { caller: { account } } }] = batch;
    const rows = batch.map(({ shared }) => shared.row);
    try {
      const verdicts = await this.#send(
        batch,
        (sql, ledger) => kind.statement(sql, ledger, account.accountId, rows),
      );
      batch.forEach(({ answer }, place) =>
        answer.resolve(verdicts.filter(({ number }) => number === place))
      );
    } catch (error) {
      if (batch.length === 1 || error instanceof ServiceError) {
        batch.forEach(({ answer }) => answer.reject(error));
      } else {
        await Promise.all(batch.map((write) => this.#sendBatch([write])));
      }
    }
  }

  async #send(
    batch: Batch<SingleWrite>,
    statement: SingleWrite["statement"],
  ): Promise<readonly ClaimRow[]> {
    const [{ lock }] = batch;
    return await this.#database.write((sql) => {
      const claim = claimCte(sql, batch, this.#service, lock?.(sql));
      return statement(sql, ledgerOf(sql, batch, claim));
    });
  }
}

/** Undefined if it must be sent alone. */
function sharedOf({ command, decision }: SingleWrite): SharedWrite | undefined {
  const isAlone = "refusal" in decision || command.acceptance !== undefined;
  return isAlone ? undefined : (decision as PlannedWrite<unknown>).shared;
}

function queueName({ command, shared }: Waiting): string {
  const { caller: { account, credential }, frozen, continuesWhenFull = false } = command;
  const { accountId } = account;
  return [accountId, credential.kind, shared.kind.name, frozen, continuesWhenFull].join(" ");
}
