/** Converts lines of a vCard to details. */

import type { JsonObject } from "../../core/json.ts";
import {
  type DetailKind,
  parseDetailDate,
  valueViolations,
} from "../../families/relationship/detail_value.ts";
import { hasControlCharacter, isBlank, isLongerThan } from "../../validate/text.ts";
import type { SourceLink } from "./converter.ts";
import { CardError, type ContentLine, splitEscaped, unescapeText } from "./vcard_lines.ts";

/** A request body without privacy. */
export interface FoundDetail {
  readonly kind: DetailKind;
  readonly value: JsonObject;
  readonly label?: string;
  readonly preferred?: boolean;
}

export interface Found {
  readonly details: readonly FoundDetail[];
  readonly links?: readonly SourceLink[];
  /** Parameters read, in addition to the common ones. */
  readonly read?: readonly string[];
}

type Reader = (line: ContentLine, label: string | null) => Found | null;

/** Read in every line, or describe its encoding. */
const COMMON = ["ENCODING", "CHARSET", "VALUE"];

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

/** By label; MET as our own cards have it. */
const ABDATES: ReadonlyMap<string, string> = new Map([
  ["Anniversary", "ANNIVERSARY"],
  ["MET", "MET"],
]);

const ADDRESS = ["box", "extra", "street", "locality", "region", "postalCode", "country"];

const READERS: Readonly<Record<string, Reader>> = {
  TEL: (line) => reached("PHONE", line, text(line).replace(/^tel:/i, "")),
  EMAIL: (line) => reached("EMAIL", line, text(line).replace(/^mailto:/i, "")),
  URL: (line) => reached("URL", line, text(line)),
  IMPP: (line) => {
    const [, service, value] = /^([^:]*[^:\s][^:]*):([^]+)$/.exec(text(line)) ?? [];
    return service === undefined || value === undefined || isBlank(value)
      ? reached("HANDLE", line, text(line))
      : reached("HANDLE", line, value, { service });
  },
  ADR: (line) => {
    const { details, ...rest } = withTypes("ADDRESS", line, structured(line, ADDRESS));
    return {
      ...rest,
      details: details.filter(({ value }) => ADDRESS.some((name) => name in value)),
    };
  },
  ...Object.fromEntries(
    Object.entries(DATES).map(([name, what]) => [name, (line: ContentLine) => dated(what, line)]),
  ),
  "X-ABDATE": (line, label) => dated(ABDATES.get(label ?? "") ?? "OTHER", line),
  RELATED: related,
  "X-ABRELATEDNAMES": (line, label) =>
    label === null ? null : {
      ...withTypes("LINK", line, { name: text(line), relation: label }, false),
    },
};

/**
 * @param label The `X-ABLabel` of its group.
 * @returns Null if no kind accepts the line.
 * @throws CardError `vcard.date`.
 */
export function readDetail(line: ContentLine, label: string | null): Found | null {
  const found = READERS[line.name]?.(line, label) ?? null;
  const isValid = found?.details.every(({ kind, value }) => valueViolations(kind, value).isEmpty);
  return isValid === true ? found : null;
}

/** Names of parameters that no rule read. */
export function unreadParameters(line: ContentLine, read: readonly string[] = []): string[] {
  return Array.from(line.parameters.keys())
    .filter((name) => !COMMON.includes(name) && !read.includes(name))
    .map((name) => `${line.name};${name}`);
}

/** Returns types and preference, and which parameters were read completely. */
export function readTypes(line: ContentLine): {
  readonly types: string[];
  readonly preferred: boolean;
  readonly read: string[];
} {
  const stated = (line.parameters.get("TYPE") ?? []).map((type) => type.toLowerCase())
    .filter((type) => type !== "");
  const [pref] = line.parameters.get("PREF") ?? [];
  const words = [...new Set(stated.filter((type) => type !== "pref" && type !== "internet"))];
  const types = words.filter((word) => /^[a-z0-9-]{1,32}$/.test(word)).slice(0, 10);
  return {
    types,
    preferred: stated.includes("pref") || pref === "1",
    read: [
      ...(types.length === words.length ? ["TYPE"] : []),
      ...(pref === undefined || pref === "1" ? ["PREF"] : []),
    ],
  };
}

