import { Duplex } from "node:stream";
import type { RunningEngine } from "./running_engine.ts";

/** The type of the protocol's message that says goodbye. */
const TERMINATE = 0x58;

/**
 * Two messages: Sync, which ends whatever was half-said, and a query that leaves nothing of what an
 * earlier connection began or prepared: its memory would never come back.
 */
const RESET = new TextEncoder().encode(
  "S\0\0\0\x04" + "Q\0\0\0\x1Drollback; deallocate all\0",
);

/** The driver's socket: what is written goes to the engine, what the engine answers can be read. */
export class EngineSocket extends Duplex {
  readonly #engine: RunningEngine;
  #isNew = true;

  constructor(engine: RunningEngine) {
    super();
    this.#engine = engine;
  }

  /** The driver says goodbye only to an open socket, and waits for its close. */
  get readyState(): "open" | "closed" {
    return this.destroyed ? "closed" : "open";
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    if (chunk[0] === TERMINATE) {
      // The session is the engine's own; only the stream ends.
      done();
      this.destroy();
      return;
    }
    this.#exchange(chunk).then(() => done(), done);
  }

  /** The driver is inside its own write: it must not be given the answer before that returns. */
  async #exchange(chunk: Uint8Array): Promise<void> {
    if (this.#isNew) {
      // The engine has one session, which goes on where an abandoned connection left it.
      this.#isNew = false;
      await this.#engine.exchange(RESET);
    }
    for (const part of await this.#engine.exchange(chunk)) this.push(part);
  }
}
