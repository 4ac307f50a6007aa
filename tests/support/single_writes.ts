import type { Database } from "../../src/database/database.ts";

/**
 * A database whose single writes run as its transactions do: for tests that hold, break or delay what
 * happens inside of one.
 */
export function writingInTransactions(database: Database): Database {
  return {
    ...database,
    write: (statement) => database.transaction((tx) => tx.commitWith(statement(tx.sql))),
  };
}
