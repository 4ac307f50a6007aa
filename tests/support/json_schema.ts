/** Validates JSON Schema 2020-12, only with the service's keywords. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.ts";
import { countCodePoints } from "../../src/validate/text.ts";

export type Resolve = (reference: string) => JsonObject;

/**
 * Returns a line for each violation: position and keyword.
 *
 * @throws {Error} for an unknown keyword.
 */
export function violationsOf(
  schema: JsonObject,
  value: JsonValue,
  resolve: Resolve = refuseReference,
  path = "",
): string[] {
  if (typeof schema.$ref === "string") {
    return violationsOf(resolve(schema.$ref), value, resolve, path);
  }
  return Object.entries(schema).flatMap(([keyword, operand]) => {
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`The keyword "${keyword}" is not known`);
    if (check === null) return [];
    return check(value, operand, { schema, resolve, path })
      .map((violation) => violation === BROKEN ? `${path || "/"}: ${keyword}` : violation);
  });
}

interface Context {
  readonly schema: JsonObject;
  readonly resolve: Resolve;
  readonly path: string;
}

/** The position of a violated keyword itself. */
const BROKEN = "";
type Check = (value: JsonValue, operand: JsonValue, context: Context) => string[];

function refuseReference(reference: string): JsonObject {
  throw new Error(`Nothing resolves "${reference}"`);
}

function holds(isKept: boolean): string[] {
  return isKept ? [] : [BROKEN];
}

/** Makes a check of texts; other values pass. */
function ofText(keeps: (text: string, operand: JsonValue) => boolean): Check {
  return (value, operand) => holds(typeof value !== "string" || keeps(value, operand));
}

function ofNumber(keeps: (number: number, operand: number) => boolean): Check {
  return (value, operand) => holds(typeof value !== "number" || keeps(value, Number(operand)));
}

function ofList(keeps: (list: readonly JsonValue[], operand: JsonValue) => boolean): Check {
  return (value, operand) => holds(!Array.isArray(value) || keeps(value, operand));
}

const KEYWORDS: Readonly<Record<string, Check | null>> = {
  title: null,
  description: null,
  "x-sensitivity": null,
  type: (value, operand) => holds([operand].flat().some((type) => isOfType(value, String(type)))),
  const: (value, operand) => holds(isSame(value, operand)),
  enum: (value, operand) => holds([operand].flat().some((each) => isSame(value, each))),
  minimum: ofNumber((number, bound) => number >= bound),
  maximum: ofNumber((number, bound) => number <= bound),
  minLength: ofText((text, bound) => countCodePoints(text) >= Number(bound)),
  maxLength: ofText((text, bound) => countCodePoints(text) <= Number(bound)),
  pattern: ofText((text, pattern) => new RegExp(String(pattern), "u").test(text)),
  format: ofText((text, format) => format !== "date-time" || isCalendarTime(text)),
  minItems: ofList((list, bound) => list.length >= Number(bound)),
  maxItems: ofList((list, bound) => list.length <= Number(bound)),
  uniqueItems: ofList((list) =>
    new Set(list.map((item) => JSON.stringify(item))).size === list.length
  ),
  items: (value, operand, { resolve, path }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) =>
        violationsOf(asSchema(operand), item, resolve, `${path}/${index}`)
      )
      : [],
  properties: checkProperties,
  required: (value, operand) =>
    holds(
      !isJsonObject(value) || [operand].flat().every((name) => Object.hasOwn(value, String(name))),
    ),
  additionalProperties: checkAdditional,
  anyOf: (value, operand, { resolve, path }) =>
    holds(
      [operand].flat().some((each) =>
        violationsOf(asSchema(each), value, resolve, path).length === 0
      ),
    ),
};

function checkProperties(value: JsonValue, operand: JsonValue, { resolve, path }: Context) {
  if (!isJsonObject(value)) return [];
  return Object.entries(asSchema(operand)).flatMap(([name, schema]) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) return [];
    return violationsOf(asSchema(schema), member, resolve, `${path}/${name}`);
  });
}

function checkAdditional(
  value: JsonValue,
  operand: JsonValue,
  { schema, resolve, path }: Context,
): string[] {
  if (operand === true || !isJsonObject(value)) return [];
  const declared = isJsonObject(schema.properties) ? schema.properties : {};
  const others = Object.entries(value).filter(([name]) => !Object.hasOwn(declared, name));
  if (operand === false) return holds(others.length === 0);
  return others.flatMap(([name, member]) =>
    violationsOf(asSchema(operand), member, resolve, `${path}/${name}`)
  );
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    default:
      throw new Error(`The type "${type}" is not known`);
  }
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function asSchema(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error("A schema must be an object");
}

/** Checks the calendar day, the time and the offset of RFC 3339. */
function isCalendarTime(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/i.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const offset = /[+-](\d\d):(\d\d)$/.exec(text);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day &&
    hour < 24 && minute < 60 && second < 60 &&
    (offset === null || (Number(offset[1]) < 24 && Number(offset[2]) < 60));
}
