import type postgres from "postgres";
import type { Query, Sql } from "./sql.ts";

/**
 * A driver client with one connection, lent to one user at a time.
 *
 * Its session is read-only by default and each transaction begins READ WRITE. Should the driver ever
 * let a statement out on a new connection after the transaction's own was lost, the server refuses to
 * write for it, and nothing is half-written.
 */
export interface Lane {
  readonly client: postgres.Sql;
  /** Counts lost connections: a transaction that sees it move has lost its session. */
  losses: number;
  /** Whether a transaction has begun on the present connection, so that the next BEGIN can be sent unawaited. */
  ready: boolean;
}

/** Connects a driver client; the options it is given win over its own. */
export type Connect = (options: postgres.Options<Record<never, never>>) => postgres.Sql;

/** Makes one lane. `connect` knows the server; everything that makes it a lane is set here. */
export function createLane(connect: Connect): Lane {
  const lane: Lane = {
    losses: 0,
    ready: false,
    client: connect({
      max: 1,
      // A connection is never recycled under a running transaction.
      max_lifetime: 0,
      onclose: () => {
        lane.losses++;
        lane.ready = false;
      },
    }),
  };
  return lane;
}

/**
 * Lends each lane to one user at a time, first come, first served.
 *
 * postgres.js can let a BEGIN out on a connection that also serves other queries (upstream issues
 * 823, 1189 and 1204). With one client a connection and one user a client that cannot happen.
 */
export class LanePool {
  readonly #lanes: readonly Lane[];
  readonly #free: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
    this.#free = [...lanes];
  }

  /** Runs `use` with a lane of its own and takes the lane back however it ends. */
  async borrow<T>(use: (lane: Lane) => Promise<T>): Promise<T> {
    const lane = this.#free.pop() ??
      await new Promise<Lane>((resolve) => this.#waiting.push(resolve));
    try {
      return await use(lane);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(lane);
      else next(lane);
    }
  }

  /** Waits up to `seconds` for running statements, then closes every connection. */
  async close(seconds: number): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.client.end({ timeout: seconds })));
  }
}

/**
 * A tagged template over a driver client that stops working when `isOpen` says so, also for a
 * statement that was written before and is awaited only afterwards.
 */
export function guardedSql(client: postgres.Sql, isOpen: () => boolean): Sql {
  return <Row extends object>(strings: TemplateStringsArray, ...values: readonly unknown[]) => {
    if (!isOpen()) throw new Error("Cannot write a statement: its transaction has ended");
    const query = client(strings, ...values as never[]) as unknown as DriverQuery<Row>;
    const send = query.handle;
    query.handle = function () {
      if (query.executed || isOpen()) send.call(query);
      else query.reject(new Error("Cannot send a statement: its transaction has ended"));
    };
    return query;
  };
}

/** The members of the driver's query class that the guard needs; a test holds the driver to them. */
interface DriverQuery<Row> extends Query<Row> {
  readonly executed: boolean;
  handle(): void;
  reject(error: Error): void;
}
