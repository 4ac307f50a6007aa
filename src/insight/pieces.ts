/** Counts read rows in pieces, so that the built-in engine serves others in between. */

import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { tooMany } from "../errors/service_error.ts";
import { assertOrdered } from "../records/port.ts";

/** Limit of all rows that one count examines. */
const MAX_ROWS = 200_000;

const PIECE_ROWS = 5_000;

/**
 * Counts by the order of records, which a process of the release before may leave incomplete.
 *
 * @throws ServiceError `HTTP_503` while the order is built, before the count or after it.
 */
export async function countOrdered<T>(database: Database, count: () => Promise<T>): Promise<T> {
  await database.read(assertOrdered);
  const counted = await count();
  await database.read(assertOrdered);
  return counted;
}

/** The rows that one count has examined. */
export class ExaminedRows {
  readonly #limit: number;
  #count = 0;

  constructor(limit = MAX_ROWS) {
    this.#limit = limit;
  }

  /** @throws ServiceError `PAYLOAD_INVALID`, rule `insight.rows`, beyond the limit. */
  add(rows: number): void {
    this.#count += rows;
    if (this.#count > this.#limit) throw tooMany("insight.rows", this.#limit);
  }
}

/**
 * Reads all rows of a walk, at most 5,000 in one statement.
 *
 * @param statement Selects at most `limit` rows after `last`, which is null at the beginning.
 * @throws ServiceError `PAYLOAD_INVALID` as {@linkcode ExaminedRows}.
 */
export async function* readPieces<Row extends object>(
  database: Database,
  examined: ExaminedRows,
  statement: (sql: Sql, last: Row | null, limit: number) => Query<Row>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | null = null;;) {
    const rows: readonly Row[] = await database.read(async (sql) =>
      await statement(sql, last, PIECE_ROWS)
    );
    examined.add(rows.length);
    yield rows;
    last = rows.at(-1) ?? null;
    if (rows.length < PIECE_ROWS) return;
  }
}
