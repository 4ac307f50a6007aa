/** Time for a client to read its response before its connection is closed. */
const LINGER_MS = 1_000;

type Body = Pick<ReadableStreamBYOBReader, "cancel">;

/**
 * Request bodies that the service does not read to their end. If a body is cancelled before its
 * response is sent, Deno's server then receives and discards the rest of the body, of any length.
 * If it is cancelled afterwards, the server closes the connection; the pause lets the client read
 * the response.
 */
export class LeftBodies {
  readonly #timers = new Map<Body, ReturnType<typeof setTimeout>>();
  #isClosing = false;

  /** Closes the body's connection after a second, or immediately if the server closes. */
  leave(body: Body): void {
    if (this.#isClosing) return this.#cancel(body);
    this.#timers.set(body, setTimeout(() => this.#cancel(body), LINGER_MS));
  }

  /** Closes all connections, now and from now on. */
  close(): void {
    this.#isClosing = true;
    for (const body of this.#timers.keys()) this.#cancel(body);
  }

  #cancel(body: Body): void {
    clearTimeout(this.#timers.get(body));
    this.#timers.delete(body);
    // Its connection may be gone.
    body.cancel().catch(() => {});
  }
}
