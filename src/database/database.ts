import { AsyncLocalStorage } from "node:async_hooks";
import type postgres from "postgres";
import { withOneRetry } from "./failures.ts";
import { guardedSql, type Lane, type LanePool } from "./lane.ts";
import type { Query, Sql } from "./sql.ts";

/** A running transaction: the only thing that writing functions accept. */
export interface Tx {
  readonly sql: Sql;
  /**
   * Sends the last statement and COMMIT together, one round trip for both.
   *
   * @returns the statement's rows, once COMMIT has returned.
   */
  commitWith<Row>(statement: Query<Row>): Promise<Row[]>;
  /** Runs a migration's text: many statements, no parameters. Never given anything but source. */
  script(text: string): Promise<void>;
}

/** The doors to the database, the same for both engines. */
export interface Database {
  /** Runs reading statements. Their session is read-only: the server refuses to write for them. */
  read<T>(use: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs `use` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(use: (tx: Tx) => Promise<T>): Promise<T>;
  /** Waits for what is running, then closes. */
  close(): Promise<void>;
}

/** What an engine brings: its writing lanes, how it reads, and how it closes. */
export interface Engine {
  readonly lanes: LanePool;
  readonly read: <T>(use: (client: postgres.Sql) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/**
 * Builds the doors over an engine.
 *
 * A door that is opened inside a transaction throws: it would wait for a connection that its own
 * transaction may hold, and its work would not be part of the transaction.
 */
export function createDatabase(engine: Engine): Database {
  const inside = new AsyncLocalStorage<true>();
  const assertOutside = (door: string) => {
    if (inside.getStore()) throw new Error(`Cannot open door "${door}" inside a transaction`);
  };
  return {
    async read(use) {
      assertOutside("read");
      return await withOneRetry(() => engine.read((client) => use(guardedSql(client, always))));
    },
    async transaction(use) {
      assertOutside("transaction");
      return await withOneRetry(() =>
        engine.lanes.borrow((lane) => inside.run(true, () => runTransaction(lane, use)))
      );
    },
    close: engine.close,
  };
}

const always = () => true;

async function runTransaction<T>(lane: Lane, use: (tx: Tx) => Promise<T>): Promise<T> {
  const losses = lane.losses;
  const session: { state: "open" | "committing" | "ended" } = { state: "open" };
  const sql = guardedSql(lane.client, () => session.state === "open" && lane.losses === losses);

  const commit = async () => {
    session.state = "committing";
    const { command } = await lane.client`commit`.execute();
    session.state = "ended";
    // A failed statement that nobody awaited turns COMMIT into ROLLBACK without an error.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back at COMMIT");
  };
  const tx: Tx = {
    sql,
    async commitWith(statement) {
      const [rows, committed] = await Promise.allSettled([statement.execute(), commit()]);
      if (rows.status === "rejected") throw rows.reason;
      if (committed.status === "rejected") throw committed.reason;
      return rows.value;
    },
    async script(text) {
      await lane.client.unsafe(text).simple();
    },
  };
  try {
    await begin(lane);
    const result = await use(tx);
    if (session.state === "open") await commit();
    return result;
  } catch (error) {
    // On a lost connection there is nothing to roll back, and a new one is not ours.
    if (session.state !== "ended" && lane.losses === losses) {
      await lane.client`rollback`.catch(() => {});
    }
    throw error;
  } finally {
    session.state = "ended";
  }
}

/** Sends BEGIN; waits for it only where the connection is not known to stand. */
async function begin(lane: Lane): Promise<void> {
  const begun = lane.client`begin read write`.execute();
  if (lane.ready) {
    // It travels with the first statement, which fails if BEGIN fails.
    begun.catch(() => {});
    return;
  }
  await begun;
  lane.ready = true;
}
