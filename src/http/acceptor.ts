import { waitUpTo } from "../core/deadline.ts";
import { withHost } from "./host.ts";
import { LeftBodies } from "./left_bodies.ts";
import { withReceivedBody } from "./received_body.ts";

/**
 * How long a failed acceptor waits for its running requests, and then for its responses to be read.
 */
const RETIREMENT_MS = 30_000;

type Fetch = (request: Request, peer: string) => Promise<Response>;

export class Acceptor {
  /** The error that ended accepting; null if it was closed. */
  readonly failure: Promise<unknown>;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #aborted = new AbortController();
  readonly #fetch: Fetch;
  readonly #left = new LeftBodies();
  #running = 0;
  #idle: PromiseWithResolvers<void> | null = null;
  #closed: Promise<void> | null = null;
  #isClosed = false;

  /** @throws errors of `Deno.serve` if it cannot listen. */
  constructor(address: { readonly hostname: string; readonly port: number }, fetch: Fetch) {
    this.#fetch = fetch;
    this.#server = Deno.serve(
      { ...address, signal: this.#aborted.signal, onListen: () => {} },
      (request, { remoteAddr }) => this.#answer(request, remoteAddr.hostname),
    );
    this.failure = this.#server.finished.then(() => null, (error) => error);
  }

  get address(): Deno.NetAddr {
    return this.#server.addr;
  }

  /** Closes idle connections immediately, and each other one after its response. */
  close(): Promise<void> {
    this.#left.close();
    return this.#closed ??= this.#server.shutdown().finally(() => this.#isClosed = true);
  }

  abort(): void {
    // A closed server does not accept an abort.
    if (!this.#isClosed) this.#aborted.abort();
  }

  /**
   * Closes a failed acceptor. It first waits until no request is running, at most half a minute,
   * because closing cuts off request bodies. Responses that are not read half a minute later are
   * cut off.
   */
  async retire(): Promise<void> {
    this.#idle = Promise.withResolvers<void>();
    if (this.#running === 0) this.#idle.resolve();
    await waitUpTo(RETIREMENT_MS, this.#idle.promise);
    await waitUpTo(RETIREMENT_MS, this.close());
    this.abort();
    await this.close();
  }

  async #answer(request: Request, peer: string): Promise<Response> {
    this.#running++;
    try {
      const response = await this.#fetch(withReceivedBody(withHost(request), this.#left), peer);
      if (this.#idle !== null) response.headers.set("Connection", "close");
      return response;
    } finally {
      this.#running--;
      if (this.#running === 0) this.#idle?.resolve();
    }
  }
}
