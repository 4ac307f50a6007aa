/**
 * Composes SQL statements. Values become parameters of a prepared statement; a query inside a query
 * becomes a part of its text. There is no other way to build SQL, except for names of tables and
 * columns, which cannot be parameters.
 */

/** A statement that is sent when it is first awaited, or a fragment of another one. */
export interface Query<Row> extends Promise<Row[]> {
  /** Sends the statement without waiting for its answer. */
  execute(): Query<Row>;
}

export type SqlValue = string | number | boolean | null | Date | Uint8Array;

/** Composes a statement: sql`select … where owner_id = ${owner}`. */
export interface Sql {
  <Row extends object = Record<string, unknown>>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ): Query<Row>;
}

/**
 * Returns a name for use in a statement, for code that works on every table.
 *
 * @throws TypeError if it is not a plain lower-case name.
 */
export function identifier(sql: Sql, name: string): Query<object> {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new TypeError("Cannot use this as an identifier");
  const text = `"${name}"`;
  return sql(Object.assign([text], { raw: [text] }));
}

/**
 * Returns names separated by commas, as `identifier`.
 *
 * @throws TypeError if one is not a plain lower-case name.
 */
export function columnList(sql: Sql, names: readonly string[]): Query<object> {
  return names.map((name) => identifier(sql, name)).reduce((all, name) => sql`${all}, ${name}`);
}

const CASTS = {
  text: "",
  /** A ULID that the service made. */
  id: "",
  integer: "::integer",
  bigInteger: "::bigint",
  number: "::double precision",
  boolean: "::boolean",
  /** A time that a client sent. */
  time: "::timestamptz",
  /** A time at which the service did something. */
  stamp: "::timestamptz",
  json: "::text::json",
  object: "::text::json",
  texts: "::text::json",
} as const;

export type ColumnType = keyof typeof CASTS;

export function parameters(
  sql: Sql,
  types: readonly ColumnType[],
  values: readonly SqlValue[],
): Query<object> {
  const between = types.map((type, index) => CASTS[type] + (index + 1 < types.length ? ", " : ""));
  const strings = ["", ...between];
  return sql(Object.assign(strings, { raw: strings }), ...values);
}

/** A literal from hexadecimal values: `${…}::text::bytea[]`. */
export function byteaArray(values: readonly string[]): string {
  return `{${values.map((digits) => `"\\\\x${digits}"`).join(",")}}`;
}
