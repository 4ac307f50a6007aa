/**
 * JSON Schema 2020-12, as far as this service uses it. A schema accepts the same values as its
 * check; tests compare the two.
 */

import type { JsonValue } from "../core/json.ts";
import { SHA256_HEX } from "./text.ts";

type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** Only the keywords that the service writes. */
export interface JsonSchema {
  /** The name under which a document stores this schema once; every use becomes a reference. */
  readonly component?: string;
  /** A component's name, for a schema that contains itself. */
  readonly reference?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** In code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: "date-time" | "password";
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  /** Only on a catalog's fields: whether values may appear in URLs, filters and logs. */
  readonly "x-sensitivity"?: "normal" | "sensitive";
}

export const TEXT: JsonSchema = { type: "string" };

export const ANY_OBJECT: JsonSchema = { type: "object", additionalProperties: true };

export const ULID: JsonSchema = { type: "string", pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" };

/** A point in time from a client: RFC 3339 with an offset. */
export const SENT_TIME: JsonSchema = {
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$",
};

/** A point in time from the service: UTC with milliseconds. */
export const TIME: JsonSchema = {
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
};

export const REVISION: JsonSchema = { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 };

export const COUNT: JsonSchema = { type: "integer", minimum: 0 };

export const SHA256: JsonSchema = { type: "string", pattern: SHA256_HEX.source };

export function enumOf(words: readonly string[]): JsonSchema {
  return { type: "string", enum: words };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

export function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== "string" || schema.component !== undefined) {
    return { anyOf: [schema, { type: "null" }] };
  }
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return { ...schema, ...values, type: [schema.type, "null"] };
}

/** Exactly these members, all required except the listed ones. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

/** As `objectOf`, stored in the document under a name. */
export function component<T>(
  name: string,
  properties: { readonly [Name in keyof Required<T>]: JsonSchema },
  optional: readonly (keyof T & string)[] = [],
): JsonSchema {
  return { component: name, ...objectOf(properties, optional) };
}

/** Characters in patterns: control characters, and Unicode white space. */
const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f";

/** The rules of a text other than its length. */
interface TextForm {
  readonly blank: boolean;
  readonly refused: "control" | "nul" | "none";
}

/** Omitted if every text matches. */
export function textPattern({ blank, refused }: TextForm): Pick<JsonSchema, "pattern"> {
  const out = { control: CONTROL, nul: "\\u0000", none: "" }[refused];
  if (blank) return out === "" ? {} : { pattern: `^[^${out}]*$` };
  if (out === "") return { pattern: "\\S" };
  return { pattern: `^[^\\S${out}]*[^\\s${out}][^${out}]*$` };
}
