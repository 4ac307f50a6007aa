/** What an outbox keeps, and what it is given to work with. */

/** A write as it is sent. */
export interface Write {
  /** Its Idempotency-Key, which it keeps for ever, and which no write with another body has. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body: unknown;
  /** Where a person finds it again. */
  readonly page: string;
  /** Whether the storage must not keep it for longer than the session. */
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
  /** Keeps an entry, also in the place of the one with its key; throws where there is no room. */
  put(entry: QueuedWrite): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

export interface Parts {
  readonly storage: Storage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Runs work while no other outbox over the same storage does. */
  readonly lock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Throws an `ApiError`, as `send` of `api.js` does. A connection that says nothing must end. */
  readonly send: (write: Write) => Promise<{ data: unknown }>;
  /** Called once an entry was taken by the service, with its answer, or refused. */
  readonly onResult?: (entry: QueuedWrite, data: unknown) => void;
}
