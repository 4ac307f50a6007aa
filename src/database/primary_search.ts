/** Which of several servers takes writes: all are asked at once, and the first that does is taken. */

import type { Connect } from "./connection.ts";
import type { DatabaseAddress } from "./database_url.ts";
import { isUnavailable, isUntrusted } from "./failures.ts";

/** One server of a `DATABASE_URL`. */
export type DatabaseHost = DatabaseAddress["hosts"][number];

/**
 * Looks for the server that takes writes. The driver's own search knows no end where none does, and
 * never leaves a host that accepts connections and then says nothing, as a frozen machine does.
 *
 * Those that ask at once share a search. Nothing is kept of an earlier one: it is asked for when a
 * connection was lost, which is when the answer may have changed.
 */
export class PrimarySearch {
  readonly #hosts: readonly DatabaseHost[];
  readonly #connectTo: (host: DatabaseHost) => Connect;
  #running: Promise<DatabaseHost> | null = null;

  /** @param connectTo opens a client of one host, which fails where that is a standby. */
  constructor(hosts: readonly DatabaseHost[], connectTo: (host: DatabaseHost) => Connect) {
    this.#hosts = hosts;
    this.#connectTo = connectTo;
  }

  /** @throws what the driver throws of the host that says most, where none takes writes. */
  async find(): Promise<DatabaseHost> {
    return await (this.#running ??= this.#ask().finally(() => this.#running = null));
  }

  async #ask(): Promise<DatabaseHost> {
    const clients = this.#hosts.map((host) => this.#connectTo(host)({ max: 1 }));
    try {
      return await Promise.any(
        this.#hosts.map(async (host, index) => {
          await clients[index]?.unsafe("select 1", [], { prepare: false });
          return host;
        }),
      );
    } catch (error) {
      throw mostTelling(error instanceof AggregateError ? error.errors : [error]);
    } finally {
      // Those that have not answered would only say what is known by now.
      for (const client of clients) void client.end({ timeout: 0 });
    }
  }
}

/** A wrong password, then a certificate that is refused, says more than a host that is away. */
function mostTelling(failures: readonly unknown[]): unknown {
  return failures.find((failure) => !isUnavailable(failure)) ??
    failures.find((failure) => isUntrusted(failure)) ?? failures[0];
}
