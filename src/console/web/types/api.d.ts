// deno-lint-ignore-file no-explicit-any
/** Requests and answers. */

/** A body's data; lists have items. */
interface Data {
  items: any[];
  nextCursor: any;
  [name: string]: any;
}

interface Answer {
  status: number;
  data: any;
}

interface SendOptions {
  /** Sent as JSON. */
  body?: unknown;
  key?: string;
  proof?: string | undefined;
  /** `AbortSignal.timeout` ends it with `NETWORK_ERROR`. */
  signal?: AbortSignal;
}

/** Throws an `ApiError`. */
type Send = (method: string, path: string, options?: SendOptions) => Promise<Answer>;

interface ErrorAbout {
  status?: number;
  details?: any;
  retryAfter?: number | null;
}

type Due = import("../../../client/wire.ts").Due;
type CatalogModule = import("../../../client/wire.ts").CatalogModule;
type WireField = import("../../../client/wire.ts").CatalogField;
