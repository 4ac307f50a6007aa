/** Writes that are interrupted between any two of their statements, as if the process were killed. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import type { Query, Sql, SqlValue } from "../../src/database/sql.ts";
import { writingInTransactions } from "./single_writes.ts";
import type { TestResponse, World } from "./world.ts";

/** A database with transactions that can be made to fail. */
export interface FaultyDatabase {
  readonly database: Database;
  /** Fails before the n-th statement, or after the last of them and before COMMIT. */
  breakAt(step: number): void;
  /** Whether it broke off. */
  readonly broke: boolean;
}

/** Wraps a database so that its transactions can be made to fail. */
export function faultyDatabase(real: Database): FaultyDatabase {
  let left = Infinity;
  let broke = false;
  const breakOff = (): never => {
    left = Infinity;
    broke = true;
    throw new Error("The process ended here");
  };
  const step = () => {
    if (--left === 0) breakOff();
  };
  const stepping = (sql: Sql): Sql =>
  <Row extends object>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ) => {
    const query = sql<Row>(strings, ...values);
    const { then } = query;
    // A query that is awaited is a statement; the others became parts of one. The transaction itself awaits
    // it as well, once it is sent.
    query.then = (...handlers) => {
      query.then = then;
      try {
        step();
      } catch (error) {
        return Promise.reject(error).then(...handlers) as ReturnType<typeof then<never, never>>;
      }
      return then.apply(query, handlers) as ReturnType<typeof then<never, never>>;
    };
    return query;
  };
  const database = writingInTransactions({
    ...real,
    transaction: (use) =>
      real.transaction((tx) =>
        use({
          ...tx,
          sql: stepping(tx.sql),
          async commitWith(statement) {
            step();
            const between = left === 1;
            // From here on the statement is not a separate step.
            left = Infinity;
            if (!between) return await tx.commitWith(statement);
            await statement;
            return breakOff();
          },
        })
      ),
  });
  return {
    database,
    breakAt: (steps) => {
      left = steps;
      broke = false;
    },
    get broke() {
      return broke;
    },
  };
}

/**
 * Sends a request that fails before each of its statements in turn, and after the last of them, until it
 * succeeds; each failure must leave nothing, and be answered as an error.
 *
 * @param tables All tables that the request can write to.
 */
export async function assertWholeOrNothing(
  world: World,
  faulty: FaultyDatabase,
  tables: readonly string[],
  send: () => Promise<TestResponse>,
): Promise<void> {
  let breaks = 0;
  for (let broke = true; broke;) {
    const before = await contents(world, tables);
    faulty.breakAt(breaks + 1);
    const response = await send();
    broke = faulty.broke;
    if (broke) breaks++;
    assertEquals(response.status < 300, !broke, response.text);
    const after = await contents(world, tables);
    if (broke) assertEquals(after, before, `${breaks}`);
    else assertNotEquals(after, before);
  }
  // Before its statement, and between statement and COMMIT.
  assert(breaks >= 2, `${breaks}`);
}

/** The content of tables, as one digest. */
async function contents(world: World, tables: readonly string[]): Promise<string> {
  const rows = await world.rows(
    tables.map((table) =>
      `select '${table}' as name, md5(string_agg(row::text, ' ' order by row::text)) as digest
         from ${table} row`
    ).join(" union all ") + " order by name",
  );
  return JSON.stringify(rows);
}
