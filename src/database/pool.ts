import { type Connect, Connection } from "./connection.ts";
import { ConnectionLostError } from "./failures.ts";

/**
 * Lends each of its connections to one user at a time, first come, first served.
 *
 * postgres.js can let a BEGIN out on a connection that also serves other queries (upstream issues
 * 823, 1189 and 1204). With one client a connection and one user a client that cannot happen.
 */
export class LanePool {
  readonly #lanes: readonly Place[];
  readonly #free: Place[];
  readonly #waiting: ((lane: Place) => void)[] = [];
  #closing = false;

  constructor(connect: Connect, size: number) {
    this.#lanes = Array.from({ length: size }, () => new Place(connect));
    this.#free = [...this.#lanes];
  }

  /** Runs `use` with a connection of its own and takes it back however that ends. */
  async borrow<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing) throw new ConnectionLostError();
    const lane = await this.#take();
    try {
      return await use(lane.connection());
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(lane);
      else next(lane);
    }
  }

  /** Waits up to `seconds` for whoever has or awaits a connection, then closes all of them. */
  async close(seconds: number): Promise<void> {
    this.#closing = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise((resolve) => timer = setTimeout(resolve, seconds * 1000));
    await Promise.race([Promise.all(this.#lanes.map(() => this.#take())), timeout]);
    clearTimeout(timer);
    await Promise.all(this.#lanes.map((lane) => lane.close(0)));
  }

  #take(): Place | Promise<Place> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Shares its connections between readers: each statement travels on its own. */
export class SharedPool {
  readonly #places: readonly Place[];

  constructor(connect: Connect, size: number) {
    this.#places = Array.from({ length: size }, () => new Place(connect));
  }

  /** The connection with the fewest statements under way. */
  pick(): Connection {
    const [first, ...others] = this.#places.map((place) => place.connection());
    if (first === undefined) throw new RangeError("Cannot pick from an empty pool");
    return others.reduce((least, other) => other.load < least.load ? other : least, first);
  }

  /** Waits up to `seconds` for running statements, then closes every connection. */
  async close(seconds: number): Promise<void> {
    await Promise.all(this.#places.map((place) => place.close(seconds)));
  }
}

/** Where a connection is made, and made again once it is lost. The driver connects when first used. */
class Place {
  readonly #connect: Connect;
  #connection: Connection;
  #closed = false;

  constructor(connect: Connect) {
    this.#connect = connect;
    this.#connection = new Connection(connect);
  }

  connection(): Connection {
    if (this.#closed) throw new ConnectionLostError();
    if (this.#connection.isLost) this.#connection = new Connection(this.#connect);
    return this.#connection;
  }

  async close(seconds: number): Promise<void> {
    this.#closed = true;
    await this.#connection.close(seconds);
  }
}
