/** Databases that hold a transaction at a point. */

import type { Database } from "../../src/database/database.ts";
import { writingInTransactions } from "../support/single_writes.ts";

/** Holds its first transaction until released. */
export interface HeldDatabase {
  readonly database: Database;
  /** The first transaction is held. */
  readonly reached: Promise<void>;
  letGo(): void;
}

/** Holds before BEGIN: the key is open, and nothing is locked. */
export function holdBeforeBegin(real: Database): HeldDatabase {
  const stop = firstStop();
  const database = writingInTransactions({
    ...real,
    async transaction(use) {
      await stop.here();
      return await real.transaction(use);
    },
  });
  return { database, ...stop };
}

/** Holds after the last statement: everything is locked, nothing committed. */
export function holdAfterWrite(real: Database): HeldDatabase {
  const stop = firstStop();
  const database = writingInTransactions({
    ...real,
    transaction: (use) =>
      real.transaction((tx) =>
        use({
          ...tx,
          withoutTimeouts: () => tx.withoutTimeouts(),
          async commitWith(statement) {
            const rows = await statement;
            await stop.here();
            await tx.commitWith(tx.sql`select 1`);
            return rows;
          },
        })
      ),
  });
  return { database, ...stop };
}

/** Like `holdAfterWrite`, for a transaction that does not commit with its last statement. */
export function holdBeforeCommit(real: Database): HeldDatabase {
  const stop = firstStop();
  const database: Database = {
    ...real,
    transaction: (use) =>
      real.transaction(async (tx) => {
        let isCommitted = false;
        const result = await use({
          ...tx,
          withoutTimeouts: () => tx.withoutTimeouts(),
          commitWith(statement) {
            isCommitted = true;
            return tx.commitWith(statement);
          },
        });
        if (!isCommitted) await stop.here();
        return result;
      }),
  };
  return { database, ...stop };
}

function firstStop() {
  const arrival = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let taken = false;
  return {
    reached: arrival.promise,
    letGo: release.resolve,
    async here() {
      if (taken) return;
      taken = true;
      arrival.resolve();
      await release.promise;
    },
  };
}
