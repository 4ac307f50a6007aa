/** Kinds of columns for declarations. Kinds that a request can state are also fields. */

import * as fields from "../catalog/fields.ts";
import { RawJson, serialiseJson } from "../validate/json_output.ts";
import {
  ANY_OBJECT,
  enumOf,
  type JsonSchema,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import type { Kind } from "./columns.ts";

const BASE = { isOptional: false, isLong: false, field: null, take: () => undefined } as const;

/** A ULID made by the service. */
export const id: Kind<string> = { ...BASE, type: "id", json: ULID, show: (value) => value };

/** A moment set by the service. */
export const stamp: Kind<Date, string> = {
  ...BASE,
  type: "stamp",
  json: TIME,
  show: (value) => value.toISOString(),
};

/** A time that the owner states: it has a clock if there is a column `clocks`. */
export const time: Kind<Date, string> = {
  ...stamp,
  type: "time",
  field: fields.datetime,
  take: (view, name) => view.date(name),
};

/**
 * The clocks of the columns of the kind `time`, as JSON text; null without any. The column is named
 * `clocks`, and clients see it as `localTimes`.
 */
export const clocks: Kind<string | null> = {
  ...BASE,
  type: "object",
  json: ANY_OBJECT,
  isOptional: true,
  show: (value) => value,
  take: (view) => view.clocks(),
};

/** A text that is always short; `json` restricts it. */
export function shortText(json: JsonSchema = TEXT): Kind<string> {
  return {
    ...BASE,
    type: "text",
    json,
    show: (value) => value,
    field: fields.text,
    take: (view, name) => view.text(name),
  };
}

/** A text of up to 100,000 code points. */
export const longText: Kind<string> = { ...shortText(), isLong: true, field: fields.textarea };

/** A line with an optional maximum length. It counts as long, because a page has a hundred. */
export function line(maximumLength?: number): Kind<string> {
  const own = maximumLength === undefined ? {} : { maximumLength };
  return { ...longText, field: (name, options) => fields.text(name, { ...options, ...own }) };
}

export function choice<Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    ...BASE,
    type: "text",
    json: enumOf(words),
    show: (value) => value,
    field: (name, options) => fields.select(name, words, options),
    take: (view, name) => view.text(name),
  };
}

export const flag: Kind<boolean> = {
  ...BASE,
  type: "boolean",
  json: { type: "boolean" },
  show: (value) => value,
  field: fields.boolean,
  take: (view, name) => view.flag(name),
};

export function number(minimum: number, maximum: number): Kind<number> {
  return {
    ...numeric("number", { type: "number", minimum, maximum }),
    field: (name, options) => fields.number(name, { ...options, minimum, maximum }),
  };
}

export function integer(minimum: number, maximum: number): Kind<number> {
  return {
    ...numeric("integer", { type: "integer", minimum, maximum }),
    field: (name, options) => fields.number(name, { ...options, minimum, maximum, integer: true }),
  };
}

/** A number that requests never contain. */
export function numeric(type: "number" | "integer" | "bigInteger", json: JsonSchema): Kind<number> {
  return {
    ...BASE,
    type,
    json,
    show: (value) => value,
    take: (view, name) => view.number(name),
  };
}

export const revision: Kind<number> = numeric("integer", REVISION);

/** JSON, stored and shown as the text that was written. */
export function json(
  schema: JsonSchema,
  type: "json" | "object" | "texts" = "json",
): Kind<string, RawJson> {
  return {
    ...BASE,
    type,
    json: schema,
    isLong: true,
    show: (value) => new RawJson(value),
    field: fields.json,
    take(view, name) {
      const value = view.json(name);
      return value === undefined ? undefined : serialiseJson(value);
    },
  };
}
