import { within } from "../core/deadline.ts";
import type { Connect } from "./connection.ts";
import type { DatabaseAddress } from "./database_url.ts";
import { ConnectionLostError, isUnavailable, isUntrusted } from "./failures.ts";

/** The time to accept a client and answer. A pooler accepts one even if its server is down. */
const ANSWER_TIMEOUT_MS = 5_000;

export type DatabaseHost = DatabaseAddress["hosts"][number];

/**
 * Asks all servers at once for the one that accepts writes. The driver's own search does not end if
 * there is none, and never leaves a host that accepts connections but stays silent, as a frozen
 * machine does.
 *
 * Concurrent calls share a search. Results are not cached: a search starts after a lost connection,
 * when the answer may have changed.
 */
export class PrimarySearch {
  readonly #hosts: readonly DatabaseHost[];
  readonly #connectTo: (host: DatabaseHost) => Connect;
  readonly #timeoutMs: number;
  #running: Promise<DatabaseHost> | null = null;

  /** @param connectTo Fails if the host is a standby. */
  constructor(
    hosts: readonly DatabaseHost[],
    connectTo: (host: DatabaseHost) => Connect,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ) {
    this.#hosts = hosts;
    this.#connectTo = connectTo;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws the driver's most informative error if no host accepts writes. */
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
      // Hosts that have not answered cannot change the result.
      for (const { client } of asked) void client.end({ timeout: 0 });
    }
  }
}

/** Returns the most informative error: password, then certificate, then a host that is down. */
function mostTelling(failures: readonly unknown[]): unknown {
  return failures.find((failure) => !isUnavailable(failure)) ??
    failures.find((failure) => isUntrusted(failure)) ?? failures[0];
}
