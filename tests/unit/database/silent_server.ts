import { Duplex } from "node:stream";

/** A server that lets everybody in, answers so many simple queries, and then falls silent. */
export class SilentServer extends Duplex {
  readonly received: Uint8Array[] = [];
  #answers: number;

  constructor(answers = 0) {
    super();
    this.#answers = answers;
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.received.push(chunk);
    if (chunk[0] === STARTUP) this.#push(...AUTHENTICATED, ...READY);
    else if (chunk[0] === QUERY && this.#answers-- > 0) this.#push(...COMPLETE, ...READY);
    done();
  }

  /** Answers one more simple query, which has been received. */
  answer(): void {
    this.#push(...COMPLETE, ...READY);
  }

  /** Answers one more query with an error. */
  refuse(): void {
    this.#push(...REFUSAL, ...READY);
  }

  #push(...bytes: number[]): void {
    queueMicrotask(() => this.push(Uint8Array.from(bytes)));
  }
}

const STARTUP = 0x00;
const QUERY = 0x51;
/** AuthenticationOk, CommandComplete of a COMMIT, ReadyForQuery. */
const AUTHENTICATED = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
const COMPLETE = [0x43, 0, 0, 0, 11, ...new TextEncoder().encode("COMMIT\0")];
/** ErrorResponse with an SQLSTATE and nothing else. */
const REFUSAL = [0x45, 0, 0, 0, 12, ...new TextEncoder().encode("C22023\0\0")];
const READY = [0x5a, 0, 0, 0, 5, 0x49];
