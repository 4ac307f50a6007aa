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
    if (chunk[0] === STARTUP) this.#answer(...AUTHENTICATED, ...READY);
    else if (chunk[0] === QUERY && this.#answers-- > 0) this.#answer(...COMPLETE, ...READY);
    done();
  }

  #answer(...bytes: number[]): void {
    queueMicrotask(() => this.push(Uint8Array.from(bytes)));
  }
}

const STARTUP = 0x00;
const QUERY = 0x51;
/** AuthenticationOk, CommandComplete of a COMMIT, ReadyForQuery. */
const AUTHENTICATED = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
const COMPLETE = [0x43, 0, 0, 0, 11, ...new TextEncoder().encode("COMMIT\0")];
const READY = [0x5a, 0, 0, 0, 5, 0x49];