/** For kinds without types; other types are not read. */
export function readPreference(
  line: ContentLine,
): { readonly preferred: boolean; readonly read: string[] } {
  const { types, preferred, read } = readTypes(line);
  return { preferred, read: types.length === 0 ? read : read.filter((name) => name !== "TYPE") };
}

export function isLabel(label: string): boolean {
  return !isBlank(label) && !hasControlCharacter(label) && !isLongerThan(label, 64);
}

/** Non-empty members of a structured value; surplus parts belong to the last one. */
export function structured(line: ContentLine, names: readonly string[]): JsonObject {
  const parts = splitEscaped(line.value, ";").map(unescapeText);
  const last = names.length - 1;
  const given = [...parts.slice(0, last), parts.slice(last).join(";").replace(/;+$/, "")];
  return Object.fromEntries(
    names.map((name, index) => [name, given[index] ?? ""]).filter(([, part]) => part !== ""),
  );
}

function text(line: ContentLine): string {
  return unescapeText(line.value);
}

function reached(
  kind: DetailKind,
  line: ContentLine,
  value: string,
  more: JsonObject = {},
): Found {
  return withTypes(kind, line, { value, ...more });
}

function withTypes(
  kind: DetailKind,
  line: ContentLine,
  value: JsonObject,
  hasTypes = true,
): Found {
  const { types, preferred, read } = hasTypes
    ? readTypes(line)
    : { types: [], ...readPreference(line) };
  const whole = types.length === 0 ? value : { ...value, types };
  return { details: [{ kind, value: whole, ...(preferred && { preferred }) }], read };
}

/**
 * Parses a date in any form of vCard.
 *
 * @returns Null for a text, only a month or only a day.
 * @throws CardError `vcard.date` for a day that does not exist, and for years of two digits.
 */
function dated(what: string, line: ContentLine): Found | null {
  const stated = text(line).trim();
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
  const { details, read = [] } = withTypes("DATE", line, { what, date }, false);
  return { details, read: [...read, "X-APPLE-OMIT-YEAR", "CALSCALE"].filter(isRead(line)) };
}

/** Only the Gregorian calendar is accepted. */
function isRead(line: ContentLine): (name: string) => boolean {
  const [calendar = "gregorian"] = line.parameters.get("CALSCALE") ?? [];
  return (name) => name !== "CALSCALE" || calendar.toLowerCase() === "gregorian";
}

/** A name becomes a detail; an address becomes a link to the card with that UID. */
function related(line: ContentLine, label: string | null): Found | null {
  const { types, preferred, read } = readTypes(line);
  const relation = types.length > 0 ? types.join(",") : label ?? "contact";
  const [kind = "uri"] = line.parameters.get("VALUE") ?? [];
  const name = text(line);
  if (kind.toLowerCase() === "text") {
    return {
      details: [{ kind: "LINK", value: { name, relation }, ...(preferred && { preferred }) }],
      read,
    };
  }
  if (!/^(?:urn:|[\w-]+$)/i.test(name)) return null;
  const keys = keysOf(name);
  const ownLabel = types.length > 0 && label !== null ? { label } : {};
  const detail = { ...ownLabel, ...(preferred && { preferred }) };
  return { details: [], links: [{ keys, relation, name, detail }], read };
}

/** Possible UIDs of a card with this address. */
export function keysOf(uri: string): string[] {
  const [, bare] = /^urn:uuid:(.+)$/i.exec(uri) ?? [];
  return bare === undefined ? [uri, `urn:uuid:${uri}`] : [uri, bare];
}
