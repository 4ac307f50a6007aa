/** Which of several servers takes writes: all are asked at once, and the first that does is taken. */

import { within } from "../core/deadline.ts";
import type { Connect } from "./connection.ts";
import type { DatabaseAddress } from "./database_url.ts";
import { ConnectionLostError, isUnavailable, isUntrusted } from "./failures.ts";

/** How long a server may take to accept a client and answer. A pooler accepts one although its server is away. */
const ANSWER_TIMEOUT_MS = 5_000;

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
  readonly #timeoutMs: number;
  #running: Promise<DatabaseHost> | null = null;

  /** @param connectTo opens a client of one host, which fails where that is a standby. */
  constructor(
    hosts: readonly DatabaseHost[],
    connectTo: (host: DatabaseHost) => Connect,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ) {
    this.#hosts = hosts;
    this.#connectTo = connectTo;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws what the driver throws of the host that says most, where none takes writes. */
  async find(): Promise<DatabaseHost> {
    return await (this.#running ??= this.#ask().finally(() => this.#running = null));
  }

  async #ask(): Promise<DatabaseHost> {
    const asked = this.#hosts.map((host) => {
      const client = this.#connectTo(host)({ max: 1 });
      const answer = client.unsafe("select 1").simple().then(() => host);
      return { client, answer: within(this.#timeoutMs, answer, () => new ConnectionLostError()) };
    });
    try {
      return await Promise.any(asked.map(({ answer }) => answer));
    } catch (error) {
      throw mostTelling(error instanceof AggregateError ? error.errors : [error]);
    } finally {
      // Those that have not answered would only say what is known by now.
      for (const { client } of asked) void client.end({ timeout: 0 });
    }
  }
}

/** A wrong password, then a certificate that is refused, says more than a host that is away. */
function mostTelling(failures: readonly unknown[]): unknown {
  return failures.find((failure) => !isUnavailable(failure)) ??
    failures.find((failure) => isUntrusted(failure)) ?? failures[0];
}
