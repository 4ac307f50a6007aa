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
  /** After all statements of the n-th transaction. */
  breakBeforeCommit(transaction: number): void;
  readonly broke: boolean;
  /** Statements since the last call. */
  readonly statements: number;
}

export function faultyDatabase(real: Database): FaultyDatabase {
  let left = Infinity;
  let commitsLeft = Infinity;
  let statements = 0;
  let broke = false;
  const breakOff = (): never => {
    left = commitsLeft = Infinity;
    broke = true;
    throw new Error("The process ended here");
  };
  let isEnding = false;
  const step = () => {
    if (isEnding) return;
    statements++;
    if (--left === 0) breakOff();
  };
  const stepping = (sql: Sql): Sql =>
  <Row extends object>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ) => {
    const query = sql<Row>(strings, ...values);
    const { then } = query;
    // An awaited query is a statement; others become parts of one. The transaction also awaits it,
    // once sent.
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
      real.transaction(async (tx) => {
        const isLast = --commitsLeft === 0;
        const result = await use({
          ...tx,
          sql: stepping(tx.sql),
          async commitWith(statement) {
            step();
            const between = left === 1 || isLast;
            // The rest is sent at once.
            isEnding = true;
            left = commitsLeft = Infinity;
            if (!between) return await tx.commitWith(statement);
            await statement;
            return breakOff();
          },
        });
        if (isLast) breakOff();
        return result;
      }),
  });
  const start = (step: number, transaction: number) => {
    left = step;
    commitsLeft = transaction;
    statements = 0;
    isEnding = false;
    broke = false;
  };
  return {
    database,
    breakAt: (step) => start(step, Infinity),
    breakBeforeCommit: (transaction) => start(Infinity, transaction),
    get broke() {
      return broke;
    },
    get statements() {
      return statements;
    },
  };
}

/**
 * Repeats a request that fails before the first statement, a middle one and COMMIT of each
 * transaction, until it succeeds. Each failure must leave nothing and be answered as an error.
 *
 * @param tables Every table that the request can write to.
 */
export async function assertWholeOrNothing(
  world: World,
  faulty: FaultyDatabase,
  tables: readonly string[],
  send: () => Promise<TestResponse>,
): Promise<void> {
  const before = await contents(world, tables);
  const breaks = async (label: string): Promise<boolean> => {
    const response = await send();
    const { broke } = faulty;
    assertEquals(response.status < 300, !broke, `${label}: ${response.text}`);
    const after = await contents(world, tables);
    if (broke) assertEquals(after, before, label);
    else assertNotEquals(after, before, label);
    return broke;
  };
  let first = 1;
  for (let transaction = 1;; transaction++) {
    faulty.breakBeforeCommit(transaction);
    if (!await breaks(`before COMMIT ${transaction}`)) break;
    const { statements } = faulty;
    for (const step of new Set([first, Math.ceil((first + statements) / 2)])) {
      faulty.breakAt(step);
      assert(await breaks(`before statement ${step}`), `Statement ${step} was not reached`);
    }
    first = statements + 1;
  }
  assert(first > 1, "Nothing broke off");
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
