/** Counts read rows in pieces, so that the built-in engine serves others in between. */

import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { tooMany } from "../errors/service_error.ts";
import { assertOrdered } from "../records/port.ts";

/** Limit of all rows that one count examines. */
const MAX_ROWS = 200_000;

const PIECE_ROWS = 5_000;

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
 * @throws ServiceError `HTTP_503` while the order of records is built; `PAYLOAD_INVALID` as
 *   {@linkcode ExaminedRows}.
 */
export async function* readPieces<Row extends object>(
  database: Database,
  examined: ExaminedRows,
  statement: (sql: Sql, last: Row | null, limit: number) => Query<Row>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | null = null;;) {
    const rows: readonly Row[] = await readPiece(database, statement, last);
    examined.add(rows.length);
    yield rows;
    last = rows.at(-1) ?? null;
    if (rows.length < PIECE_ROWS) return;
  }
}

async function readPiece<Row extends object>(
  database: Database,
  statement: (sql: Sql, last: Row | null, limit: number) => Query<Row>,
  last: Row | null,
): Promise<Row[]> {
  return await database.read(async (sql) => {
    const [rows] = await Promise.all([statement(sql, last, PIECE_ROWS), assertOrdered(sql)]);
    return rows;
  });
}
