/** Kinds of columns in an account file: how each is read, written as JSON, checked, inserted. */

import { isoText } from "../core/clock.ts";
import { isUlid } from "../core/ids.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import type { ColumnType, Query, Sql } from "../database/sql.ts";
import { isClock } from "../validate/local_time.ts";
import { SHA256_HEX } from "../validate/text.ts";

export interface ValueKind {
  readonly isOptional: boolean;
  /** True for a column that files of earlier releases do not have: an absent member is null. */
  readonly isAdded: boolean;
  /** True for an added column whose null is left out of a line. */
  readonly isSparse: boolean;
  readonly select: (sql: Sql, column: Query<object>) => Query<object>;
  readonly toJson: (value: unknown) => JsonValue;
  readonly accepts: (value: JsonValue) => boolean;
  /** The SQL type in which an insertion reads a row's JSON. */
  readonly given: (sql: Sql) => Query<object>;
  /** Converts a value of the type `given` into the column's type. */
  readonly insert: (sql: Sql, given: Query<object>) => Query<object>;
  /** True if an insertion stores the JSON unchanged, as a text. */
  readonly isStoredJson: boolean;
  /** The bound that a value made in the past cannot exceed; null for none. */
  readonly bound: keyof Bounds | null;
}

/** Upper bounds of values made in the past, one for identifiers and one for times. */
export interface Bounds {
  readonly id: string;
  readonly time: string;
}

export function optional(kind: ValueKind): ValueKind {
  return {
    ...kind,
    isOptional: true,
    toJson: (value) => value === null ? null : kind.toJson(value),
    accepts: (value) => value === null || kind.accepts(value),
  };
}

/** An optional column that was added after files had been written without it. */
export function added(kind: ValueKind): ValueKind {
  return { ...optional(kind), isAdded: true };
}

/** An added column whose null is left out of a line. */
export function sparse(kind: ValueKind): ValueKind {
  return { ...added(kind), isSparse: true };
}

export const text: ValueKind = kindOf({
  given: (sql) => sql`text`,
  accepts: (value) => typeof value === "string",
});

/** An identifier that anyone may have made. */
export const anyId: ValueKind = { ...text, accepts: isId };

/** An identifier that the service made: its time has passed. */
export const id: ValueKind = { ...anyId, bound: "id" };

/** A whole number of 32 bits. */
export const integer: ValueKind = kindOf({
  given: (sql) => sql`integer`,
  accepts: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
});

/** A whole number that JSON represents exactly. */
export const bigInteger: ValueKind = kindOf({
  select: (sql, column) => sql`${column}::double precision`,
  given: (sql) => sql`bigint`,
  accepts: Number.isSafeInteger,
});

/** Finite. */
const number: ValueKind = kindOf({
  given: (sql) => sql`double precision`,
  accepts: (value) => typeof value === "number",
});

export const boolean: ValueKind = kindOf({
  given: (sql) => sql`boolean`,
  accepts: (value) => typeof value === "boolean",
});

/** A time that a person stated; may be in the future. */
export const time: ValueKind = kindOf({
  given: (sql) => sql`timestamptz(3)`,
  toJson: (value) => isoText(value as Date),
  accepts: isTime,
});

export const stamp: ValueKind = { ...time, bound: "time" };

/** JSON, stored as it was written. */
export const json: ValueKind = {
  ...kindOf({
    select: (sql, column) => sql`${column}::text`,
    given: (sql) => sql`text`,
    toJson: (value) => JSON.parse(String(value)),
    accepts: (value) => typeof value === "object" && value !== null,
  }),
  insert: (sql, given) => sql`${given}::json`,
  isStoredJson: true,
};

export const object: ValueKind = { ...json, accepts: isJsonObject };

/** Clocks by member; only rows that have any name them. The database compares them with times. */
export const clocks: ValueKind = sparse({ ...json, accepts: isClocks });

/** A JSON array of texts. */
export const texts: ValueKind = { ...json, accepts: isTexts };

/** A database array of texts. */
export const names: ValueKind = kindOf({
  select: (sql, column) => sql`array_to_json(${column})::text`,
  given: (sql) => sql`text[]`,
  toJson: (value) => JSON.parse(String(value)),
  accepts: isTexts,
});

/** Bytes in hex. */
export const hex: ValueKind = {
  ...kindOf({
    select: (sql, column) => sql`encode(${column}, 'hex')`,
    given: (sql) => sql`text`,
    accepts: (value) => typeof value === "string" && /^(?:[0-9a-f]{2})*$/.test(value),
  }),
  insert: (sql, given) => sql`decode(${given}, 'hex')`,
};

/** SHA-256 in hex. */
export const digest: ValueKind = {
  ...hex,
  accepts: (value) => typeof value === "string" && SHA256_HEX.test(value),
};

export function oneOf(words: readonly string[]): ValueKind {
  return { ...text, accepts: (value) => typeof value === "string" && words.includes(value) };
}

const BY_TYPE: Readonly<Record<ColumnType, ValueKind>> = {
  text,
  id,
  integer,
  bigInteger,
  number,
  boolean,
  time,
  stamp,
  json,
  object,
  texts,
};

/** @param name The column's. */
export function declaredKind(
  name: string,
  { type, isOptional }: { readonly type: ColumnType; readonly isOptional: boolean },
): ValueKind {
  if (name === "clocks") return clocks;
  return isOptional ? optional(BY_TYPE[type]) : BY_TYPE[type];
}

function kindOf(
  { select = (_, column) => column, given, toJson = (value) => value as JsonValue, accepts }:
    & Pick<ValueKind, "given" | "accepts">
    & Partial<Pick<ValueKind, "select" | "toJson">>,
): ValueKind {
  return {
    isOptional: false,
    isAdded: false,
    isSparse: false,
    select,
    toJson,
    accepts,
    given,
    insert: (_, given) => given,
    isStoredJson: false,
    bound: null,
  };
}

function isId(value: JsonValue): boolean {
  return typeof value === "string" && isUlid(value);
}

function isTexts(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isClocks(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const all = Object.values(value);
  return all.length > 0 && all.every((clock) => typeof clock === "string" && isClock(clock));
}

/** True if the value is the only valid spelling of a moment. */
function isTime(value: JsonValue): boolean {
  if (typeof value !== "string" || value.length !== 24 || value < "0001") return false;
  const moment = new Date(value);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === value;
}
