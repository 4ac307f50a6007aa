import type { PGlite } from "@electric-sql/pglite";
import { ConnectionLostError } from "./failures.ts";

/** How PGlite's WebAssembly leaves a statement that failed with an ordinary error. */
const STATEMENT_FAILED = 100;

/** The functions of the WebAssembly that PGlite calls for each exchange of messages. */
interface MainLoop {
  /** Reads one message and does what it says. */
  _PostgresMainLoopOnce: () => void;
  _pq_buffer_remaining_data: () => number;
  _PostgresSendReadyForQueryIfNecessary: () => void;
  _pgl_pq_flush: () => void;
}

/**
 * The running engine, which speaks PostgreSQL's protocol.
 *
 * A PANIC, or a trap of its WebAssembly, ends it in the middle of a statement. PGlite would feed the
 * rest of the messages to what is left of it, for ever if it does not take them. Here the engine then
 * stays stopped, and the next start recovers from the write-ahead log, as a server does after a crash.
 */
export class RunningEngine {
  readonly #engine: PGlite;
  readonly #mainLoop: MainLoop;
  /** The messages of the present exchange; PGlite goes on as long as there are any. */
  #messages = new ArrayBuffer(0);
  #isStopped = false;

  constructor(engine: PGlite) {
    this.#engine = engine;
    this.#mainLoop = engine.Module as unknown as MainLoop;
    const once = this.#mainLoop._PostgresMainLoopOnce;
    this.#mainLoop._PostgresMainLoopOnce = () => {
      try {
        once();
      } catch (thrown) {
        if (hasStatus(thrown, STATEMENT_FAILED)) throw thrown;
        this.#stop();
      }
    };
  }

  /**
   * Sends whole messages.
   *
   * @returns the answer, in parts.
   * @throws ConnectionLostError when the engine stops, and ever after.
   */
  async exchange(messages: Uint8Array): Promise<Uint8Array[]> {
    if (this.#isStopped) throw new ConnectionLostError();
    const parts: Uint8Array[] = [];
    // The engine's memory is its own: what leaves it is copied.
    const onRawData = (data: Uint8Array) => void parts.push(data.slice());
    await this.#engine.execProtocolRawStream(this.#copy(messages), { syncToFs: false, onRawData });
    if (this.#isStopped) throw new ConnectionLostError();
    return parts;
  }

  /** Shuts down in good order; an engine that stopped leaves its files as a crash would. */
  async close(): Promise<void> {
    if (this.#isStopped) await this.#engine.fs?.closeFs();
    else await this.#engine.close();
  }

  #copy(messages: Uint8Array): Uint8Array {
    this.#messages = new ArrayBuffer(messages.length, { maxByteLength: messages.length });
    const copy = new Uint8Array(this.#messages);
    copy.set(messages);
    return copy;
  }

  #stop(): void {
    this.#isStopped = true;
    this.#messages.resize(0);
    const nothing = () => 0;
    this.#mainLoop._pq_buffer_remaining_data = nothing;
    this.#mainLoop._PostgresSendReadyForQueryIfNecessary = nothing;
    this.#mainLoop._pgl_pq_flush = nothing;
  }
}

function hasStatus(thrown: unknown, status: number): boolean {
  return typeof thrown === "object" && thrown !== null && "status" in thrown &&
    thrown.status === status;
}
