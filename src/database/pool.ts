import { waitUpTo } from "../core/deadline.ts";
import { FairPlaces } from "../core/fair_places.ts";
import { connectionsOfAccount, READS_PER_CONNECTION } from "../core/shares.ts";
import { type Connect, Connection, Silence } from "./connection.ts";
import { ConnectionLostError, NoFreeConnectionError } from "./failures.ts";

export interface PoolUse {
  readonly size: number;
  readonly busy: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/**
 * Lends each connection to one user at a time. Accounts take turns, and one account never has all
 * of several connections.
 *
 * postgres.js can send a BEGIN on a connection that also serves other queries (upstream issues 823,
 * 1189 and 1204); one client per connection and one user per client prevent that.
 */
export class ConnectionPool {
  readonly #slots: readonly ConnectionSlot[];
  readonly #free: ConnectionSlot[];
  readonly #places: FairPlaces;
  readonly #millisecondsToWait: number;
  /** Callers that have a connection or wait for one. */
  #users = 0;
  #closing: PromiseWithResolvers<void> | null = null;

  /**
   * @param secondsToWait How long a caller waits for a connection before it is refused.
   * @param silence Shared by all connections to the server.
   */
  constructor(
    connect: Connect,
    size: number,
    secondsToWait = Infinity,
    silence: Silence = new Silence(),
  ) {
    this.#slots = Array.from({ length: size }, () => new ConnectionSlot(connect, silence));
    this.#free = [...this.#slots];
    this.#places = new FairPlaces({ places: size, perAccount: connectionsOfAccount(size) });
    this.#millisecondsToWait = secondsToWait * 1000;
  }

  get use(): PoolUse {
    const [size, free] = [this.#slots.length, this.#free.length];
    return { size, busy: size - free, waiting: this.#places.waiting };
  }

  /** @throws NoFreeConnectionError if the caller's turn does not come in time. */
  async borrow<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing !== null) throw new ConnectionLostError();
    this.#users++;
    try {
      return await this.#places.run(
        () => this.#withConnection(use),
        { milliseconds: this.#millisecondsToWait, lateness: () => new NoFreeConnectionError() },
      );
    } finally {
      this.#users--;
      this.#settle();
    }
  }

  /** Waits up to `seconds` until no connection is borrowed or awaited. */
  async close(seconds: number): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>();
    this.#settle();
    await waitUpTo(seconds * 1000, this.#closing.promise);
    await Promise.all(this.#slots.map((slot) => slot.close(0)));
  }

  async #withConnection<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const slot = this.#free.pop();
    if (slot === undefined) throw new RangeError("Cannot borrow from an empty pool");
    try {
      return await use(slot.connection());
    } finally {
      this.#free.push(slot);
    }
  }

  #settle(): void {
    if (this.#users === 0) this.#closing?.resolve();
  }
}

/**
 * Shares connections between readers, because each statement is independent. An account has a
 * limited number of running reads, so that other accounts' reads are not delayed.
 */
export class SharedPool {
  readonly #slots: readonly ConnectionSlot[];
  readonly #readers = new Set<Promise<unknown>>();
  readonly #places: FairPlaces;
  #closing = false;

  /** @param silence Shared by all connections to the server. */
  constructor(connect: Connect, size: number, silence: Silence = new Silence()) {
    this.#slots = Array.from({ length: size }, () => new ConnectionSlot(connect, silence));
    this.#places = new FairPlaces({ places: Infinity, perAccount: READS_PER_CONNECTION * size });
  }

  /** Readers wait only if their account has too many. */
  get use(): PoolUse {
    const busy = this.#slots.filter((slot) => slot.isBusy).length;
    return { size: this.#slots.length, busy, waiting: this.#places.waiting };
  }

  /** Runs `use` with the connection that has the fewest readers. */
  async share<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing) throw new ConnectionLostError();
    const reading = this.#places.run(() => this.#read(use));
    this.#readers.add(reading);
    try {
      return await reading;
    } finally {
      this.#readers.delete(reading);
    }
  }

  /** Waits up to `seconds` for the running reads. */
  async close(seconds: number): Promise<void> {
    this.#closing = true;
    await waitUpTo(seconds * 1000, Promise.allSettled(this.#readers));
    await Promise.all(this.#slots.map((slot) => slot.close(0)));
  }

  async #read<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const slot = this.#leastShared();
    slot.readers++;
    try {
      return await use(slot.connection());
    } finally {
      slot.readers--;
    }
  }

  #leastShared(): ConnectionSlot {
    const [first, ...others] = this.#slots;
    if (first === undefined) throw new RangeError("Cannot read from an empty pool");
    return others.reduce((least, other) => other.readers < least.readers ? other : least, first);
  }
}

/** Replaces a lost connection. The driver connects at first use. */
class ConnectionSlot {
  readers = 0;
  readonly #connect: () => Connection;
  #connection: Connection;
  #closed = false;

  constructor(connect: Connect, silence: Silence) {
    this.#connect = () => new Connection(connect, { silence });
    this.#connection = this.#connect();
  }

  get isBusy(): boolean {
    return this.#connection.load > 0;
  }

  connection(): Connection {
    if (this.#closed) throw new ConnectionLostError();
    if (this.#connection.isDoubtful) this.#connection.abandon();
    if (this.#connection.isLost) this.#connection = this.#connect();
    return this.#connection;
  }

  async close(seconds: number): Promise<void> {
    this.#closed = true;
    await this.#connection.close(seconds);
  }
}
