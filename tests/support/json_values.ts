/** Random JSON values, their spellings, and texts that are almost JSON. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.ts";
import type { Random } from "./random.ts";

/** Keys that are allowed, though they look dangerous or are awkward to write. */
const AWKWARD_KEYS = [
  "",
  "0",
  "4294967295",
  "toString",
  "hasOwnProperty",
  "__proto",
  "Constructor",
  'quote"d',
  "back\\slash",
  "line\nfeed",
  "\ufeff",
  "漢字",
  "🙂",
];

const AWKWARD_NUMBERS = [0, 1, -1, 0.1, 1e21, 1e-7, 5e-324, 2 ** 53 - 1, -1.5e300, 123456789.125];

const AWKWARD_TEXTS = ["\u007f\u2028\u2029", '\b\f\n\r\t"\\/', "\u0001", "\u{10ffff}", "\\ud800"];

const WHITE_SPACE = ["", "", "", " ", "\n", "\t", "\r\n", "  "];

/** Texts that mutations insert: JSON syntax and lone escapes. */
const FRAGMENTS = [
  ..."{}[]:,\"\\ \n\t\u000b0123456789+-.eEtfnu/x'",
  "1e999",
  "-0",
  "01",
  "true",
  "null",
  "NaN",
  '""',
  '"a":1',
  "\\u0041",
  "\\u",
  "\\ud83d",
  "\ufeff",
];

/** Returns a random value, never negative zero. */
export function randomJson(random: Random, depth = 5): JsonValue {
  const kind = depth > 0 ? random.integer(0, 8) : random.integer(0, 5);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return randomNumber(random);
  if (kind <= 5) return randomText(random);
  if (kind === 6) {
    return Array.from({ length: random.integer(0, 5) }, () => randomJson(random, depth - 1));
  }
  return randomJsonObject(random, depth);
}

/** `depth` counts the object. */
function randomJsonObject(random: Random, depth: number): JsonObject {
  const object: JsonObject = {};
  for (let members = random.integer(0, 6); members > 0; members--) {
    const key = random.chance(0.3) ? random.pick(AWKWARD_KEYS) : random.text(1, 10);
    object[key] = randomJson(random, depth - 1);
  }
  return object;
}

/** Reorders members at every level. */
export function reordered(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value)) return value.map((item) => reordered(item, random));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value)
    .map(([key, member]) => ({ key, member, rank: random.next() }))
    .sort((left, right) => left.rank - right.rank);
  return Object.fromEntries(members.map(({ key, member }) => [key, reordered(member, random)]));
}

/** Varies white space, escapes and numbers. */
export function writtenFreely(value: JsonValue, random: Random): string {
  const space = () => random.pick(WHITE_SPACE);
  const spaced = (text: string) => space() + text + space();
  if (typeof value === "string") return spaced(freeString(value, random));
  if (typeof value === "number") return spaced(freeNumber(value, random));
  if (Array.isArray(value)) {
    const items = value.map((item) => writtenFreely(item, random));
    return spaced(`[${items.join(",") || space()}]`);
  }
  if (!isJsonObject(value)) return spaced(String(value));
  const members = Object.entries(value).map(([key, member]) =>
    `${spaced(freeString(key, random))}:${writtenFreely(member, random)}`
  );
  return spaced(`{${members.join(",") || space()}}`);
}

/** Damages a text in one to three places; it may stay valid. */
export function damaged(text: string, random: Random): string {
  let result = text;
  for (let damages = random.integer(1, 3); damages > 0; damages--) {
    const start = random.integer(0, result.length);
    const end = Math.min(result.length, start + random.pick([0, 1, 1, 5]));
    const inserted = random.chance(0.2)
      ? result.slice(random.integer(0, end), end)
      : random.chance(0.7)
      ? random.pick(FRAGMENTS)
      : "";
    result = result.slice(0, start) + inserted + result.slice(end);
  }
  return result;
}

function randomNumber(random: Random): number {
  if (random.chance(0.3)) return random.pick(AWKWARD_NUMBERS);
  if (random.chance(0.5)) return random.integer(-1000, 1000);
  return (random.next() - 0.5) * 10 ** random.integer(-20, 15);
}

function randomText(random: Random): string {
  return random.chance(0.3) ? random.pick(AWKWARD_TEXTS) : random.text(0, 20);
}

function freeString(text: string, random: Random): string {
  const units = text.split("").map((unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${random.chance(0.5) ? code : code.toUpperCase()}`;
  });
  // A surrogate pair can only be split if both halves are escaped.
  if (random.chance(0.2)) return `"${units.join("")}"`;
  return JSON.stringify(text).replaceAll("/", () => random.pick(["/", "\\/"]));
}

function freeNumber(value: number, random: Random): string {
  return random.pick([
    String(value),
    value.toExponential(),
    `${value.toExponential()}`.toUpperCase(),
  ]);
}
