import type { Caller } from "../access/identity.ts";

/** A handler's reply; the pipeline turns it into a Response. */
export type Reply = (DataReply | RawReply | TextReply) & {
  /** Set by the pipeline if the reply shows SECRET content. */
  readonly disclosure?: Disclosure;
};

/** The SECRET content that a reply shows. */
export interface Disclosure {
  readonly reader: Caller;
  /** The records that it belongs to. */
  readonly recordIds: ReadonlySet<string>;
}

/** The usual response: `{ data, meta }`. */
export interface DataReply {
  readonly status: number;
  /** Plain JSON data, or `undefined` for a response without a body (304). */
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response that is not JSON, such as a file's bytes. */
export interface RawReply {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A response outside the envelope; as bytes if it is already encoded. */
export interface TextReply {
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** 200 with data. */
export function ok(data: unknown, headers: Readonly<Record<string, string>> = {}): DataReply {
  return { status: 200, data, headers };
}

/** 201 with data and the address of the new object. */
export function created(
  data: unknown,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): DataReply {
  return { status: 201, data, headers: { ...headers, Location: location } };
}

/** 202 with the accepted work, and its address. */
export function accepted(data: unknown, location: string): DataReply {
  return { status: 202, data, headers: { Location: location } };
}

const REPLAYED = "Idempotency-Replayed";

/** The reply, marked as a replay if it is one. */
export function replying(reply: DataReply, replayed: boolean): DataReply {
  return replayed ? { ...reply, headers: { ...reply.headers, [REPLAYED]: "true" } } : reply;
}

/** Whether a reply is marked as a repetition. */
export function isReplay({ headers }: Reply): boolean {
  return headers?.[REPLAYED] !== undefined;
}
