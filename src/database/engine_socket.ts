import { Duplex } from "node:stream";
import type { RunningEngine } from "./running_engine.ts";

/** The protocol's Terminate message. */
const TERMINATE = 0x58;

/**
 * Sync discards a half-received message; the query rolls back and deallocates the statements of the
 * previous connection, which would otherwise leak.
 */
const RESET = new TextEncoder().encode(
  "S\0\0\0\x04" + "Q\0\0\0\x1Drollback; deallocate all\0",
);

/** The driver writes to the engine, and reads its responses. */
export class EngineSocket extends Duplex {
  readonly #engine: RunningEngine;
  #isNew = true;

  constructor(engine: RunningEngine) {
    super();
    this.#engine = engine;
  }

  /** The driver sends Terminate only to an open socket. */
  get readyState(): "open" | "closed" {
    return this.destroyed ? "closed" : "open";
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    if (chunk[0] === TERMINATE) {
      // Ends only the stream: the session is the engine's own.
      done();
      this.destroy();
      return;
    }
    this.#exchange(chunk).then(() => done(), done);
  }

  /** The response must not arrive before the driver's own write returns. */
  async #exchange(chunk: Uint8Array): Promise<void> {
    if (this.#isNew) {
      // The session may be in the state that an abandoned connection left.
      this.#isNew = false;
      await this.#engine.exchange(RESET);
    }
    for (const part of await this.#engine.exchange(chunk)) this.push(part);
  }
}
