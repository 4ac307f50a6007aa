/** Converts lines of a vCard to details. */

import type { JsonObject } from "../../core/json.ts";
import {
  type DetailKind,
  parseDetailDate,
  valueViolations,
} from "../../families/relationship/import_port.ts";
import { hasControlCharacter, isBlank, isLongerThan } from "../../validate/text.ts";
import type { SourceLink } from "./converter.ts";
import {
  CardError,
  type ContentLine,
  isPicture,
  splitEscaped,
  unescapeText,
} from "./vcard_lines.ts";

/** A request body without privacy. */
export interface SourceDetail {
  readonly kind: DetailKind;
  readonly value: JsonObject;
  readonly label?: string;
  readonly preferred?: boolean;
}

interface LineDetails {
  readonly details: readonly SourceDetail[];
  readonly links?: readonly SourceLink[];
}

type Reader = (line: ContentLine, label: string | null) => LineDetails | null;

/** By property. */
const DATES: Readonly<Record<string, string>> = {
  "BDAY": "BIRTHDAY",
  "X-PRS-BDAY": "BIRTHDAY",
  "ANNIVERSARY": "ANNIVERSARY",
  "X-ANNIVERSARY": "ANNIVERSARY",
  "X-PRS-ANNIVERSARY": "ANNIVERSARY",
  "DEATHDATE": "DEATH",
  "X-DEATHDATE": "DEATH",
  "X-PRS-DEATHDATE": "DEATH",
};

/** By label. Cards of this service have MET. */
const ABDATES: ReadonlyMap<string, string> = new Map([
  ["Anniversary", "ANNIVERSARY"],
  ["MET", "MET"],
]);

const ADDRESS = ["box", "extra", "street", "locality", "region", "postalCode", "country"];

const READERS: Readonly<Record<string, Reader>> = {
  TEL: (line) => withTypes("PHONE", line, { value: textOf(line).replace(/^tel:/i, "") }),
  EMAIL: (line) => withTypes("EMAIL", line, { value: textOf(line).replace(/^mailto:/i, "") }),
  URL: (line) => withTypes("URL", line, { value: textOf(line) }),
  IMPP: (line) => {
    const [, service = "", value = ""] = /^([^:]*):([^]+)$/.exec(textOf(line)) ?? [];
    const isWhole = isBlank(service) || isBlank(value);
    return withTypes("HANDLE", line, isWhole ? { value: textOf(line) } : { value, service });
  },
  ADR: (line) => {
    const value = structured(line, ADDRESS);
    return Object.keys(value).length === 0 ? { details: [] } : withTypes("ADDRESS", line, value);
  },
  ...Object.fromEntries(
    Object.entries(DATES).map((
      [name, what],
    ) => [name, (line: ContentLine) => readDated(what, line)]),
  ),
  "X-ABDATE": (line, label) => readDated(ABDATES.get(label ?? "") ?? "OTHER", line),
  RELATED: readRelated,
  "X-ABRELATEDNAMES": (line, label) =>
    label === null ? null : toDetails("LINK", line, { name: textOf(line), relation: label }),
};

/** Properties whose details have types. */
const TYPED: readonly string[] = ["TEL", "EMAIL", "URL", "IMPP", "ADR", "RELATED"];
const NAMES = ["N", "NICKNAME", "ORG", "TITLE"];

/** True for a property whose detail can have a label. */
export function isLabelled(name: string): boolean {
  return name in READERS || NAMES.includes(name) || isPicture(name);
}

/**
 * @param label The `X-ABLabel` of its group.
 * @returns Null if no kind accepts the line.
 * @throws CardError `vcard.date`.
 */
export function readDetail(line: ContentLine, label: string | null): LineDetails | null {
  const read = READERS[line.name]?.(line, label) ?? null;
  const isValid = read?.details.every(({ kind, value }) => valueViolations(kind, value).isEmpty);
  return isValid === true ? read : null;
}

/**
 * Names of parameters that no detail shows.
 *
 * @param isJoined True if the line became part of another line's detail, whose preference counts.
 */
export function unreadParameters({ name, parameters }: ContentLine, isJoined = false): string[] {
  const { words, types } = readTypes(parameters);
  const isDate = name === "X-ABDATE" || name in DATES;
  const isTyped = TYPED.includes(name);
  const canBePreferred = !isJoined &&
    (name in READERS || [...NAMES, "X-PHONETIC-NAME"].includes(name));
  const [calendar = "gregorian"] = parameters.get("CALSCALE") ?? [];
  const isRead: Readonly<Record<string, boolean>> = {
    ENCODING: true,
    CHARSET: true,
    VALUE: true,
    TYPE: isPicture(name) || canBePreferred && words.length === (isTyped ? types.length : 0),
    PREF: canBePreferred && parameters.get("PREF")?.[0] === "1",
    MEDIATYPE: isPicture(name),
    "X-APPLE-OMIT-YEAR": isDate,
    CALSCALE: isDate && calendar.toLowerCase() === "gregorian",
  };
  return [...parameters.keys()].filter((each) => isRead[each] !== true)
    .map((each) => `${name};${each}`);
}

