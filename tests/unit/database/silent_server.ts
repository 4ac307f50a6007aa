import { Duplex } from "node:stream";

/** Accepts every login, answers some simple queries, then falls silent. */
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

  /** Answers one more received query. */
  answer(): void {
    this.#push(...COMPLETE, ...READY);
  }

  refuse(): void {
    this.#push(...REFUSAL, ...READY);
  }

  /** For a statement without parameters and rows. */
  prepare(): void {
    this.#push(...NO_PARAMETERS, ...NO_ROWS, ...COMPLETE, ...READY);
  }

  /** The error for a missing prepared statement. */
  forget(): void {
    this.#push(...FORGOTTEN, ...READY);
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
const REFUSAL = errorResponse("C22023\0");
const FORGOTTEN = errorResponse("C26000\0RFetchPreparedStatement\0");
/** ParameterDescription, NoData. */
const NO_PARAMETERS = [0x74, 0, 0, 0, 6, 0, 0];
const NO_ROWS = [0x6e, 0, 0, 0, 4];
const READY = [0x5a, 0, 0, 0, 5, 0x49];

function errorResponse(fields: string): number[] {
  const bytes = new TextEncoder().encode(`${fields}\0`);
  return [0x45, 0, 0, 0, bytes.length + 4, ...bytes];
}
