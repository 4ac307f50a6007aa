/** The dependencies of an outbox in tests: storage in memory, and a lock of one process. */

import type { QueuedWrite, Storage } from "../../src/console/web/core/outbox_parts.d.ts";

/** A storage of texts, like a browser's. */
export function memoryStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    // In another order than they were added: browsers guarantee none.
    read: () => [...kept.values()].reverse().map((text): QueuedWrite => JSON.parse(text)),
    put: (entry) => {
      kept.set(entry.key, JSON.stringify(entry));
    },
    remove: (key) => {
      kept.delete(key);
    },
  };
}

/** Runs one work at a time, in order. */
export function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
