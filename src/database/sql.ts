/**
 * The tagged template for all SQL. Values become parameters of a prepared statement; a query inside a query
 * becomes a part of its text. There is no other way to build SQL here, except for the names of tables and
 * columns, which cannot be parameters.
 */

/** A statement that is sent when it is first awaited, or a fragment of another statement. */
export interface Query<Row> extends Promise<Row[]> {
  /** Sends the statement now, without waiting for its answer. */
  execute(): Query<Row>;
}

/** A value of a parameter. */
export type SqlValue = string | number | boolean | null | Date | Uint8Array;

/** Composes a statement: sql`select … where owner_id = ${owner}`. */
export interface Sql {
  <Row extends object = Record<string, unknown>>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ): Query<Row>;
}

/**
 * The name of a table or column as a part of a statement, for code that works on every table.
 *
 * @throws TypeError if it is not a plain lower-case name.
 */
export function identifier(sql: Sql, name: string): Query<object> {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new TypeError("Cannot use this as an identifier");
  const text = `"${name}"`;
  return sql(Object.assign([text], { raw: [text] }));
}

/**
 * Column names separated by commas, for code that works on every table.
 *
 * @throws TypeError if one is not a plain lower-case name.
 */
export function columnList(sql: Sql, names: readonly string[]): Query<object> {
  return names.map((name) => identifier(sql, name)).reduce((all, name) => sql`${all}, ${name}`);
}

/** The cast after a parameter, by the type of its column. */
export const CASTS = {
  text: "",
  /** A ULID that the service made. */
  id: "",
  integer: "::integer",
  bigInteger: "::bigint",
  number: "::double precision",
  boolean: "::boolean",
  /** A moment that somebody named. */
  time: "::timestamptz",
  /** A moment at which the service did something. */
  stamp: "::timestamptz",
  json: "::text::json",
  /** JSON that is an object. */
  object: "::text::json",
  /** JSON that is a list of texts. */
  texts: "::text::json",
} as const;

export type ColumnType = keyof typeof CASTS;

/** Values as parameters with a comma between, each as its column's type. */
export function parameters(
  sql: Sql,
  types: readonly ColumnType[],
  values: readonly SqlValue[],
): Query<object> {
  const between = types.map((type, index) => CASTS[type] + (index + 1 < types.length ? ", " : ""));
  const strings = ["", ...between];
  return sql(Object.assign(strings, { raw: strings }), ...values);
}

/** The literal of a `bytea[]`, from the hexadecimal digits of its values: `${…}::text::bytea[]`. */
export function byteaArray(values: readonly string[]): string {
  return `{${values.map((digits) => `"\\\\x${digits}"`).join(",")}}`;
}
