/**
 * Schemas validate and type a client's input. A check collects all violations, as names of declared
 * fields and stable rules; it never repeats the input.
 */

import type { JsonObject, JsonValue } from "../core/json.ts";
import { isJsonObject } from "../core/json.ts";
import { isUlid } from "../core/ids.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import {
  ANY_OBJECT,
  enumOf,
  type JsonSchema,
  objectOf,
  SENT_TIME,
  textPattern,
  ULID,
} from "./json_schema.ts";
import { hasControlCharacter, isBlank, isLongerThan } from "./text.ts";
import { parseTimestamp } from "./timestamp.ts";

export class Violations {
  readonly #rules = new Set<string>();
  readonly #fields = new Set<string>();

  /** @param field The declared field or the sent query parameter concerned, if any. */
  add(rule: string, field?: string): undefined {
    this.#rules.add(rule);
    if (field !== undefined) this.#fields.add(field);
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  get rules(): readonly string[] {
    return [...this.#rules];
  }

  /** @throws ServiceError `PAYLOAD_INVALID` if there are violations. */
  throwIfAny(): void {
    if (this.#rules.size > 0) throw payloadInvalid([...this.#rules], [...this.#fields]);
  }
}

/** The result of `check` is not used after a violation. */
export interface Schema<T> {
  readonly check: (value: JsonValue, field: string, violations: Violations) => T | undefined;
  readonly json: JsonSchema;
  readonly optional?: true;
  /** Converts the text of a query; by default unchanged. */
  readonly fromQuery?: (text: string) => JsonValue;
}

type Infer<S> = S extends Schema<infer T> ? T : never;

export type ObjectSchema = Readonly<Record<string, Schema<unknown>>>;

type OptionalKeys<S extends ObjectSchema> = {
  [Key in keyof S]: S[Key] extends { readonly optional: true } ? Key : never;
}[keyof S];

/** Members of optional schemas may be missing; present ones are never undefined. */
export type InferObject<S extends ObjectSchema> =
  & { readonly [Key in Exclude<keyof S, OptionalKeys<S>>]: Infer<S[Key]> }
  & { readonly [Key in OptionalKeys<S>]?: Infer<S[Key]> };

/** In Unicode code points. */
interface StringLimits {
  readonly maximum: number;
  /** Allows control characters, including tab and line feed. */
  readonly multiline?: boolean;
  /** Allows texts of white space alone. */
  readonly blank?: boolean;
}

/** Not blank unless the limits allow it. */
export function string(limits: StringLimits): Schema<string> {
  return {
    check(value, field, violations) {
      if (typeof value !== "string") return violations.add("field.type", field);
      if (isLongerThan(value, limits.maximum)) violations.add("field.length", field);
      if (!limits.blank && isBlank(value)) violations.add("field.blank", field);
      if (!limits.multiline && hasControlCharacter(value)) {
        violations.add("field.control_character", field);
      }
      return value;
    },
    json: {
      type: "string",
      maxLength: limits.maximum,
      ...textPattern({
        blank: limits.blank === true,
        refused: limits.multiline ? "none" : "control",
      }),
    },
  };
}

/** `json` must describe the same strings. */
export function stringMatching(
  rule: string,
  accepts: (text: string) => boolean,
  json: JsonSchema,
): Schema<string> {
  return {
    json,
    check(value, field, violations) {
      if (typeof value !== "string") return violations.add("field.type", field);
      if (!accepts(value)) violations.add(rule, field);
      return value;
    },
  };
}

export const identifier: Schema<string> = stringMatching("field.identifier", isUlid, ULID);

/** An RFC 3339 timestamp with an offset. */
export const timestamp: Schema<Date> = {
  check(value, field, violations) {
    const time = typeof value === "string" ? parseTimestamp(value) : null;
    if (time === null) return violations.add("field.datetime", field);
    return new Date(time);
  },
  json: SENT_TIME,
};

/** The range is inclusive; in a query, decimal digits. */
export function integer(minimum: number, maximum: number): Schema<number> {
  return {
    check(value, field, violations) {
      if (typeof value !== "number" || !Number.isInteger(value)) {
        return violations.add("field.type", field);
      }
      if (value < minimum || value > maximum) violations.add("field.range", field);
      return value;
    },
    json: { type: "integer", minimum, maximum },
    fromQuery: (text) => /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : text,
  };
}

/** The range is inclusive; fractions are allowed. */
export function number(minimum: number, maximum: number): Schema<number> {
  return {
    check(value, field, violations) {
      if (typeof value !== "number") return violations.add("field.type", field);
      if (value < minimum || value > maximum) violations.add("field.range", field);
      return value;
    },
    json: { type: "number", minimum, maximum },
  };
}

export const revision: Schema<number> = integer(1, 2 ** 31 - 1);

export function oneOf<const Option extends string>(...options: readonly Option[]): Schema<Option> {
  return {
    check(value, field, violations) {
      const found = options.find((option) => option === value);
      if (found === undefined) return violations.add("field.option", field);
      return found;
    },
    json: enumOf(options),
  };
}

export const boolean: Schema<boolean> = {
  check(value, field, violations) {
    if (typeof value !== "boolean") return violations.add("field.type", field);
    return value;
  },
  json: { type: "boolean" },
};

export const jsonObject: Schema<JsonObject> = {
  check(value, field, violations) {
    if (!isJsonObject(value)) return violations.add("field.type", field);
    return value;
  },
  json: ANY_OBJECT,
};

export function distinctStrings(maximumItems: number, maximumLength: number): Schema<string[]> {
  return {
    check(value, field, violations) {
      if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
        return violations.add("field.type", field);
      }
      const tooLong = value.some((item) => isLongerThan(item, maximumLength));
      if (value.length > maximumItems || tooLong) violations.add("field.length", field);
      if (new Set(value).size !== value.length) violations.add("field.repeated", field);
      return value;
    },
    json: {
      type: "array",
      items: { type: "string", maxLength: maximumLength },
      maxItems: maximumItems,
      uniqueItems: true,
    },
  };
}

/** One or more distinct ULIDs. */
export function distinctIdentifiers(maximumItems: number): Schema<string[]> {
  const list = distinctStrings(maximumItems, ULID_LENGTH);
  return {
    check(value, field, violations) {
      const ids = list.check(value, field, violations);
      if (ids?.length === 0) violations.add("field.length", field);
      if (ids?.some((id) => !isUlid(id))) violations.add("field.identifier", field);
      return ids;
    },
    json: { ...list.json, items: ULID, minItems: 1 },
  };
}

const ULID_LENGTH = 26;

/** Violations of an item are reported with the names of its members. */
export function arrayOf<T>(
  items: Schema<T>,
  minimum: number,
  maximum: number,
): Schema<readonly T[]> {
  return {
    check(value, field, violations) {
      if (!Array.isArray(value)) return violations.add("field.type", field);
      if (value.length < minimum || value.length > maximum) {
        return violations.add("field.length", field);
      }
      // The list is not used after a violation.
      return value.map((item) => items.check(item, field, violations) as T);
    },
    json: { type: "array", items: items.json, minItems: minimum, maxItems: maximum },
  };
}

/** Violations of a member are reported with its own name. */
export function object<S extends ObjectSchema>(shape: S): Schema<InferObject<S>> {
  return {
    check(value, field, violations) {
      if (!isJsonObject(value)) return violations.add("field.type", field);
      return checkObject(shape, value, violations);
    },
    json: describeObject(shape),
  };
}

/** A member that may be omitted. `null` does not count as omitted. */
export function optional<T>(schema: Schema<T>): Schema<T> & { readonly optional: true } {
  return { ...schema, optional: true };
}

export function describeObject(shape: ObjectSchema): JsonSchema {
  const members = Object.entries(shape);
  return objectOf(
    Object.fromEntries(members.map(([name, { json }]) => [name, json])),
    members.filter(([, { optional }]) => optional).map(([name]) => name),
  );
}

/** Undeclared members violate `undeclared_field` and are not named. */
export function checkObject<S extends ObjectSchema>(
  shape: S,
  value: JsonObject,
  violations: Violations,
): InferObject<S> {
  const checked: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined) checked[name] = schema.check(member, name, violations);
    else if (!schema.optional) violations.add("field.required", name);
  }
  if (Object.keys(value).some((name) => !Object.hasOwn(shape, name))) {
    violations.add("undeclared_field");
  }
  return checked as InferObject<S>;
}

