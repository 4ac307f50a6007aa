/** Records the application's statements, to explain them. */

import type { Database, Tx } from "../../src/database/database.ts";
import type { Query, Sql, SqlValue } from "../../src/database/sql.ts";
import type { Statement } from "../../src/database/statement.ts";

/** A statement as sent to the server. */
export interface SentStatement {
  /** With `$1`, `$2`, … */
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

/** Records `read`, or `write` and `transaction` too. */
export interface RecordingDatabase {
  readonly database: Database;
  /** Returns the action's statements in order. */
  during(action: () => Promise<unknown>): Promise<SentStatement[]>;
}

export function createRecordingDatabase(
  database: Database,
  which: "reads" | "all" = "reads",
): RecordingDatabase {
  let queries: Set<Query<object>> = new Set();
  const add = <Row>(query: Query<Row>): Query<Row> => {
    queries.add(query as Query<object>);
    return query;
  };
  const record = (sql: Sql): Sql =>
  <Row extends object>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ) => {
    const query = sql<Row>(strings, ...values);
    const { then, execute } = query;
    // An awaited or executed query is a statement; others become parts of one.
    query.then = (...handlers) =>
      then.apply(add(query), handlers) as ReturnType<typeof then<never, never>>;
    query.execute = () => execute.apply(add(query));
    return query;
  };
  const recordIn = (tx: Tx): Tx => ({
    sql: record(tx.sql),
    commitWith: (statement) => tx.commitWith(add(statement)),
    withoutTimeouts: () => tx.withoutTimeouts(),
    script: (text) => tx.script(text),
  });
  const read: Database["read"] = (use) => database.read((sql) => use(record(sql)));
  return {
    database: which === "reads" ? { ...database, read } : {
      ...database,
      read,
      write: (statement) => database.write((sql) => add(statement(sql))),
      transaction: (use) => database.transaction((tx) => use(recordIn(tx))),
    },
    async during(action) {
      queries = new Set();
      await action();
      return [...queries].map((query) => {
        const { text, parameters } = (query as Statement<object>).compose();
        return { text, parameters: parameters.map(textOf) };
      });
    },
  };
}

function textOf(value: SqlValue): string | null {
  if (value instanceof Uint8Array) return `\\x${value.toHex()}`;
  return value instanceof Date ? value.toISOString() : value === null ? null : String(value);
}
