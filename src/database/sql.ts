/**
 * The tagged template that all SQL is written in. Values become parameters of a prepared statement;
 * a query inside a query becomes a part of its text. There is no other way to build SQL here.
 */

/** A statement that is sent when it is first awaited, or a fragment of another statement. */
export interface Query<Row> extends Promise<Row[]> {
  /** Sends the statement now, without waiting for its answer. */
  execute(): Query<Row>;
}

/** What a statement takes as a parameter. */
export type SqlValue = string | number | boolean | null | Date | Uint8Array;

/** Writes a statement: sql`select … where owner_id = ${owner}`. */
export interface Sql {
  <Row extends object = Record<string, unknown>>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ): Query<Row>;
}
