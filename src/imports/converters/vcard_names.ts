/** Names in cards, and values of several parts. */

import type { JsonObject } from "../../core/json.ts";
import { ADDRESS_PARTS, NAME_PARTS } from "../../families/relationship/import_port.ts";
import {
  firstCodePoints,
  hasControlCharacter,
  isBlank,
  isLongerThan,
} from "../../validate/text.ts";
import { MAX_TITLE } from "../fit_members.ts";
import { type ContentLine, splitEscaped, unescapeText } from "./vcard_lines.ts";

/** Parts of a name in RFC 9554. */
const MAX_NAME_PARTS = 7;
/** Their texts may have several lines. */
const MULTILINE: readonly string[] = ["extra", "street"];

const LISTS: readonly string[] = ["N", "ADR", "ORG", "NICKNAME", "CATEGORIES"];
/** Their value may be in a parameter. */
export const PROFILES: readonly string[] = ["X-SOCIALPROFILE", "X-SOCIAL-PROFILE"];

/** True for an empty value, or only separators. */
export function isEmpty({ name, parameters, value, picture }: ContentLine): boolean {
  if (picture !== undefined) return false;
  if (PROFILES.includes(name) && parameters.has("X-USER")) return false;
  return LISTS.includes(name) ? !/[^;,\s]/.test(value) : isBlank(value);
}

interface CardTitle {
  readonly title: string;
  /** `title.cut` or `vcard.name`. */
  readonly rules: readonly string[];
}

/** The name of a card: FN, else another property that names its owner. */
export function titleOf(lines: readonly ContentLine[]): CardTitle {
  const first = (name: string) => lines.find((line) => line.name === name && !isEmpty(line));
  const textOf = (name: string) => unescapeText(first(name)?.value ?? "");
  const [n, org, nickname] = [first("N"), first("ORG"), first("NICKNAME")];
  const { given = "", family = "" } = n === undefined ? {} : readName(n, false);
  const candidates = [
    textOf("FN"),
    `${given} ${family}`,
    nickname === undefined ? "" : nicknamesOf(nickname)[0] ?? "",
    String(org === undefined ? "" : readOrganization(org).name ?? ""),
    textOf("EMAIL").replace(/^mailto:/i, ""),
    textOf("TEL").replace(/^tel:/i, ""),
  ].map(withoutControls);
  const name = candidates.find((candidate) => candidate !== "");
  if (name === undefined) return { title: "Unnamed", rules: ["vcard.name"] };
  if (!isLongerThan(name, MAX_TITLE)) return { title: name, rules: [] };
  return { title: firstCodePoints(name, MAX_TITLE).trim(), rules: ["title.cut"] };
}

export function withoutControls(text: string): string {
  return inOneLine(text).trim();
}

/** The text of a value; control characters become blanks. */
export function plainText(value: string): string {
  return inOneLine(unescapeText(value));
}

/**
 * True for an address of a card, with a scheme, and for a UUID alone. Some programs write a name in
 * its place.
 */
export function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[0-9a-f-]{36}$)/i.test(text);
}

/** Control characters become blanks. */
export function inOneLine(text: string): string {
  return hasControlCharacter(text) ? text.replaceAll(/\p{Cc}+/gu, " ").trim() : text;
}

/** Line feeds stay; other control characters become blanks. */
function inLines(text: string): string {
  return text.split("\n").map(inOneLine).join("\n");
}

export function nicknamesOf({ value }: ContentLine): string[] {
  return Array.from(splitEscaped(value, ","), (part) => plainText(part).trim())
    .filter((nickname) => nickname !== "");
}

/**
 * The members of a NAME. Several values of one part are joined with `,`. The sixth and seventh part
 * (RFC 9554) are added to `family` and `suffix` if these lack them.
 *
 * @param isOld True for version 2.1, whose commas are text.
 */
export function readName({ value }: ContentLine, isOld: boolean): JsonObject {
  const parts = [...splitEscaped(value, ";", MAX_NAME_PARTS + 1)].slice(0, MAX_NAME_PARTS)
    .map((part) => isOld ? [unescapeText(part)] : valuesOf(part));
  for (const [from, to] of [[5, 0], [6, 4]] as const) {
    const own = parts[to] ?? [];
    const isKnown = knownWords(own);
    parts[to] = [...own, ...(parts[from] ?? []).filter((text) => !isKnown(text))];
  }
  return membersOf(NAME_PARTS, parts.map((values) => values.join(",")));
}

/** True for the name of a person without structured names, as this service writes it in 3.0. */
export function isFamilyAlone(value: JsonObject, title: string): boolean {
  return value.family === title && Object.keys(value).length === 1;
}

function valuesOf(part: string): string[] {
  return Array.from(splitEscaped(part, ","), (value) => unescapeText(value).trim())
    .filter((value) => value !== "");
}

/** The members of an ORGANIZATION. Its units are joined with `;`. */
export function readOrganization({ value }: ContentLine): JsonObject {
  const [name = "", ...units] = Array.from(splitEscaped(value, ";"), unescapeText);
  const stated = units.map((unit) => unit.trim()).filter((unit) => unit !== "");
  return membersOf(["name", "department"], [name, stated.join(";")]);
}

/**
 * The members of an ADDRESS. `isWhole` is false if a part after the seventh (RFC 9554) has a text
 * that the first seven lack.
 */
export function readAddress(
  { value }: ContentLine,
): { readonly value: JsonObject; readonly isWhole: boolean } {
  const parts = Array.from(splitEscaped(value, ";"), unescapeText);
  const own = parts.slice(0, ADDRESS_PARTS.length);
  const isWhole = parts.slice(ADDRESS_PARTS.length).every(knownWords(own));
  return { value: membersOf(ADDRESS_PARTS, own), isWhole };
}

function membersOf(names: readonly string[], texts: readonly string[]): JsonObject {
  const stated = names.map((name, index) => {
    const plain = MULTILINE.includes(name) ? inLines : inOneLine;
    return [name, plain(texts[index] ?? "")] as const;
  });
  return Object.fromEntries(stated.filter(([, text]) => !isBlank(text)));
}

/** Returns a test: true for a text whose words all occur in the given ones. */
function knownWords(texts: readonly string[]): (text: string) => boolean {
  const known = new Set(texts.flatMap(wordsOf));
  return (text) => wordsOf(text).every((word) => known.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
