import { Duplex } from "node:stream";

/** A server that lets everybody in and never answers a statement. */
export class SilentServer extends Duplex {
  readonly received: Uint8Array[] = [];

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.received.push(chunk);
    const isStartup = chunk[0] === 0;
    // AuthenticationOk, ReadyForQuery.
    if (isStartup) queueMicrotask(() => this.push(Uint8Array.of(...AUTHENTICATED, ...READY)));
    done();
  }
}

const AUTHENTICATED = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
const READY = [0x5a, 0, 0, 0, 5, 0x49];
