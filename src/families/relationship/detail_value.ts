/** Values of details by kind. No SQL, no HTTP. */

import { isUlid } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { type ServiceError, tooMany } from "../../errors/service_error.ts";
import { utf8Length } from "../../validate/canonical.ts";
import { type JsonSchema, listOf } from "../../validate/json_schema.ts";
import {
  boolean,
  checkObject,
  describeObject,
  identifier,
  type ObjectSchema,
  oneOf,
  optional,
  type Schema,
  string,
  stringMatching,
  Violations,
} from "../../validate/schema.ts";
import { hasControlCharacter } from "../../validate/text.ts";

export const DETAIL_KINDS = [
  "NAME",
  "PHONE",
  "EMAIL",
  "URL",
  "HANDLE",
  "ADDRESS",
  "ORGANIZATION",
  "DATE",
  "LINK",
  "OTHER",
] as const;
export type DetailKind = (typeof DETAIL_KINDS)[number];

export const DATE_WORDS = ["BIRTHDAY", "ANNIVERSARY", "DEATH", "MET", "OTHER"] as const;
export type DateWord = (typeof DATE_WORDS)[number];

/** In code points. */
export const MAX_MEMBER_LENGTH = 2_000;
/** Maximum of an `OTHER`'s value. */
export const MAX_OTHER_BYTES = 16 * 1024;
/** In code points. */
export const MAX_LABEL = 64;
export const MAX_TYPES = 10;

const text = string({ maximum: MAX_MEMBER_LENGTH });

/** Accepts line feeds, but no other control characters. */
const lines: Schema<string> = {
  check(value, field, violations) {
    const checked = string({ maximum: MAX_MEMBER_LENGTH, multiline: true })
      .check(value, field, violations);
    if (checked !== undefined && hasControlCharacter(checked.replaceAll("\n", ""))) {
      violations.add("field.control_character", field);
    }
    return checked;
  },
  json: {
    type: "string",
    maxLength: MAX_MEMBER_LENGTH,
    pattern: "^(?=[^]*\\S)[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$",
  },
};

export const TYPE = /^[a-z0-9-]{1,32}$/;

/** One to ten distinct words. */
const types: Schema<readonly string[]> = {
  check(value, field, violations) {
    if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) {
      return violations.add("field.type", field);
    }
    if (value.length === 0 || value.length > MAX_TYPES) violations.add("field.length", field);
    if (!value.every((word) => TYPE.test(word))) violations.add("field.option", field);
    if (new Set(value).size !== value.length) violations.add("field.repeated", field);
    return value;
  },
  json: {
    ...listOf({ type: "string", pattern: TYPE.source }),
    minItems: 1,
    maxItems: MAX_TYPES,
    uniqueItems: true,
  },
};

/** A day with or without a year, or only a year. */
const date = stringMatching("detail.date", isDetailDate, {
  type: "string",
  pattern: "^(?:(?:\\d{4}-|--)(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])|\\d{4})$",
});

const other: Schema<string> = {
  check(value, field, violations) {
    const checked = string({ maximum: MAX_OTHER_BYTES }).check(value, field, violations);
    if (checked !== undefined && utf8Length(checked) > MAX_OTHER_BYTES) {
      violations.add("field.length", field);
    }
    return checked;
  },
  json: string({ maximum: MAX_OTHER_BYTES }).json,
};

const NAME = {
  prefix: optional(text),
  given: optional(text),
  additional: optional(text),
  family: optional(text),
  suffix: optional(text),
  nickname: optional(text),
  phonetic: optional(text),
};
const REACHED = { value: text, service: optional(text), types: optional(types) };

