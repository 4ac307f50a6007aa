import type { Connection } from "./connection.ts";
import { databaseFailure, StandbyError } from "./failures.ts";
import type { Query, Sql } from "./sql.ts";

/** A standby's SQLSTATE for `begin read write`. */
const FEATURE_NOT_SUPPORTED = "0A000";

/** A running transaction. Writing functions accept nothing else. */
export interface Tx {
  readonly sql: Sql;
  /**
   * Sends the statement and COMMIT in one round trip.
   *
   * @returns the statement's rows, after COMMIT has returned.
   */
  commitWith<Row>(statement: Query<Row>): Promise<Row[]>;
  /** Lifts the time limits of statements, locks, and pauses between statements. */
  withoutTimeouts(): Promise<void>;
  /** Many statements, no parameters. Only for source code. */
  script(text: string): Promise<void>;
}

/** No other caller uses the connection during it. */
export async function runTransaction<T>(
  connection: Connection,
  use: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await runIn(connection, (transaction) => transaction.begin(), use);
}

/** Runs `use` in a read-only transaction on one snapshot. */
export async function runSnapshot<T>(
  connection: Connection,
  use: (sql: Sql) => Promise<T>,
): Promise<T> {
  return await runIn(
    connection,
    (transaction) => transaction.beginSnapshot(),
    ({ sql }) => use(sql),
  );
}

async function runIn<T>(
  connection: Connection,
  begin: (transaction: RunningTransaction) => Promise<void>,
  use: (tx: Tx) => Promise<T>,
): Promise<T> {
  const transaction = new RunningTransaction(connection);
  try {
    await begin(transaction);
    const result = await use(transaction);
    await transaction.commitUnlessDone();
    return result;
  } catch (error) {
    await transaction.rollBack();
    // The statements did not run in a transaction.
    throw transaction.refusal ?? error;
  } finally {
    transaction.end();
  }
}

class RunningTransaction implements Tx {
  readonly sql: Sql;
  readonly #connection: Connection;
  readonly #control: Sql;
  #begun: Promise<unknown> | null = null;
  #refusal: StandbyError | null = null;
  #state: "open" | "committing" | "ended" = "open";

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#control = connection.sql();
    this.sql = connection.sql(() => this.#state === "open");
  }

  /** Set if the server does not accept writes. */
  get refusal(): StandbyError | null {
    return this.#refusal;
  }

  /** Sends BEGIN. On an established connection only COMMIT waits for it. */
  async begin(): Promise<void> {
    const isEstablished = this.#connection.isEstablished;
    this.#begun = this.#control`begin read write`.catch((error) => this.#refuse(error));
    // If a statement fails first, nothing awaits BEGIN.
    this.#begun.catch(() => {});
    if (!isEstablished) await this.#begun;
  }

  #refuse(error: unknown): never {
    if (databaseFailure(error)?.sqlstate !== FEATURE_NOT_SUPPORTED) throw error;
    this.#refusal = new StandbyError(error);
    this.#connection.abandon();
    throw this.#refusal;
  }

  async beginSnapshot(): Promise<void> {
    await this.#control`begin isolation level repeatable read read only`;
    await this.withoutTimeouts();
  }

  async commitWith<Row>(statement: Query<Row>): Promise<Row[]> {
    const [rows, committed] = await Promise.allSettled([statement.execute(), this.#commit()]);
    if (rows.status === "rejected") throw rows.reason;
    if (committed.status === "rejected") throw committed.reason;
    return rows.value;
  }

  async withoutTimeouts(): Promise<void> {
    this.#connection.hasTimeouts = false;
    await this.sql`set local lock_timeout = 0`;
    await this.sql`set local statement_timeout = 0`;
    await this.sql`set local idle_in_transaction_session_timeout = 0`;
  }

  async script(text: string): Promise<void> {
    if (this.#state !== "open") throw new Error("Cannot run a script: its transaction has ended");
    await this.#connection.script(text);
  }

  async commitUnlessDone(): Promise<void> {
    if (this.#state === "open") await this.#commit();
  }

  async #commit(): Promise<void> {
    this.#state = "committing";
    const [result] = await Promise.all([this.#control`commit`.execute(), this.#begun]);
    this.#state = "ended";
    const { command } = result as CommandResult;
    // A failed statement that was not awaited turns COMMIT into ROLLBACK without an error.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back at COMMIT");
  }

  /** Rolls back. Nothing more is sent, even if the transaction's function still runs. */
  async rollBack(): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "ended";
    if (this.#connection.isLost) return;
    // A connection that cannot even roll back must not be borrowed again.
    await this.#control`rollback`.catch(() => this.#connection.abandon());
  }

  end(): void {
    this.#state = "ended";
    this.#connection.hasTimeouts = true;
  }
}

/** The driver adds the command tag to the rows. */
type CommandResult = object[] & { readonly command?: string };
