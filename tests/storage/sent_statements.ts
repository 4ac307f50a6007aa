/** Counts the statements sent to a database, by method. */

import type { Database, Tx } from "../../src/database/database.ts";
import type { Query, Sql, SqlValue } from "../../src/database/sql.ts";

/** Uses of each method, and statements except BEGIN and COMMIT. */
export interface Sent {
  reads: number;
  writes: number;
  transactions: number;
  statements: number;
}

/** `sent` counts from then on. */
export function countStatements(database: Database): { database: Database; sent: Sent } {
  const sent: Sent = { reads: 0, writes: 0, transactions: 0, statements: 0 };
  const counted = (sql: Sql): Sql =>
  <Row extends object>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ) => countOnce(sql<Row>(strings, ...values), () => sent.statements++);
  const countedTx = (tx: Tx): Tx => ({
    sql: counted(tx.sql),
    commitWith: (statement) => tx.commitWith(statement),
    withoutTimeouts: () => tx.withoutTimeouts(),
    script: (text) => tx.script(text),
  });
  return {
    sent,
    database: {
      ...database,
      read(use) {
        sent.reads++;
        return database.read((sql) => use(counted(sql)));
      },
      write(statement) {
        sent.writes++;
        sent.statements++;
        return database.write(statement);
      },
      transaction(use) {
        sent.transactions++;
        return database.transaction((tx) => use(countedTx(tx)));
      },
    },
  };
}

/** An awaited or executed query is a statement; others become parts of one. */
function countOnce<Row>(query: Query<Row>, count: () => void): Query<Row> {
  const { then, execute } = query;
  let isCounted = false;
  const once = () => {
    if (!isCounted) count();
    isCounted = true;
  };
  query.then = (...handlers) => {
    once();
    return then.apply(query, handlers) as ReturnType<typeof then<never, never>>;
  };
  query.execute = () => {
    once();
    return execute.apply(query);
  };
  return query;
}