/** The words of TYPE, the valid types of a detail among them, and the preference. */
function readTypes(parameters: ContentLine["parameters"]): {
  readonly words: readonly string[];
  readonly types: string[];
  readonly preferred: boolean;
} {
  const stated = (parameters.get("TYPE") ?? []).map((type) => type.toLowerCase())
    .filter((type) => type !== "");
  const words = [...new Set(stated.filter((type) => type !== "pref" && type !== "internet"))];
  const types = words.filter((word) => /^[a-z0-9-]{1,32}$/.test(word)).slice(0, 10);
  return {
    words,
    types,
    preferred: stated.includes("pref") || parameters.get("PREF")?.[0] === "1",
  };
}

export function isPreferred({ parameters }: ContentLine): boolean {
  return readTypes(parameters).preferred;
}

export function isLabel(label: string): boolean {
  return !isBlank(label) && !hasControlCharacter(label) && !isLongerThan(label, 64);
}

/** Non-empty members of a structured value; surplus parts belong to the last one. */
export function structured(line: ContentLine, names: readonly string[]): JsonObject {
  const members: JsonObject = {};
  let index = 0;
  for (const part of splitEscaped(line.value, ";", names.length)) {
    const isLast = index === names.length - 1;
    const text = isLast ? withoutSemicolons(unescapeText(part)) : unescapeText(part);
    if (text !== "") members[names[index] ?? ""] = text;
    index++;
  }
  return members;
}

/** Removes the separators of empty parts at the end. */
function withoutSemicolons(text: string): string {
  let end = text.length;
  while (text[end - 1] === ";") end--;
  return text.slice(0, end);
}

function textOf(line: ContentLine): string {
  return unescapeText(line.value);
}

function withTypes(kind: DetailKind, line: ContentLine, value: JsonObject): LineDetails {
  const { types } = readTypes(line.parameters);
  return toDetails(kind, line, types.length === 0 ? value : { ...value, types });
}

function toDetails(kind: DetailKind, line: ContentLine, value: JsonObject): LineDetails {
  return { details: [{ kind, value, ...(isPreferred(line) && { preferred: true }) }] };
}

/**
 * Parses a date in any form of vCard.
 *
 * @returns Null for a text, only a month or only a day.
 * @throws CardError `vcard.date` for a day that does not exist, and for years of two digits.
 */
function readDated(what: string, line: ContentLine): LineDetails | null {
  const stated = textOf(line).trim();
  const isText = line.parameters.get("VALUE")?.[0]?.toLowerCase() === "text";
  if (isText || /^(?:\d{4}-\d{2}|---\d{2}|--\d{2})(?:T.*)?$/i.test(stated) || /^T/i.test(stated)) {
    return null;
  }
  const [, year, month, day] = /^(\d{4}|-)-?(\d{2})-?(\d{2})(?:[T ].*)?$/i.exec(stated) ?? [];
  const [omitted = "1604"] = line.parameters.get("X-APPLE-OMIT-YEAR") ?? [];
  const date = year === undefined
    ? stated
    : year === "-" || year === omitted
    ? `--${month}-${day}`
    : `${year}-${month}-${day}`;
  if (parseDetailDate(date) === null) throw new CardError("vcard.date");
  return toDetails("DATE", line, { what, date });
}

/** A name becomes a detail; an address becomes a link to the card with that UID. */
function readRelated(line: ContentLine, label: string | null): LineDetails | null {
  const { types, preferred } = readTypes(line.parameters);
  const relation = types.length > 0 ? types.join(",") : label ?? "contact";
  const [kind = "uri"] = line.parameters.get("VALUE") ?? [];
  const name = textOf(line);
  if (kind.toLowerCase() === "text") return toDetails("LINK", line, { name, relation });
  if (!/^(?:urn:|[\w-]+$)/i.test(name)) return null;
  const keys = keysOf(name);
  const ownLabel = types.length > 0 && label !== null ? { label } : {};
  const detail = { ...ownLabel, ...(preferred && { preferred }) };
  return { details: [], links: [{ keys, relation, name, detail }] };
}

/** Possible UIDs of a card with this address. */
export function keysOf(uri: string): string[] {
  const [, bare] = /^urn:uuid:(.+)$/i.exec(uri) ?? [];
  return bare === undefined ? [uri, `urn:uuid:${uri}`] : [uri, bare];
}
