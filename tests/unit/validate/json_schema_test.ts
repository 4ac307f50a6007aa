/**
 * A schema's JSON Schema and check accept the same values, except lone surrogates and nested
 * U+0000, which JSON bodies cannot have.
 */

import { assert, assertEquals } from "@std/assert";
import { SETUP_BODY, STEP_UP_BODY } from "../../../src/accounts/account_schema.ts";
import { TOKEN_BODY } from "../../../src/accounts/token.ts";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { describeField } from "../../../src/catalog/describe_field.ts";
import { checkField } from "../../../src/catalog/field_types.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import { FACTOR } from "../../../src/families/decision/simulation_schema.ts";
import { EXPORT_BODY } from "../../../src/families/memory/export_schema.ts";
import {
  ADOPT_BODY,
  DRAFT_CONTENT,
  TEXT_BODY,
  TIME_BODY,
} from "../../../src/families/memory/memory_schema.ts";
import { CREATE_BODY, MODIFY_BODY } from "../../../src/records/record_schema.ts";
import { LIST_QUERY } from "../../../src/records/list_query.ts";
import { SENT_LOCAL_TIME } from "../../../src/validate/local_time.ts";
import type { JsonSchema } from "../../../src/validate/json_schema.ts";
import {
  arrayOf,
  boolean,
  describeObject,
  distinctStrings,
  identifier,
  integer,
  jsonObject,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  string,
  timestamp,
  Violations,
} from "../../../src/validate/schema.ts";
import { violationsOf } from "../../support/json_schema.ts";
import { randomJson } from "../../support/json_values.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { refusalOf } from "../../support/refusals.ts";

const ROUNDS = 110;

const TEXTS = [
  "",
  " ",
  " a ",
  "a b@c",
  ..."a\n\u0085\u0000🙂\ufeff",
  ..."\u3000\u2028 a\nb a\u0085 a\u0000b a@b a@b@c 123456\n".split(" "),
  ..."OPEN SECRET 123456 000000 １２３４５６".split(" "),
];
const TIMES = [
  "2026-02-28T23:59:59.999Z",
  "2026-02-29T00:00:00Z",
  "2024-02-29t00:00:00z",
  "1999-12-31T23:59:60Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:00+23:59",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T00:00:00.1234567890Z",
  "2026-01-01T00:00:00.123456789-01:30",
  "2026-01-01T00:00:00",
  "2026-01-01",
  "0000-01-01T00:00:00Z",
  "20260101T000000Z",
];

/** Around a schema's limits, and others. */
function candidate(schema: JsonSchema, random: Random, isNested = false): JsonValue {
  if (!isNested && random.chance(0.15)) return randomJson(random, 2);
  if (schema.anyOf !== undefined) return candidate(random.pick(schema.anyOf), random, isNested);
  if (schema.enum !== undefined && random.chance(0.7)) return random.pick(schema.enum);
  if (schema.const !== undefined && random.chance(0.7)) return schema.const;
  const type = random.pick([schema.type ?? "null"].flat());
  switch (type) {
    case "string":
      return randomText(schema, random);
    case "integer":
    case "number": {
      const bound = random.pick([schema.minimum ?? -10, schema.maximum ?? 10]);
      return bound + random.pick([-1, 0, 0.5, 1]);
    }
    case "array":
      return randomList(schema, random);
    case "object":
      return schema.properties === undefined ? {} : randomObject(schema, random);
    default:
      return random.chance(0.5);
  }
}

function randomText({ maxLength = 20, minLength = 0 }: JsonSchema, random: Random): string {
  if (random.chance(0.3)) return random.pick(TEXTS);
  if (random.chance(0.3)) return random.pick(TIMES);
  if (random.chance(0.3)) return random.ulid();
  const length = Math.max(0, random.pick([minLength, maxLength]) + random.integer(-1, 1));
  return random.pick(["a", "🙂", " "]).repeat(length);
}

function randomList({ items = {}, maxItems = 5 }: JsonSchema, random: Random): JsonValue[] {
  const most = Math.min(maxItems, 60);
  const length = random.pick([0, 1, 2, most, most + 1]);
  const list = Array.from({ length }, () => candidate(items, random, true));
  return random.chance(0.8) ? [...new Set(list)] : list;
}

