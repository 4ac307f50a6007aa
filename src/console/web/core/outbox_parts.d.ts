/** The stored entries of an outbox, and its dependencies. */

/** A write as it is sent. */
export interface Write {
  /** Its Idempotency-Key, which never changes and is used for no other body. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body: unknown;
  /** The page on which a person finds it again. */
  readonly page: string;
  /** True if the storage must not keep it for longer than the session. */
  readonly brief: boolean;
}

/** A write that is queued. */
export interface QueuedWrite extends Write {
  /** Since when, in milliseconds since 1970; no two entries have the same. */
  readonly at: number;
  /** The code by which the service refused it; null while it waits. */
  readonly refused: string | null;
}

/** The entries of one account. */
export interface Storage {
  /** In any order. */
  read(): readonly QueuedWrite[] | Promise<readonly QueuedWrite[]>;
  /** Stores an entry, replacing the one with its key; throws if there is no room. */
  put(entry: QueuedWrite): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

export interface Parts {
  readonly storage: Storage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Runs work while no other outbox over the same storage does. */
  readonly lock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Throws an `ApiError`, as `send` of `api.js` does. Must time out if the connection is silent. */
  readonly send: (write: Write) => Promise<{ data: unknown }>;
  /** Called after the service accepted an entry, with the response, or rejected it. */
  readonly onResult?: (entry: QueuedWrite, data: unknown) => void;
}
