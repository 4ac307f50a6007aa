import type { Database } from "../../src/database/database.ts";

/**
 * Runs single-statement writes as transactions, for tests that hold, fail or delay their inside.
 */
export function writingInTransactions(database: Database): Database {
  return {
    ...database,
    write: (statement) => database.transaction((tx) => tx.commitWith(statement(tx.sql))),
  };
}
