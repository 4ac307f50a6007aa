// deno-lint-ignore-file no-explicit-any
/** Drafts, and the writes of an outbox with its dependencies. */

interface WriteResult {
  key: string;
  page: string;
  refused: string | null;
  data?: any;
  /** Why it was refused, if this tab sent it. */
  error?: unknown;
}

interface Draft {
  /** The changed revision; null for a new object. */
  base: number | null;
  /** The prefix of the Idempotency-Keys. */
  seed: string;
  /** The key under which the current text was sent; null if it was not. */
  sent: string | null;
  /** Last change, in milliseconds since 1970. */
  at: number;
  texts: Readonly<Record<string, string>>;
}

interface Write {
  /** The write's Idempotency-Key, never used for another body. */
  readonly key: string;
  readonly method: string;
  readonly path: string | readonly PathPart[];
  readonly body: unknown;
  /** The page that shows it. */
  readonly page: string;
  /** True if the write must not be stored longer than the session. */
  readonly brief: boolean;
  /** Sent once the service has accepted this one. */
  readonly next?: Write;
  /** If it was typed in one line. */
  readonly line?: TypedLine;
}

interface QueuedWrite extends Write {
  /** Those to the writes of its line before it. */
  readonly answers?: readonly any[];
  /** The time of queuing, in milliseconds since 1970; unique. */
  readonly at: number;
  /** The code of its refusal; null while it waits. */
  readonly refused: string | null;
}

interface OutboxStorage {
  /** Returns the entries in any order. */
  read(): readonly QueuedWrite[] | Promise<readonly QueuedWrite[]>;
  /** Replaces the entry with its key; throws without room. */
  put(entry: QueuedWrite): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

interface OutboxParts {
  readonly storage: OutboxStorage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Excludes other outboxes of the same storage. */
  readonly lock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Throws an `ApiError`. Must time out on a silent connection. */
  readonly send: (write: QueuedWrite) => Promise<{ data: unknown }>;
  /** After the service accepted an entry (with its response) or rejected it. */
  readonly onResult?: (entry: QueuedWrite, data: unknown, error?: unknown) => void;
}

/** A text, or a member of the answer to the line's write of this number. */
type PathPart = string | { readonly answer: number; readonly member: string };

interface TypedLine {
  /** Shown while it waits. */
  readonly title: string;
  /** Returned to the person if the service refuses it. */
  readonly words: string;
}

type QueueNext = (sent: QueuedWrite, next: Write, data: unknown) => Promise<void>;
