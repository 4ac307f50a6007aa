import type { EventContextReader, IncomingRequest } from "../access/event_context.ts";
import type { Database } from "../database/database.ts";
import type { Disclosure } from "../http/reply.ts";
import { insertAccessEvent } from "./events.ts";

/** A repeated read within this time leaves no event. */
const INTERVAL_MS = 60 * 60 * 1000;

/** How many reads are remembered. Forgetting one only causes an extra event. */
const REMEMBERED = 10_000;

interface NotedRead {
  readonly at: number;
  /** Resolves when the event is durable. */
  readonly written: Promise<void>;
}

/**
 * Writes one access event for each request that shows SECRET content of any number of records,
 * unless this process recorded each of them for the same credential within the hour.
 */
export class SecretReads {
  readonly #database: Database;
  readonly #eventContextOf: EventContextReader;
  readonly #noted = new Map<string, NotedRead>();

  constructor(database: Database, eventContextOf: EventContextReader) {
    this.#database = database;
    this.#eventContextOf = eventContextOf;
  }

  /**
   * Resolves when an event of the read is durable.
   *
   * @throws ServiceError `HTTP_503` if it cannot be written: the content must not be sent.
   */
  async note({ reader, recordIds }: Disclosure, request: IncomingRequest): Promise<void> {
    const { credential: { kind, id }, account: { accountId } } = reader;
    const at = request.now.getTime();
    const names = Array.from(recordIds, (recordId) => `${id} ${recordId}`);
    const known = names.map((name) => this.#find(name, at));
    const isNew = known.includes(undefined);
    if (isNew) {
      const event = { ...this.#eventContextOf(request), event: "SECRET_READ", accountId } as const;
      const written = this.#database.write((sql) =>
        insertAccessEvent(sql, { ...event, credential: { kind, id } })
      ).then(() => {});
      this.#remember(names, { at, written });
      await written;
    }
    await Promise.all(known.map((read) => read?.written));
  }

  #find(name: string, at: number): NotedRead | undefined {
    const read = this.#noted.get(name);
    // `abs`, in case the clock was set back.
    return read !== undefined && Math.abs(at - read.at) < INTERVAL_MS ? read : undefined;
  }

  #remember(names: readonly string[], read: NotedRead): void {
    for (const name of names) {
      this.#noted.delete(name);
      this.#noted.set(name, read);
    }
    read.written.catch(() => {
      for (const name of names) if (this.#noted.get(name) === read) this.#noted.delete(name);
    });
    for (const name of this.#noted.keys()) {
      if (this.#noted.size <= REMEMBERED) break;
      this.#noted.delete(name);
    }
  }
}
