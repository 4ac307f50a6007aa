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

/**
 * Opens a driver client.
 *
 * @param options Override the client's own.
 */
export type Connect = (options: postgres.Options<Record<never, never>>) => postgres.Sql;

/** Silence after which a connection with waiting statements is lost; longer than any statement. */
const SILENCE_TIMEOUT_MS = 15_000;

export interface SilenceTimer {
  readonly now: () => number;
  /** The returned function cancels the call. */
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
 * Shared by all connections to one server. After one times out, idle ones not answered since then
 * are presumed dead, so that each does not have to wait for its own timeout.
 */
export class Silence {
  #since = -Infinity;

  noticed(since: number): void {
    this.#since = Math.max(this.#since, since);
  }

  /** Presumes a connection dead that was last answered at that time. */
  covers(answeredAt: number): boolean {
    return answeredAt <= this.#since;
  }
}

/**
 * Maximum prepared statements of a connection. Driver and server keep each prepared statement, some
 * 80 KB; there are more texts than memory allows, because a list's text depends on its filters.
 */
const MAX_PREPARED = 300;

/**
 * A driver client that is discarded when its connection is lost. Tracks every statement until it is
 * answered; a loss rejects them all.
 *
 * The driver alone would reconnect and: send a statement queued after the lost one on the new
 * connection, outside of its transaction; never answer a statement sent between a socket's error
 * and its close; retry forever if a proxy accepts connections for a server that is down; wait
 * forever for a silent server.
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

  /** Everything that was open on the connection is lost too. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** True after the first answered statement: from then on, nothing needs to wait for BEGIN. */
  get isEstablished(): boolean {
    return this.#established && !this.#lost;
  }

  /** True if idle and not answered since the server fell silent on another connection. */
  get isDoubtful(): boolean {
    return this.isEstablished && this.load === 0 && this.#silence.covers(this.#answeredAt);
  }

  get load(): number {
    return this.#running.size;
  }

  /** Checks `isOpen` also when a statement composed earlier is awaited. */
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

  /** The first `MAX_PREPARED` texts are prepared, all others are parsed each time. */
  #kept(text: string): { readonly prepare: boolean } {
    if (this.#prepared.has(text)) return PREPARED;
    if (this.#prepared.size >= MAX_PREPARED) return UNNAMED;
    this.#prepared.add(text);
    return PREPARED;
  }

  async script(text: string): Promise<void> {
    this.#assertUsable(always);
    await this.#sent(this.#client.unsafe(text).simple());
  }

  /** Closes the connection immediately; the server rolls back open transactions. */
  abandon(): void {
    if (this.#lost) return;
    this.#lose();
    void this.#client.end({ timeout: 0 });
  }

  /** Waits up to `seconds` for running statements, then closes the connection. */
  async close(seconds: number): Promise<void> {
    await this.#client.end({ timeout: seconds });
    this.#lose();
  }

  #assertUsable(isOpen: () => boolean): void {
    if (this.#lost) throw new ConnectionLostError();
    if (!isOpen()) throw new Error("Cannot send a statement: its transaction or read has ended");
  }

  /** Tracks a statement. If nothing awaits it, its failure still turns COMMIT into an error. */
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
      // Otherwise the error is not the database's, and driver and server are out of step.
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
      // The query was not sent yet: it leaves the driver's queue.
      if (query.state === null) query.cancel();
    }
  }
}

const always = () => true;

const PREPARED = { prepare: true };
const UNNAMED = { prepare: false };

/**
 * The driver resends a prepared statement that the server has lost, or would answer in another
 * form, without holding back the others: then each response goes to the wrong statement. It sets
 * `retried` just before; an error thrown here rejects the statement instead, and ends the
 * connection.
 */
const NO_RETRY = {
  set(refusal: unknown): never {
    throw new StaleStatementError(refusal);
  },
};

/** The part of the driver's query class that is used here; a test checks it against the driver. */
interface DriverQuery<Row = unknown> extends Promise<Row[]> {
  /** Null until the query is sent. */
  readonly state: object | null;
  reject(error: unknown): void;
  cancel(): void;
}
