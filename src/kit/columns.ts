/**
 * Declarations of columns. One declaration gives the type of a row, its public form, the JSON
 * schema, the lists of columns, the parameters of an insertion, and the lines of an account file.
 * Tables, guards and statements are handwritten SQL; `README.md` has an example.
 */

import type { PayloadView } from "../catalog/payload_view.ts";
import type { Field } from "../catalog/module.ts";
import type { FieldOptions } from "../catalog/fields.ts";
import type { LongColumns } from "../database/page_bytes.ts";
import {
  columnList,
  type ColumnType,
  identifier,
  parameters,
  type Query,
  type Sql,
  type SqlValue,
} from "../database/sql.ts";
import { type JsonSchema, nullable } from "../validate/json_schema.ts";
import {
  type LocalTimes,
  localTimesOf,
  localTimesSchema,
  parseClocks,
} from "../validate/local_time.ts";

/** A kind of value: how a column stores it and a client sees it; see `kinds.ts`. */
export interface Kind<Stored, Shown = Stored> {
  readonly type: ColumnType;
  readonly json: JsonSchema;
  readonly isOptional: boolean;
  /** Whether a page of a hundred values may be too large; these are read as `LongColumns`. */
  readonly isLong: boolean;
  readonly show: (value: Stored) => Shown;
  /** Makes the field of a request; null if requests never contain such a value. */
  readonly field: ((name: string, options: FieldOptions) => Field) | null;
  /** The value of an accepted field; undefined if it is missing. */
  readonly take: (fields: PayloadView, name: string) => unknown;
}

export type Columns = Readonly<Record<string, Kind<never, unknown>>>;

export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Kind<infer Stored, unknown> ? Stored : never;
};

/** The columns as a client sees them, named in camel case; `clocks` is shown as `localTimes`. */
export type ShownOf<C extends Columns> =
  & {
    readonly [Name in Exclude<keyof C & string, "clocks"> as Camel<Name>]: C[Name] extends
      Kind<never, infer Shown> ? Shown : never;
  }
  & ("clocks" extends keyof C ? { readonly localTimes: LocalTimes } : unknown);

type MembersOf<C extends Columns> = {
  readonly [Name in keyof ShownOf<C>]: JsonSchema;
};

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export function camelCase(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The same kind, nullable. */
export function orNull<Stored, Shown>(
  kind: Kind<Stored, Shown>,
): Kind<Stored | null, Shown | null> {
  return {
    ...kind,
    json: nullable(kind.json),
    isOptional: true,
    show: (value) => value === null ? null : kind.show(value),
  };
}

/** Schemas of the members, in the order of the columns. */
export function membersOf<C extends Columns>(columns: C): MembersOf<C> {
  const members = Object.entries(columns).map(([name, { json }]) =>
    name === "clocks"
      ? ["localTimes", localTimesSchema(timesOf(columns).map(camelCase))]
      : [camelCase(name), json]
  );
  return Object.fromEntries(members);
}

export function showColumns<C extends Columns>(columns: C, row: RowOf<C>): ShownOf<C> {
  const members = Object.entries(columns).map(([name, { show }]) =>
    name === "clocks"
      ? ["localTimes", showLocalTimes(columns, row)]
      : [camelCase(name), show(row[name] as never)]
  );
  return Object.fromEntries(members);
}

/** Names of the columns that are owner's times: a request states them. */
function timesOf(columns: Columns): readonly string[] {
  return Object.entries(columns)
    .filter(([, { type, field }]) => type === "time" && field !== null)
    .map(([name]) => name);
}

function showLocalTimes(columns: Columns, row: RowOf<Columns>): LocalTimes {
  const { clocks, ...times } = row as Readonly<Record<string, unknown>>;
  if (typeof clocks !== "string") return {};
  const inUtc = timesOf(columns).map((name) => {
    const time = times[name];
    return [camelCase(name), time instanceof Date ? time.toISOString() : null];
  });
  return localTimesOf(Object.fromEntries(inUtc), parseClocks(clocks));
}

/** Column names, in the order of `valuesOf`. */
export function namesOf(sql: Sql, columns: Columns): Query<object> {
  return columnList(sql, Object.keys(columns));
}

export function valuesOf<C extends Columns>(sql: Sql, columns: C, row: RowOf<C>): Query<object> {
  const types = Object.values(columns).map(({ type }) => type);
  return parameters(sql, types, Object.keys(columns).map((name) => row[name] as SqlValue));
}

/** Select list of the columns in rows that `json_populate_recordset` read; at least one. */
export function readColumns(sql: Sql, columns: Columns): Query<object> {
  return Object.entries(columns)
    .map(([name, { type }]) => ({ column: identifier(sql, name), isText: !isJson(type) }))
    // The rows contain JSON as texts.
    .map(({ column, isText }) => isText ? column : sql`(${column} #>> '{}')::json`)
    .reduce((all, value) => sql`${all}, ${value}`);
}

/** Select list of the columns that are always short; at least one. */
export function shortColumns(sql: Sql, columns: Columns): Query<object> {
  return Object.entries(columns)
    .filter(([, { isLong }]) => !isLong)
    .map(([name, { type }]) => {
      const column = identifier(sql, name);
      if (isJson(type)) return sql`${column}::text as ${column}`;
      // A double holds every integer of JSON, and the driver reads it as a number.
      return type === "bigInteger" ? sql`${column}::double precision as ${column}` : column;
    })
    .reduce((all, column) => sql`${all}, ${column}`);
}

/** The other columns; the first must never be null. */
export function longColumns(sql: Sql, columns: Columns): LongColumns {
  const long = Object.entries(columns)
    .filter(([, { isLong }]) => isLong)
    .toSorted(([, one], [, other]) => Number(one.isOptional) - Number(other.isOptional));
  return {
    kind: long.every(([, { type }]) => isJson(type)) ? "json" : "text",
    columns: Object.fromEntries(long.map(([name]) => [name, identifier(sql, name)])),
    hidden: null,
  };
}

export function isJson(type: ColumnType): boolean {
  return type === "json" || type === "object" || type === "texts";
}
