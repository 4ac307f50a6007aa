import type { Caller } from "../access/identity.ts";

export type Reply = (DataReply | RawReply | TextReply) & {
  readonly disclosure?: Disclosure;
};

export interface Disclosure {
  readonly reader: Caller;
  readonly recordIds: ReadonlySet<string>;
}

/** A reply of the form `{ data, meta }`. */
export interface DataReply {
  readonly status: number;
  /** Plain JSON data, or `undefined` for a 304. */
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A streamed reply. Its length is always sent: many proxies end an answer of unknown length
 * normally if the service fails midway.
 */
export interface RawReply {
  readonly status: number;
  /** Null for HEAD. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Bytes of the body. */
  readonly length: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A reply outside the envelope; bytes if already encoded. */
export interface TextReply {
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

export function ok(data: unknown, headers: Readonly<Record<string, string>> = {}): DataReply {
  return { status: 200, data, headers };
}

export function created(
  data: unknown,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): DataReply {
  return { status: 201, data, headers: { ...headers, Location: location } };
}

/** A reply of JSON without the envelope. */
export function bareJson(
  status: number,
  data: unknown,
  headers: Readonly<Record<string, string>> = {},
): TextReply {
  const body = JSON.stringify(data);
  return { status, body, headers: { ...headers, "Content-Type": "application/json" } };
}

/** A response with status 202, for accepted work. */
export function accepted(data: unknown, location: string): DataReply {
  return { status: 202, data, headers: { Location: location } };
}

const REPLAYED = "Idempotency-Replayed";

/** Marks the reply as a replay if it is one. */
export function replying(reply: DataReply, replayed: boolean): DataReply {
  return replayed ? { ...reply, headers: { ...reply.headers, [REPLAYED]: "true" } } : reply;
}

export function isReplay({ headers }: Reply): boolean {
  return headers?.[REPLAYED] !== undefined;
}
