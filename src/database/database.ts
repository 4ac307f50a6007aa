import { AsyncLocalStorage } from "node:async_hooks";
import type { Connection } from "./connection.ts";
import { databaseFailure, StandbyError, withOneRetry } from "./failures.ts";
import type { ConnectionPool, PoolUse } from "./pool.ts";
import type { Query, Sql } from "./sql.ts";
import { runSnapshot, runTransaction, type Tx } from "./transaction.ts";

export type { Tx } from "./transaction.ts";

/** A standby's SQLSTATE for a statement that writes. */
const READ_ONLY_TRANSACTION = "25006";

/** The same for both engines. A callback may be run a second time. */
export interface Database {
  /** Runs statements in a read-only session. */
  read<T>(use: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs one statement as its own transaction, in a single round trip. */
  write<Row>(statement: (sql: Sql) => Query<Row>): Promise<Row[]>;
  /** Committed when `use` returns, rolled back when it throws. */
  transaction<T>(use: (tx: Tx) => Promise<T>): Promise<T>;
  /** Reads from one snapshot, without time limits. In the embedded engine other requests wait. */
  snapshot<T>(use: (sql: Sql) => Promise<T>): Promise<T>;
  connections(): PoolUse;
  close(): Promise<void>;
  /** Resolves when the embedded engine has stopped; only a new process can continue. */
  readonly stopped: Promise<EngineStop>;
}

/** A stop's reason, in names and codes only. */
export interface EngineStop {
  readonly error: string;
  readonly code: string | null;
}

interface Engine {
  readonly pool: ConnectionPool;
  /** Connections for writes without a BEGIN; null if there are none. */
  readonly writers: ConnectionPool | null;
  readonly read: <T>(use: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly connections: () => PoolUse;
  readonly close: () => Promise<void>;
  /** Resolves when the engine has stopped for good. Undefined for a server, which can recover. */
  readonly stopped?: Promise<EngineStop>;
}

/**
 * Rejects nested calls: the inner one would wait for a connection that the outer one may hold, and
 * would not be part of the outer transaction.
 */
export function createDatabase(engine: Engine): Database {
  const { pool } = engine;
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
      enter("transaction", () => pool.borrow((connection) => runTransaction(connection, use))),
    snapshot: (use) =>
      enter("snapshot", () => pool.borrow((connection) => runSnapshot(connection, use))),
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

/** Fails as a standby only if the whole server does not accept writes. */
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

/** Runs `use` and then forbids further statements, which would run among the next user's. */
async function runAlone<T>(connection: Connection, use: (sql: Sql) => Promise<T>): Promise<T> {
  let isOpen = true;
  try {
    return await use(connection.sql(() => isOpen));
  } finally {
    isOpen = false;
  }
}
