/**
 * The values of each edit type (specification, Module fields). Only times and repeated
 * list entries are normalised.
 */

import type { Field } from "./module.ts";
import { isUlid } from "../core/ids.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { distinctTexts, hasControlCharacter, isBlank, isLongerThan } from "../validate/text.ts";
import { normaliseLocalTime, readStatedTime } from "../validate/local_time.ts";

export const FIELD_LIMITS = {
  textLength: 500,
  textareaLength: 100_000,
  tags: 50,
  tagLength: 64,
  files: 20,
} as const;

/**
 * Writes a valid time as its clock shows it, and drops repeated entries of a `distinct` list.
 * Returns everything else unchanged, valid or not.
 */
export function normaliseField(field: Field, value: JsonValue): JsonValue {
  if (field.edit === "datetime" && typeof value === "string") {
    return normaliseLocalTime(value);
  }
  if (field.distinct === true && isStringList(value)) {
    if (field.edit === "file") return [...new Set(value)];
    return value.some((tag) => isLongerThan(tag, FIELD_LIMITS.tagLength))
      ? value
      : distinctTexts(value);
  }
  return value;
}

/** @returns The name of the violated rule, such as `field.length`, or null. */
export function checkField(field: Field, value: JsonValue): string | null {
  if (value === null) return "field.null";
  switch (field.edit) {
    case "text":
      return checkLine(field, value);
    case "textarea":
      return checkTextarea(field, value);
    case "select":
      return checkSelect(field, value);
    case "number":
      return checkNumber(field, value);
    case "datetime":
      return checkTime(value);
    case "boolean":
      return typeof value === "boolean" ? null : "field.type";
    case "tags":
      return checkTags(value);
    case "file":
      return checkFiles(value);
    case "json":
      return checkJson(value);
  }
}

function checkTime(value: JsonValue): string | null {
  if (typeof value !== "string") return "field.type";
  const stated = readStatedTime(value);
  return typeof stated === "string" ? stated : null;
}

function checkLine(field: Field, value: JsonValue): string | null {
  if (typeof value !== "string") return "field.type";
  if (!value.isWellFormed()) return "field.unicode";
  if (hasControlCharacter(value)) return "field.control_character";
  return checkLength(field, value, FIELD_LIMITS.textLength);
}

function checkTextarea(field: Field, value: JsonValue): string | null {
  if (typeof value !== "string") return "field.type";
  return checkCharacters(value) ?? checkLength(field, value, FIELD_LIMITS.textareaLength);
}

function checkLength(field: Field, text: string, limit: number): string | null {
  if (field.required && isBlank(text)) return "field.blank";
  return isLongerThan(text, field.maximumLength ?? limit) ? "field.length" : null;
}

/** Rejects lone surrogates and U+0000, which PostgreSQL cannot store. */
function checkCharacters(text: string): string | null {
  if (!text.isWellFormed()) return "field.unicode";
  return text.includes("\u0000") ? "field.control_character" : null;
}

function checkSelect(field: Field, value: JsonValue): string | null {
  if (typeof value !== "string") return "field.type";
  return field.options?.includes(value) === true ? null : "field.option";
}

function checkNumber(field: Field, value: JsonValue): string | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return "field.type";
  if (field.integer === true && !Number.isInteger(value)) return "field.integer";
  const minimum = field.minimum ?? -Infinity;
  const maximum = field.maximum ?? Infinity;
  return value < minimum || value > maximum ? "field.range" : null;
}

function checkTags(value: JsonValue): string | null {
  if (!isStringList(value)) return "field.type";
  if (value.length > FIELD_LIMITS.tags) return "field.tags_count";
  return firstViolation(value, checkTag);
}

function checkTag(tag: string): string | null {
  if (!tag.isWellFormed()) return "field.unicode";
  if (hasControlCharacter(tag)) return "field.control_character";
  if (isBlank(tag)) return "field.blank";
  return isLongerThan(tag, FIELD_LIMITS.tagLength) ? "field.tag_length" : null;
}

function checkFiles(value: JsonValue): string | null {
  if (!isStringList(value)) return "field.type";
  if (value.length > FIELD_LIMITS.files) return "field.files_count";
  return value.every(isUlid) ? null : "field.identifier";
}

function checkJson(value: JsonValue): string | null {
  return typeof value === "object" ? checkNestedCharacters(value) : "field.type";
}

/** Public JSON has at most 32 levels. */
function checkNestedCharacters(value: JsonValue): string | null {
  if (typeof value === "string") return checkCharacters(value);
  if (Array.isArray(value)) return firstViolation(value, checkNestedCharacters);
  if (!isJsonObject(value)) return null;
  return firstViolation(Object.keys(value), checkCharacters) ??
    firstViolation(Object.values(value), checkNestedCharacters);
}

function firstViolation<T>(values: readonly T[], check: (value: T) => string | null) {
  for (const value of values) {
    const violation = check(value);
    if (violation !== null) return violation;
  }
  return null;
}

function isStringList(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
