import type { PGlite } from "@electric-sql/pglite";
import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { ConnectionLostError } from "./failures.ts";

/** The types of the protocol's messages that matter here. */
const TERMINATE = 0x58;
const QUERY = 0x51;
const SYNC = 0x53;
const STARTUP = 0x00;
const READY_FOR_QUERY = 0x5a;
const READY_LENGTH = 6;

/**
 * The running engine, which speaks PostgreSQL's protocol.
 *
 * A PANIC, or a trap of its WebAssembly, ends it in the middle of an answer; PGlite would go on
 * feeding statements to what is left. Here the engine then stays stopped: the next start recovers
 * from the write-ahead log, as a server does after a crash.
 */
export class RunningEngine {
  readonly #engine: PGlite;
  #stopped = false;

  constructor(engine: PGlite) {
    this.#engine = engine;
  }

  /**
   * Sends whole messages.
   *
   * @returns the answer, in parts.
   * @throws ConnectionLostError when the engine stops, and ever after.
   */
  async exchange(messages: Uint8Array): Promise<Uint8Array[]> {
    if (this.#stopped) throw new ConnectionLostError();
    const parts: Uint8Array[] = [];
    // The engine's memory is its own: what leaves it is copied.
    const onRawData = (data: Uint8Array) => void parts.push(data.slice());
    try {
      await this.#engine.execProtocolRawStream(messages, { syncToFs: false, onRawData });
      if (asksToBeReady(messages) && !isReady(parts)) throw new Error("The answer breaks off");
    } catch (cause) {
      this.#stopped = true;
      throw new ConnectionLostError({ cause });
    }
    return parts;
  }

  /** Shuts down in good order; an engine that stopped leaves its files as a crash would. */
  async close(): Promise<void> {
    if (this.#stopped) await this.#engine.fs?.closeFs();
    else await this.#engine.close();
  }
}

/** Whether the last message asks for an answer that ends with ReadyForQuery. */
function asksToBeReady(messages: Uint8Array): boolean {
  if (messages[0] === STARTUP) return true;
  const view = new DataView(messages.buffer, messages.byteOffset, messages.byteLength);
  let last = 0;
  for (let at = 0; at < messages.length; at += 1 + view.getUint32(at + 1)) last = at;
  return messages[last] === QUERY || messages[last] === SYNC;
}

/** Whether an answer ends with ReadyForQuery. */
function isReady(parts: readonly Uint8Array[]): boolean {
  const end = Buffer.concat(parts.slice(-READY_LENGTH)).subarray(-READY_LENGTH);
  return end.length === READY_LENGTH && end[0] === READY_FOR_QUERY;
}

/** The driver's socket: what is written goes to the engine, what the engine answers can be read. */
export class EngineSocket extends Duplex {
  readonly #engine: RunningEngine;

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
    for (const part of await this.#engine.exchange(chunk)) this.push(part);
  }
}
