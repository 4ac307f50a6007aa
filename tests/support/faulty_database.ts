/** Fails writes between any two statements, as a killed process would. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import type { Query, Sql, SqlValue } from "../../src/database/sql.ts";
import { writingInTransactions } from "./single_writes.ts";
import type { TestResponse, World } from "./world.ts";

export interface FaultyDatabase {
  readonly database: Database;
  /** Before the n-th statement; after the last one, before COMMIT. */
  breakAt(step: number): void;
  readonly broke: boolean;
}

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
    // An awaited query is a statement; others become parts of one. The transaction also awaits it, once sent.
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
            // From here on not a separate step.
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
 * Repeats a request that fails before each statement and after the last one, until it succeeds. Each failure
 * must leave nothing and be answered as an error.
 *
 * @param tables Every table that the request can write to.
 */
export async function assertWholeOrNothing(
  world: World,
  faulty: FaultyDatabase,
  tables: readonly string[],
  send: () => Promise<TestResponse>,
): Promise<void> {
  let breaks = 0;
  const before = await contents(world, tables);
  for (let broke = true; broke;) {
    faulty.breakAt(breaks + 1);
    const response = await send();
    broke = faulty.broke;
    if (broke) breaks++;
    assertEquals(response.status < 300, !broke, response.text);
    const after = await contents(world, tables);
    if (broke) assertEquals(after, before, `${breaks}`);
    else assertNotEquals(after, before);
  }
  // Before its statement, and before COMMIT.
  assert(breaks >= 2, `${breaks}`);
}

/** A digest of the tables' content. */
async function contents(world: World, tables: readonly string[]): Promise<string> {
  const rows = await world.rows(
    tables.map((table) =>
      `select '${table}' as name, count(*)::text, sum(hashtextextended(row::text, 0))::text as digest
         from ${table} row`
    ).join(" union all ") + " order by name",
  );
  return JSON.stringify(rows);
}
