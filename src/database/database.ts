import { AsyncLocalStorage } from "node:async_hooks";
import type { Connection } from "./connection.ts";
import { databaseFailure, StandbyError, withOneRetry } from "./failures.ts";
import type { ConnectionPool, PoolUse } from "./pool.ts";
import type { Query, Sql } from "./sql.ts";
import { runSnapshot, runTransaction, type Tx } from "./transaction.ts";

export type { Tx } from "./transaction.ts";

/** The SQLSTATE of a standby for a statement that writes. */
const READ_ONLY_TRANSACTION = "25006";

/** The operations on the database, the same for both engines. A callback may be run a second time. */
export interface Database {
  /** Runs reading statements. Their session is read-only: the server refuses to write for them. */
  read<T>(use: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Runs one writing statement as its own transaction: it is committed when its rows are returned, in a
   * single round trip.
   */
  write<Row>(statement: (sql: Sql) => Query<Row>): Promise<Row[]>;
  /** Runs `use` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(use: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs reading statements on one snapshot, without time limits. On a server other requests continue; the
   * embedded engine serves no other request until `use` returns.
   */
  snapshot<T>(use: (sql: Sql) => Promise<T>): Promise<T>;
  /** How its connections are used right now; the embedded engine counts as one. */
  connections(): PoolUse;
  /** Waits for running operations, then closes. */
  close(): Promise<void>;
  /** Resolves when the embedded engine has stopped: nothing but a new process helps then. */
  readonly stopped: Promise<EngineStop>;
}

/** Why the embedded engine stopped, in names and codes only. */
export interface EngineStop {
  /** The class of what ended it. */
  readonly error: string;
  /** Its SQLSTATE, if it gave one. */
  readonly code: string | null;
}

/** The parts of an engine: its exclusive connections, how it reads, and how it closes. */
export interface Engine {
  readonly pool: ConnectionPool;
  /** Connections that may write without a BEGIN; null if there are none. */
  readonly writers: ConnectionPool | null;
  readonly read: <T>(use: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly connections: () => PoolUse;
  readonly close: () => Promise<void>;
  /** Resolves when it has stopped and cannot be restarted. Undefined for a server, which can come back. */
  readonly stopped?: Promise<EngineStop>;
}

/**
 * Builds the database over an engine.
 *
 * A call inside another one throws: it would wait for a connection that the outer one may hold, and its
 * work would not be part of the outer transaction.
 */
export function createDatabase(engine: Engine): Database {
  const inside = new AsyncLocalStorage<string>();
  let closing: Promise<void> | undefined;
  const enter = async <T>(operation: string, attempt: () => Promise<T>): Promise<T> => {
    const outer = inside.getStore();
    if (outer !== undefined) {
      throw new Error(`${operation}() cannot be called inside ${outer}()`);
    }
    return await withOneRetry(() => inside.run(operation, attempt));
  };
  return {
    read: (use) => enter("read", () => engine.read((connection) => runAlone(connection, use))),
    write: (statement) => enter("write", () => runWrite(engine, statement)),
    transaction: (use) =>
      enter(
        "transaction",
        () => engine.pool.borrow((connection) => runTransaction(connection, use)),
      ),
    snapshot: (use) =>
      enter("snapshot", () => engine.pool.borrow((connection) => runSnapshot(connection, use))),
    connections: engine.connections,
    close: () => closing ??= engine.close(),
    stopped: engine.stopped ?? new Promise(() => {}),
  };
}

async function runWrite<Row>(
  { pool, writers }: Engine,
  statement: (sql: Sql) => Query<Row>,
): Promise<Row[]> {
  return writers === null
    ? await pool.borrow((connection) =>
      runTransaction(connection, (tx) => tx.commitWith(statement(tx.sql)))
    )
    : await writers.borrow((writer) => writeAlone(writer, statement));
}

/**
 * A connection that may write without a BEGIN is refused only if the whole server does not accept writes.
 */
async function writeAlone<Row>(
  writer: Connection,
  statement: (sql: Sql) => Query<Row>,
): Promise<Row[]> {
  try {
    return await runAlone(writer, async (sql) => await statement(sql));
  } catch (error) {
    if (databaseFailure(error)?.sqlstate !== READ_ONLY_TRANSACTION) throw error;
    writer.abandon();
    throw new StandbyError(error);
  }
}

/** A statement that outlives its use would run among the next user's statements. */
async function runAlone<T>(connection: Connection, use: (sql: Sql) => Promise<T>): Promise<T> {
  let isOpen = true;
  try {
    return await use(connection.sql(() => isOpen));
  } finally {
    isOpen = false;
  }
}
