import type postgres from "postgres";
import {
  ConnectionLostError,
  databaseFailure,
  isUnavailable,
  StaleStatementError,
} from "./failures.ts";
import { MOMENTS } from "./moments.ts";
import type { Sql } from "./sql.ts";
import { type Composed, createTemplate } from "./statement.ts";

/** Connects a driver client; the given options override its own. */
export type Connect = (options: postgres.Options<Record<never, never>>) => postgres.Sql;

/**
 * A connection that is silent for this long while statements wait counts as lost: longer than any statement
 * may run.
 */
const SILENCE_TIMEOUT_MS = 15_000;

/** The timer for a silent connection. */
export interface SilenceTimer {
  readonly now: () => number;
  /** Calls back once, and returns what cancels that. */
  readonly after: (milliseconds: number, elapsed: () => void) => () => void;
}

const SYSTEM_TIMER: SilenceTimer = {
  now: Date.now,
  after(milliseconds, elapsed) {
    const timer = setTimeout(elapsed, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Shared by all connections to one server. After one times out, idle connections not answered since then
 * are presumed dead, so that each does not have to wait for its own timeout.
 */
export class Silence {
  #since = -Infinity;

  /** Reports a lost connection, which was last answered at that time. */
  noticed(since: number): void {
    this.#since = Math.max(this.#since, since);
  }

  /** Whether a connection that was last answered then may have met the same. */
  covers(answeredAt: number): boolean {
    return answeredAt <= this.#since;
  }
}

/**
 * How many texts a connection prepares. Driver and server keep a prepared statement, some 80 KB, for the
 * life of the connection; the service has more texts than memory allows, because the text of a list depends
 * on its filters.
 */
const MAX_PREPARED = 300;

/**
 * One connection to the server: a driver client that is thrown away when it loses its connection.
 *
 * On its own the driver reconnects, and does not separate its queries: a statement queued after the lost
 * one is sent on the new connection, outside of its transaction; a statement sent between a socket's error
 * and its close is never answered; if a proxy accepts connections for a server that is down, it retries
 * forever, and it waits forever for a silent server. So every statement is tracked here until it is
 * answered, and a loss rejects them all.
 */
export class Connection {
  /** False while a silent server must not be treated as lost. */
  hasTimeouts = true;

  readonly #client: postgres.Sql;
  readonly #silenceTimeout: number;
  readonly #silence: Silence;
  readonly #timer: SilenceTimer;
  readonly #running = new Set<DriverQuery>();
  readonly #prepared = new Set<string>();
  #established = false;
  #lost = false;
  #answeredAt = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(
    connect: Connect,
    { silenceTimeout = SILENCE_TIMEOUT_MS, silence = new Silence(), timer = SYSTEM_TIMER } = {},
  ) {
    this.#silenceTimeout = silenceTimeout;
    this.#silence = silence;
    this.#timer = timer;
    this.#client = connect({
      max: 1,
      types: { date: MOMENTS },
      // A connection is never recycled under a running transaction.
      max_lifetime: 0,
      onclose: () => this.#lose(),
    });
  }

  /** True if the connection is lost, with everything that was open on it. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Whether a statement has been answered: the connection works, so nothing need wait for BEGIN. */
  get isEstablished(): boolean {
    return this.#established && !this.#lost;
  }

  /** Whether it is idle and has not been answered since its server fell silent on another connection. */
  get isDoubtful(): boolean {
    return this.isEstablished && this.load === 0 && this.#silence.covers(this.#answeredAt);
  }

  /** How many statements wait for their answer. */
  get load(): number {
    return this.#running.size;
  }

  /**
   * The tagged template of this connection, usable while `isOpen` returns true, also for a statement that
   * was composed earlier and awaited only afterwards.
   */
  sql(isOpen: () => boolean = always): Sql {
    const assertUsable = () => this.#assertUsable(isOpen);
    return createTemplate(<Row>({ text, parameters }: Composed) => {
      try {
        assertUsable();
      } catch (refusal) {
        return Promise.reject(refusal);
      }
      return this.#sent<Row>(this.#client.unsafe(text, parameters as never[], this.#kept(text)));
    }, assertUsable);
  }

  /** The first texts are parsed once a connection and planned seldom, all others each time. */
  #kept(text: string): { readonly prepare: boolean } {
    if (this.#prepared.has(text)) return PREPARED;
    if (this.#prepared.size >= MAX_PREPARED) return UNNAMED;
    this.#prepared.add(text);
    return PREPARED;
  }

  /** Sends a text of many statements, without parameters. */
  async script(text: string): Promise<void> {
    this.#assertUsable(always);
    await this.#sent(this.#client.unsafe(text).simple());
  }

  /** Closes the connection immediately: the server rolls back what is open on it. */
  abandon(): void {
    if (this.#lost) return;
    this.#lose();
    void this.#client.end({ timeout: 0 });
  }

  /** Waits up to `seconds` for running statements, then closes. */
  async close(seconds: number): Promise<void> {
    await this.#client.end({ timeout: seconds });
    this.#lose();
  }

  #assertUsable(isOpen: () => boolean): void {
    if (this.#lost) throw new ConnectionLostError();
    if (!isOpen()) throw new Error("Cannot send a statement: its transaction or read has ended");
  }

  /** A failure that is not awaited is not lost: it turns COMMIT into an error. */
  #sent<Row>(sent: unknown): Promise<Row[]> {
    const query = Object.defineProperty(sent as DriverQuery<Row>, "retried", NO_RETRY);
    if (this.#running.size === 0) this.#answeredAt = this.#timer.now();
    this.#running.add(query);
    if (this.#cancelTimer === null) this.#watchSilenceAfter(this.#silenceTimeout);
    query.then(() => {
      this.#answered(query);
      this.#established = true;
    }, (error) => {
      this.#answered(query);
      // An error that the server did not send leaves driver and server out of step, or is a loss already.
      if (databaseFailure(error) === null || isUnavailable(error)) this.abandon();
    });
    return query;
  }

  #answered(query: DriverQuery): void {
    this.#running.delete(query);
    this.#answeredAt = this.#timer.now();
  }

  #watchSilenceAfter(milliseconds: number): void {
    this.#cancelTimer = this.#timer.after(milliseconds, () => this.#watchSilence());
  }

  /** One timer serves all statements: it checks how long the server has been silent, and starts again. */
  #watchSilence(): void {
    this.#cancelTimer = null;
    if (this.#running.size === 0) return;
    const silence = this.hasTimeouts ? this.#timer.now() - this.#answeredAt : 0;
    if (silence < this.#silenceTimeout) {
      this.#watchSilenceAfter(this.#silenceTimeout - silence);
      return;
    }
    this.#silence.noticed(this.#answeredAt);
    this.abandon();
  }

  #lose(): void {
    this.#lost = true;
    this.#cancelTimer?.();
    for (const query of this.#running) {
      query.reject(new ConnectionLostError());
      // Not sent yet: it leaves the driver's queue.
      if (query.state === null) query.cancel();
    }
  }
}

const always = () => true;

const PREPARED = { prepare: true };
const UNNAMED = { prepare: false };

/**
 * The driver sets `retried` on a statement just before it resends it, which it does for a prepared
 * statement that the server has lost, or would answer in another form. It does not hold back others during
 * that, and then gives each response to the wrong statement. An error thrown here reaches the statement
 * instead, and ends the connection.
 */
const NO_RETRY = {
  set(refusal: unknown): never {
    throw new StaleStatementError(refusal);
  },
};

/** The members of the driver's query class that are needed here; a test holds the driver to them. */
interface DriverQuery<Row = unknown> extends Promise<Row[]> {
  /** Null until the query is sent. */
  readonly state: object | null;
  reject(error: unknown): void;
  cancel(): void;
}