const SHAPES: Readonly<Record<DetailKind, ObjectSchema>> = {
  NAME,
  PHONE: REACHED,
  EMAIL: REACHED,
  URL: REACHED,
  HANDLE: REACHED,
  ADDRESS: {
    box: optional(text),
    extra: optional(lines),
    street: optional(lines),
    locality: optional(text),
    region: optional(text),
    postalCode: optional(text),
    country: optional(text),
    types: optional(types),
  },
  ORGANIZATION: { name: optional(text), department: optional(text), title: optional(text) },
  DATE: { what: oneOf(...DATE_WORDS), date, yearly: optional(boolean) },
  LINK: { personId: optional(identifier), name: optional(text), relation: text },
  OTHER: {
    property: stringMatching("detail.property", (name) => PROPERTY.test(name), {
      type: "string",
      pattern: "^[A-Za-z0-9-]{1,64}$",
    }),
    value: other,
  },
};
const PROPERTY = /^[A-Za-z0-9-]{1,64}$/;

/** One of these members is required. */
const ONE_OF: Readonly<Partial<Record<DetailKind, readonly string[]>>> = {
  NAME: Object.keys(SHAPES.NAME),
  ADDRESS: Object.keys(SHAPES.ADDRESS).filter((name) => name !== "types"),
  ORGANIZATION: Object.keys(SHAPES.ORGANIZATION),
  LINK: ["personId", "name"],
};

export const VALUE_JSON: JsonSchema = {
  anyOf: [
    SHAPES.NAME,
    SHAPES.PHONE,
    SHAPES.ADDRESS,
    SHAPES.ORGANIZATION,
    SHAPES.DATE,
    SHAPES.LINK,
    SHAPES.OTHER,
  ].map(describeObject),
};

export function valueViolations(kind: DetailKind, value: JsonObject): Violations {
  const violations = new Violations();
  checkObject(SHAPES[kind], value, violations);
  const required = ONE_OF[kind];
  if (required !== undefined && !required.some((name) => Object.hasOwn(value, name))) {
    violations.add("detail.empty", "value");
  }
  if (kind === "DATE" && YEAR_ALONE.test(String(value.date)) && Object.hasOwn(value, "yearly")) {
    violations.add("detail.yearly", "yearly");
  }
  return violations;
}

/** @throws ServiceError `PAYLOAD_INVALID` unless the value is valid for its kind. */
export function checkValue(kind: DetailKind, value: JsonObject): void {
  valueViolations(kind, value).throwIfAny();
}

/** Parses the three forms of a date; null for any other text. */
export function parseDetailDate(
  date: string,
): { readonly year: number | null; readonly day: string | null } | null {
  const [, year = "", day = null] = /^(\d{4}|-)(?:-(\d\d-\d\d))?$/.exec(date) ?? [];
  if (year === "" || (year === "-" && day === null)) return null;
  const number = year === "-" ? null : Number(year);
  if (number === 0 || (day !== null && !isDay(number ?? LEAP_YEAR, day))) return null;
  return { year: number, day };
}

const LEAP_YEAR = 2000;
const YEAR_ALONE = /^\d{4}$/;

function isDetailDate(date: string): boolean {
  return parseDetailDate(date) !== null;
}

/** @param day `MM-DD` */
function isDay(year: number, day: string): boolean {
  const text = `${String(year).padStart(4, "0")}-${day}`;
  const moment = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** Live details of a person. */
export const MAX_LIVE_DETAILS = 200;

export function tooManyDetails(): ServiceError {
  return tooMany("detail.count", MAX_LIVE_DETAILS);
}

/** Properties of pictures, whose files come before all others. */
const PICTURES = ["PHOTO", "LOGO"];

/**
 * The files of `OTHER` details whose whole value is one link: those of `PHOTO`, of `LOGO`, and all
 * others, each in the given order.
 */
export function linkedFiles(values: readonly JsonObject[]): readonly string[] {
  const placeOf = ({ property }: JsonObject) => {
    const place = PICTURES.indexOf(String(property).toUpperCase());
    return place < 0 ? PICTURES.length : place;
  };
  return values.toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ value }) => String(value))
    .filter((value) => value.startsWith(LINK))
    .map((value) => value.slice(LINK.length))
    .filter(isUlid);
}

const LINK = "attachment:";