function randomObject({ properties = {}, required = [] }: JsonSchema, random: Random): JsonObject {
  const object: JsonObject = {};
  for (const [name, member] of Object.entries(properties)) {
    if (random.chance(required.includes(name) ? 0.95 : 0.3)) {
      object[name] = candidate(member, random, true);
    }
  }
  if (random.chance(0.1)) object.undeclared = true;
  return object;
}

/** For valid and invalid values, unless only one kind exists. */
function assertAgreement(
  label: string,
  schema: JsonSchema,
  accepts: (value: JsonValue) => boolean,
  seed: number,
): void {
  // Its pattern does not know how many days a month has.
  const isLocalTime = schema.pattern === SENT_LOCAL_TIME.pattern;
  const described = isLocalTime ? { ...schema, format: "date-time" } : schema;
  const random = seededRandom(seed);
  const verdicts = new Set<boolean>();
  for (let round = 0; round < ROUNDS; round++) {
    const value = candidate(schema, random);
    const accepted = accepts(value);
    verdicts.add(accepted);
    const told = violationsOf(described as JsonObject, value).length === 0;
    assertEquals(told, accepted, `${label} with seed ${seed}: ${JSON.stringify(value)}`);
  }
  assert(verdicts.has(true) && verdicts.has(false), `${label} met one kind of value only`);
}

function isAccepted(schema: Schema<unknown>, value: JsonValue): boolean {
  const violations = new Violations();
  schema.check(value, "value", violations);
  return refusalOf(() => violations.throwIfAny()) === null;
}

/** Members of all bodies and queries. */
const MEMBERS: Readonly<Record<string, Schema<unknown>>> = {
  ...SETUP_BODY,
  ...STEP_UP_BODY,
  ...TOKEN_BODY,
  ...CREATE_BODY,
  ...MODIFY_BODY,
  ...LIST_QUERY,
  ...TIME_BODY,
  ...TEXT_BODY,
  ...DRAFT_CONTENT,
  ...ADOPT_BODY,
  ...EXPORT_BODY,
};

const COMBINATORS: Readonly<Record<string, Schema<unknown>>> = {
  line: string({ maximum: 5 }),
  lines: string({ maximum: 5, multiline: true }),
  blank: string({ maximum: 5, blank: true }),
  "blank lines": string({ maximum: 5, blank: true, multiline: true }),
  integer: integer(1, 9),
  number: number(-0.5, 1e12),
  list: arrayOf(integer(1, 9), 1, 3),
  object: object({ line: string({ maximum: 5 }), word: optional(oneOf("a", "b")) }),
  factor: FACTOR,
  word: oneOf("a", "b"),
  words: distinctStrings(3, 2),
  identifier,
  timestamp,
  boolean,
  jsonObject,
};

Deno.test("A schema describes exactly what it accepts", () => {
  const schemas = Object.entries({ ...MEMBERS, ...COMBINATORS });
  for (const [index, [name, schema]] of schemas.entries()) {
    assertAgreement(name, schema.json, (value) => isAccepted(schema, value), index + 1);
  }
});

Deno.test("Every catalog field describes exactly what it accepts", () => {
  for (const [index, module] of CATALOG.modules.entries()) {
    for (const field of module.fields) {
      const accepts = (value: JsonValue) => checkField(field, value) === null;
      assertAgreement(`${module.code}.${field.name}`, describeField(field), accepts, index + 1);
    }
  }
});

Deno.test("describeObject() requires non-optional members and closes the object", () => {
  const schema = describeObject(CREATE_BODY) as JsonObject;
  const told = (value: JsonValue) => violationsOf(schema, value);
  assertEquals(told({ title: "A", payload: {} }), []);
  assertEquals(told({ payload: {} }), ["/: required"]);
  assertEquals(told({ title: "A", payload: {}, other: 1 }), ["/: additionalProperties"]);
  assertEquals(told({ title: " ", payload: [] }), ["/title: pattern", "/payload: type"]);
});
