import type { Connection } from "./connection.ts";
import { databaseFailure, StandbyError } from "./failures.ts";
import type { Query, Sql } from "./sql.ts";

/** What a standby answers to `begin read write`. */
const FEATURE_NOT_SUPPORTED = "0A000";

/** A running transaction: the only thing that writing functions accept. */
export interface Tx {
  readonly sql: Sql;
  /**
   * Sends the last statement and COMMIT together, one round trip for both.
   *
   * @returns the statement's rows, once COMMIT has returned.
   */
  commitWith<Row>(statement: Query<Row>): Promise<Row[]>;
  /** Lifts the time limits of the transaction: of its statements, its locks, and the pauses between. */
  unhurried(): Promise<void>;
  /** Runs a migration's text: many statements, no parameters. Never given anything but source. */
  script(text: string): Promise<void>;
}

/** Runs `use` in a transaction on a connection that is nobody else's meanwhile. */
export async function runTransaction<T>(
  connection: Connection,
  use: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await runSession(connection, (session) => session.begin(), use);
}

/** Runs `use` in a transaction that reads only, and sees the database as it was at one moment. */
export async function runSnapshot<T>(
  connection: Connection,
  use: (sql: Sql) => Promise<T>,
): Promise<T> {
  return await runSession(connection, (session) => session.beginSnapshot(), ({ sql }) => use(sql));
}

async function runSession<T>(
  connection: Connection,
  begin: (session: Session) => Promise<void>,
  use: (tx: Tx) => Promise<T>,
): Promise<T> {
  const session = new Session(connection);
  try {
    await begin(session);
    const result = await use(session);
    await session.commitUnlessDone();
    return result;
  } catch (error) {
    await session.rollBack();
    // Whatever the statements met, they were not in a transaction.
    throw session.refusal ?? error;
  } finally {
    session.end();
  }
}

class Session implements Tx {
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

  /** Set where the server refused to begin: it takes no writes. */
  get refusal(): StandbyError | null {
    return this.#refusal;
  }

  /** Waits for BEGIN only where the connection is not known to stand: else COMMIT asks after it. */
  async begin(): Promise<void> {
    const isStanding = this.#connection.isStanding;
    this.#begun = this.#control`begin read write`.catch((error) => this.#refuse(error));
    // A statement may fail first, and then nobody waits for it.
    this.#begun.catch(() => {});
    if (!isStanding) await this.#begun;
  }

  #refuse(error: unknown): never {
    if (databaseFailure(error)?.sqlstate !== FEATURE_NOT_SUPPORTED) throw error;
    this.#refusal = new StandbyError(error);
    this.#connection.abandon();
    throw this.#refusal;
  }

  async beginSnapshot(): Promise<void> {
    await this.#control`begin isolation level repeatable read read only`;
    await this.unhurried();
  }

  async commitWith<Row>(statement: Query<Row>): Promise<Row[]> {
    const [rows, committed] = await Promise.allSettled([statement.execute(), this.#commit()]);
    if (rows.status === "rejected") throw rows.reason;
    if (committed.status === "rejected") throw committed.reason;
    return rows.value;
  }

  async unhurried(): Promise<void> {
    this.#connection.isUnhurried = true;
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
    // A failed statement that nobody awaited turns COMMIT into ROLLBACK without an error.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back at COMMIT");
  }

  /** From here on nothing more is sent for the transaction, also where its function still runs. */
  async rollBack(): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "ended";
    if (this.#connection.isLost) return;
    // A connection that cannot even roll back must not be lent again.
    await this.#control`rollback`.catch(() => this.#connection.abandon());
  }

  end(): void {
    this.#state = "ended";
    this.#connection.isUnhurried = false;
  }
}

/** What the driver adds to the rows: the server's word for what it did. */
type CommandResult = object[] & { readonly command?: string };
