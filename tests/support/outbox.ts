/// <reference types="../../src/console/web/logic/types.d.ts" />

/** Dependencies of an outbox: storage in memory, and a lock. */

export function memoryStorage(): OutboxStorage {
  const kept = new Map<string, string>();
  return {
    // The order is reversed, because browsers guarantee none.
    read: () => [...kept.values()].reverse().map((text): QueuedWrite => JSON.parse(text)),
    put: (entry) => {
      kept.set(entry.key, JSON.stringify(entry));
    },
    remove: (key) => {
      kept.delete(key);
    },
  };
}

/** Returns a lock that runs work in order. */
export function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
