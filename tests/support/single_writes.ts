import type { Database } from "../../src/database/database.ts";

/**
 * A database whose single-statement writes run as transactions: for tests that hold, fail or delay the
 * inside of one.
 */
export function writingInTransactions(database: Database): Database {
  return {
    ...database,
    write: (statement) => database.transaction((tx) => tx.commitWith(statement(tx.sql))),
  };
}
