/** The stored entries and the dependencies of an outbox. */

export interface Write {
  /** The write's Idempotency-Key, never used for another body. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** The page that shows it. */
  readonly page: string;
  /** True if the write must not be stored longer than the session. */
  readonly brief: boolean;
}

export interface QueuedWrite extends Write {
  /** The time of queuing, in milliseconds since 1970; unique. */
  readonly at: number;
  /** The code of its refusal; null while it waits. */
  readonly refused: string | null;
}

export interface Storage {
  /** Returns the entries in any order. */
  read(): readonly QueuedWrite[] | Promise<readonly QueuedWrite[]>;
  /** Replaces the entry with its key; throws without room. */
  put(entry: QueuedWrite): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

export interface Parts {
  readonly storage: Storage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Excludes other outboxes of the same storage. */
  readonly lock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Throws an `ApiError`. Must time out on a silent connection. */
  readonly send: (write: Write) => Promise<{ data: unknown }>;
  /** After the service accepted an entry (with its response) or rejected it. */
  readonly onResult?: (entry: QueuedWrite, data: unknown) => void;
}
