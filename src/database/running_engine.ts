import type { PGlite } from "@electric-sql/pglite";
import { errorFields } from "../core/log.ts";
import type { EngineStop } from "./database.ts";
import { ConnectionLostError, EngineRecoveryError } from "./failures.ts";

/** Exit status of PGlite's WebAssembly after a statement that failed with an ordinary error. */
const STATEMENT_FAILED = 100;

/** Finds the severity and SQLSTATE of the error that ends the engine. */
const LAST_WORDS = /\0V(?:PANIC|FATAL)\0C([0-9A-Z]{5})\0/;

interface MainLoop {
  _PostgresMainLoopOnce: () => void;
  _pq_buffer_remaining_data: () => number;
  _PostgresSendReadyForQueryIfNecessary: () => void;
  _pgl_pq_flush: () => void;
}

/**
 * A running PGlite engine, which speaks PostgreSQL's protocol.
 *
 * A PANIC, or a trap of its WebAssembly, ends the engine in the middle of a statement. PGlite would
 * feed the remaining messages to the dead engine, possibly forever. Here it stays stopped,
 * `stopped` resolves, and the next start recovers from the write-ahead log.
 */
export class RunningEngine {
  readonly #engine: PGlite;
  readonly #mainLoop: MainLoop;
  /** Unread messages; PGlite continues while there are any. */
  #messages = new ArrayBuffer(0);
  #parts: Uint8Array[] = [];
  #isStopped = false;
  readonly #stopped = Promise.withResolvers<EngineStop>();

  constructor(engine: PGlite) {
    this.#engine = engine;
    this.#mainLoop = engine.Module as unknown as MainLoop;
    const once = this.#mainLoop._PostgresMainLoopOnce;
    this.#mainLoop._PostgresMainLoopOnce = () => {
      try {
        once();
      } catch (thrown) {
        if (hasStatus(thrown, STATEMENT_FAILED)) throw thrown;
        this.#cutOff();
        const { error } = errorFields(thrown);
        this.stop({ error: String(error), code: sqlstateIn(this.#parts) });
      }
    };
  }

  get stopped(): Promise<EngineStop> {
    return this.#stopped.promise;
  }

  stop(why: EngineStop): void {
    this.#isStopped = true;
    this.#stopped.resolve(why);
  }

  /**
   * Sends messages to the engine.
   *
   * @param messages Complete messages only.
   * @returns the response, in parts.
   * @throws ConnectionLostError when the engine stops, and from then on; EngineRecoveryError if
   *   only a new connection clears its state.
   */
  async exchange(messages: Uint8Array): Promise<Uint8Array[]> {
    if (this.#isStopped) throw new ConnectionLostError();
    const parts: Uint8Array[] = this.#parts = [];
    // The data is in the engine's own memory.
    const onRawData = (data: Uint8Array) => void parts.push(data.slice());
    try {
      await this.#engine.execProtocolRawStream(this.#copy(messages), {
        syncToFs: false,
        onRawData,
      });
    } catch (thrown) {
      throw hasStatus(thrown, STATEMENT_FAILED) ? new EngineRecoveryError() : thrown;
    }
    if (this.#isStopped) throw new ConnectionLostError();
    return parts;
  }

  /** An engine that stopped leaves its files as after a crash. */
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

  /** Ends the current exchange, which PGlite would otherwise continue. */
  #cutOff(): void {
    this.#messages.resize(0);
    const nothing = () => 0;
    this.#mainLoop._pq_buffer_remaining_data = nothing;
    this.#mainLoop._PostgresSendReadyForQueryIfNecessary = nothing;
    this.#mainLoop._pgl_pq_flush = nothing;
  }
}

function sqlstateIn(parts: readonly Uint8Array[]): string | null {
  const decoder = new TextDecoder("latin1");
  const answered = parts.map((part) => decoder.decode(part)).join("");
  return LAST_WORDS.exec(answered)?.[1] ?? null;
}

function hasStatus(thrown: unknown, status: number): boolean {
  return typeof thrown === "object" && thrown !== null && "status" in thrown &&
    thrown.status === status;
}