/** @throws ServiceError `PAYLOAD_INVALID` naming every invalid declared field. */
export function readBody<S extends ObjectSchema>(shape: S, body: JsonValue): InferObject<S> {
  if (!isJsonObject(body)) throw payloadInvalid(["body.object"]);
  const violations = new Violations();
  const checked = checkObject(shape, body, violations);
  violations.throwIfAny();
  return checked;
}

/**
 * Validates query parameters. Each may occur at most once, and undeclared ones are rejected.
 *
 * @throws ServiceError `PAYLOAD_INVALID` naming every invalid parameter as it was sent.
 */
export function readQuery<S extends ObjectSchema>(
  shape: S,
  query: URLSearchParams,
): InferObject<S> {
  const violations = new Violations();
  const checked = checkParameters(shape, queryParameters(query, violations), violations);
  violations.throwIfAny();
  return checked;
}

export function checkParameters<S extends ObjectSchema>(
  shape: S,
  parameters: ReadonlyMap<string, string>,
  violations: Violations,
): InferObject<S> {
  const values: JsonObject = Object.create(null);
  for (const [name, text] of parameters) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) violations.add("undeclared_field", parameterName(name));
    else values[name] = schema.fromQuery?.(text) ?? text;
  }
  return checkObject(shape, values, violations);
}

/** Words as names have them, such as `filter[dueAt][from]`: no digits, blanks or accents. */
const PARAMETER_NAME = /^[A-Za-z][A-Za-z_-]{0,31}(?:\[[A-Za-z_-]{1,64}\]){0,2}$/;

/** A sent name that has the form of one. Any other is client text, and is not repeated. */
function parameterName(sent: string): string | undefined {
  return PARAMETER_NAME.test(sent) ? sent : undefined;
}

/** @throws ServiceError `PAYLOAD_INVALID` if a route without a body got one. */
export function readEmptyBody(body: JsonValue): void {
  readBody({}, body);
}

/** @throws ServiceError `PAYLOAD_INVALID` if a route without query parameters got some. */
export function refuseQuery(query: URLSearchParams): void {
  if (query.size > 0) readQuery({}, query);
}

/** Repeated names and NUL characters are violations. */
export function queryParameters(
  query: URLSearchParams,
  violations: Violations,
): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of query) {
    if (parameters.has(name)) violations.add("query.repeated", parameterName(name));
    if (name.includes("\0") || value.includes("\0")) {
      violations.add("json.text", parameterName(name));
    }
    parameters.set(name, value);
  }
  return parameters;
}
