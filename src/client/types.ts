/** The types of the client's methods, by operation. */

import type { Operations } from "./wire.ts";

/** The name of an operation, as the OpenAPI document has it. */
export type Operation = keyof Operations;

/** An operation whose items are read page by page. */
export type ListOperation = {
  [Name in Operation]: Operations[Name] extends { readonly item: unknown } ? Name : never;
}[Operation];

/** A write that expects the revision read by GET on the same path. */
export type ChangeOperation = {
  [Name in Operation]: Operations[Name] extends { readonly present: unknown } ? Name : never;
}[Operation];

export type Item<Name extends ListOperation> = Operations[Name]["item"];

/** The state that a change begins with: the data of the GET of the same path. */
export type Present<Name extends ChangeOperation> = Operations[Name]["present"];

/** The body of a change without its expected revision, which the client adds. */
export type ChangeBody<Name extends ChangeOperation> = WithoutRevision<Operations[Name]["body"]>;

/** The same for each member of a union. */
type WithoutRevision<Body> = Body extends unknown ? Omit<Body, "expectedRevision"> : never;

/** The code of the service, or the status of an answer that is not the service's. */
export type RefusalCode<Name extends Operation = Operation> =
  | Operations[Name]["code"]
  | "DIGEST_MISMATCH"
  | "HTTP_3XX"
  | `HTTP_${number}`;

/** How a client reaches the service. */
export interface ClientOptions {
  /** Scheme, host and port. Plain http is for this machine only. */
  readonly origin: string | URL;
  /** A bearer credential, or a function that returns one for each try. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How long a request is repeated, in milliseconds: 300,000 unless given; 0 means one try. */
  readonly retryFor?: number | undefined;
}

/** The options of every operation. */
export interface CommonOptions {
  /** Any but Authorization, Idempotency-Key and Content-Type. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A proof that the password was just confirmed. */
  readonly proof?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

type InputName = "path" | "query" | "body" | "key";

/** The input of an operation: its path, query, body and key, if it takes them. */
export type CallOptions<Name extends Operation> =
  & Pick<Operations[Name], Extract<keyof Operations[Name], InputName>>
  & CommonOptions;

/** The options of a call, which may be left out if nothing in them is required. */
export type CallArguments<Name extends Operation> = object extends CallOptions<Name>
  ? [options?: CallOptions<Name>]
  : [options: CallOptions<Name>];

/** A successful answer. */
export interface Result<Name extends Operation> {
  readonly data: Operations[Name]["data"];
  readonly status: number;
  readonly requestId: string | null;
  /** True if an earlier request with the same key did the write. */
  readonly replayed: boolean;
  readonly etag: string | null;
}

/** The options of `Client.send`, which may set any header. */
export interface SendOptions extends CommonOptions {
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  /** An Idempotency-Key; a request with one is repeated like a GET. */
  readonly key?: string | undefined;
}

/** An entry of the changes feed, or the notice that the feed begins again. */
export type FollowEvent =
  | {
    readonly event: "change";
    /** Used as `after`, loses no entry, even if this one was not handled. */
    readonly cursor: string | null;
  } & Operations["changes.list"]["data"]["items"][number]
  | {
    readonly event: "restarted";
    readonly cursor: null;
  };
