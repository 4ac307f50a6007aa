/** How long a client may take to read its response before its connection is closed. */
const LINGER_MS = 1_000;

/** A body that is being received. */
type Body = Pick<ReadableStreamBYOBReader, "cancel">;

/**
 * Bodies that were abandoned before their end. If one is cancelled before its response is sent, Deno's
 * server first sends the response and then receives the rest of the body, of any length, to discard it. If
 * it is cancelled afterwards, the server closes the connection. The pause lets the client read the
 * response.
 */
export class LeftBodies {
  readonly #timers = new Map<Body, ReturnType<typeof setTimeout>>();
  #isClosing = false;

  /** Stops reading a body, and closes its connection in a second; immediately if the server closes. */
  leave(body: Body): void {
    if (this.#isClosing) return this.#cancel(body);
    this.#timers.set(body, setTimeout(() => this.#cancel(body), LINGER_MS));
  }

  /** Closes the connections of all of them, now and from now on. */
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
