/** Records the statements that the application sends, so that they can be explained as they are. */

import type { Database, Tx } from "../../src/database/database.ts";
import type { Query, Sql, SqlValue } from "../../src/database/sql.ts";
import type { Statement } from "../../src/database/statement.ts";

/** A statement as the server got it. */
export interface SentStatement {
  /** With `$1`, `$2`, … */
  readonly text: string;
  /** In their text form. */
  readonly parameters: readonly (string | null)[];
}

/** A database that records what passes through `read`, or through `write` and `transaction` too. */
export interface RecordingDatabase {
  readonly database: Database;
  /** Runs the action and returns what it sent, in order. */
  during(action: () => Promise<unknown>): Promise<SentStatement[]>;
}

/** Wraps a database. */
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
    // A query that is awaited or executed is a statement; the others became parts of one.
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
