/** Records the statements that the application sends, so that they can be explained as they are. */

import type { Database } from "../../src/database/database.ts";
import type { Query, Sql, SqlValue } from "../../src/database/sql.ts";
import type { Statement } from "../../src/database/statement.ts";

/** A statement as the server got it. */
export interface SentStatement {
  /** With `$1`, `$2`, … */
  readonly text: string;
  /** In their text form. */
  readonly parameters: readonly (string | null)[];
}

/** A database whose `read` records what passes. */
export interface RecordingDatabase {
  readonly database: Database;
  /** Runs the action and returns what it sent through `read`, in order. */
  during(action: () => Promise<unknown>): Promise<SentStatement[]>;
}

/** Wraps a database. */
export function createRecordingDatabase(database: Database): RecordingDatabase {
  let queries: Set<Query<object>> = new Set();
  const record = (sql: Sql): Sql =>
  <Row extends object>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ) => {
    const query = sql<Row>(strings, ...values);
    const { then } = query;
    // A query that is awaited is a statement; the others became parts of one.
    query.then = (...handlers) => {
      queries.add(query);
      return then.apply(query, handlers) as ReturnType<typeof then<never, never>>;
    };
    return query;
  };
  return {
    database: { ...database, read: (use) => database.read((sql) => use(record(sql))) },
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
