import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.ts";
import type { Json } from "./world.ts";

/** A body with the kind of change. */
export interface Mutation {
  readonly label: string;
  readonly body: JsonObject;
}

/**
 * Changes a valid object so that each result violates one keyword: a missing member, an extra one,
 * and each member, also of inner objects, of the wrong type or beyond its limits. Without the
 * keyword in the schema a mutation is valid: validate it.
 */
export function mutationsOf(
  schema: Json,
  valid: JsonObject,
  follow: (value: Json) => Json,
): Mutation[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const omissions = required.map((name: string) => {
    const { [name]: _, ...body } = valid;
    return { label: `without ${name}`, body };
  });
  const additions = additionalProperties === false
    ? [{ label: "with an undeclared member", body: { ...valid, undeclared: true } }]
    : [];
  const changes = Object.entries<Json>(properties).flatMap(([name, member]) =>
    brokenValues(follow(member), valid[name] ?? {}, follow).map(({ label, value }) => ({
      label: `${name} ${label}`,
      body: { ...valid, [name]: value },
    }))
  );
  return [...omissions, ...additions, ...changes];
}

interface BrokenValue {
  readonly label: string;
  readonly value: JsonValue;
}

/** Returns values that are invalid for one reason each. */
function brokenValues(
  schema: Json,
  valid: JsonValue,
  follow: (value: Json) => Json,
): BrokenValue[] {
  const { type, maxLength, minLength, minimum, maximum, maxItems, minItems, pattern } = schema;
  const broken = (label: string, applies: boolean, value: () => JsonValue) =>
    applies ? [{ label, value: value() }] : [];
  const inside = type === "object" && schema.properties !== undefined && isJsonObject(valid)
    ? mutationsOf(schema, valid, follow).map(({ label, body }) => ({ label, value: body }))
    : [];
  return [
    ...broken("of null", true, () => null),
    ...broken("of another type", true, () => (type === "boolean" ? 1 : true)),
    ...broken("of another word", schema.enum !== undefined, () => "ANOTHER"),
    ...broken("of another value", schema.const !== undefined, () => "another"),
    ...broken("too long", maxLength !== undefined, () => "x".repeat(maxLength + 1)),
    ...broken("too short", minLength !== undefined, () => "x".repeat(minLength - 1)),
    ...broken("of white space", pattern !== undefined, () => " "),
    ...broken("with a control character", pattern !== undefined, () => "x\u0001"),
    ...broken("too small", minimum !== undefined, () => minimum - 1),
    ...broken("too large", maximum !== undefined, () => maximum + 1),
    ...broken("with a fraction", type === "integer", () => 1.5),
    ...broken("with too few items", minItems > 0, () => []),
    ...broken("repeating an item", schema.uniqueItems === true, () => ["x", "x"]),
    ...broken(
      "with too many items",
      maxItems !== undefined,
      () => Array.from({ length: maxItems + 1 }, (_, index) => `${index}`),
    ),
    ...inside,
  ];
}
