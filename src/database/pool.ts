import { waitUpTo, within } from "../core/deadline.ts";
import { type Connect, Connection, Silence } from "./connection.ts";
import { ConnectionLostError, NoFreeConnectionError } from "./failures.ts";

/** How a pool's connections are used at a moment. */
export interface PoolUse {
  readonly size: number;
  readonly busy: number;
  /** How many callers wait for a connection. */
  readonly waiting: number;
}

/**
 * Lends each of its connections to one user at a time, first come, first served.
 *
 * postgres.js can let a BEGIN out on a connection that also serves other queries (upstream issues
 * 823, 1189 and 1204). With one client a connection and one user a client that cannot happen.
 */
export class ConnectionPool {
  readonly #slots: readonly ConnectionSlot[];
  readonly #free: ConnectionSlot[];
  readonly #waiting: ((slot: ConnectionSlot) => void)[] = [];
  readonly #secondsToWait: number;
  #closing = false;

  /**
   * @param secondsToWait A caller that waits longer for a connection is refused.
   * @param silence What all connections to the server know together.
   */
  constructor(
    connect: Connect,
    size: number,
    secondsToWait = Infinity,
    silence: Silence = new Silence(),
  ) {
    this.#slots = Array.from({ length: size }, () => new ConnectionSlot(connect, silence));
    this.#free = [...this.#slots];
    this.#secondsToWait = secondsToWait;
  }

  get use(): PoolUse {
    const [size, free] = [this.#slots.length, this.#free.length];
    return { size, busy: size - free, waiting: this.#waiting.length };
  }

  /**
   * Runs `use` with a connection of its own and takes it back however that ends.
   *
   * @throws NoFreeConnectionError when all of them stay in use for too long.
   */
  async borrow<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing) throw new ConnectionLostError();
    const slot = this.#free.pop() ?? await this.#waitForSlot();
    try {
      return await use(slot.connection());
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(slot);
      else next(slot);
    }
  }

  /** Waits up to `seconds` until no connection is lent or awaited, then closes all of them. */
  async close(seconds: number): Promise<void> {
    this.#closing = true;
    await waitUpTo(
      seconds * 1000,
      Promise.all(this.#slots.map(() => this.#free.pop() ?? this.#next())),
    );
    await Promise.all(this.#slots.map((slot) => slot.close(0)));
  }

  #next(): Promise<ConnectionSlot> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #waitForSlot(): Promise<ConnectionSlot> {
    if (this.#secondsToWait === Infinity) return await this.#next();
    const { promise, resolve } = Promise.withResolvers<ConnectionSlot>();
    this.#waiting.push(resolve);
    return await within(this.#secondsToWait * 1000, promise, () => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      return new NoFreeConnectionError();
    });
  }
}

/** Shares its connections between readers: each statement travels on its own. */
export class SharedPool {
  readonly #slots: readonly ConnectionSlot[];
  readonly #readers = new Set<Promise<unknown>>();
  #closing = false;

  /** @param silence What all connections to the server know together. */
  constructor(connect: Connect, size: number, silence: Silence = new Silence()) {
    this.#slots = Array.from({ length: size }, () => new ConnectionSlot(connect, silence));
  }

  /** No caller waits: a busy connection takes further statements. */
  get use(): PoolUse {
    const busy = this.#slots.filter((slot) => slot.isBusy).length;
    return { size: this.#slots.length, busy, waiting: 0 };
  }

  /** Runs `use` with the connection that has the fewest readers, the first one of several. */
  async share<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing) throw new ConnectionLostError();
    const slot = this.#leastShared();
    const reading = use(slot.connection());
    slot.readers++;
    this.#readers.add(reading);
    try {
      return await reading;
    } finally {
      slot.readers--;
      this.#readers.delete(reading);
    }
  }

  /** Waits up to `seconds` for the running reads, then closes every connection. */
  async close(seconds: number): Promise<void> {
    this.#closing = true;
    await waitUpTo(seconds * 1000, Promise.allSettled(this.#readers));
    await Promise.all(this.#slots.map((slot) => slot.close(0)));
  }

  #leastShared(): ConnectionSlot {
    const [first, ...others] = this.#slots;
    if (first === undefined) throw new RangeError("Cannot read from an empty pool");
    return others.reduce((least, other) => other.readers < least.readers ? other : least, first);
  }
}

/** Where a connection is made, and made again once it is lost. The driver connects when first used. */
class ConnectionSlot {
  /** How many share its connection. */
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
