/** Lines of a vCard (RFC 6350, RFC 2426). No SQL, no HTTP. */

import { unescapeText } from "../../core/folded_line.ts";

export const VCARD_VERSIONS = ["4.0", "3.0"] as const;
export type VcardVersion = (typeof VCARD_VERSIONS)[number];

/** Members of a `NAME` and of an `ADDRESS`, in the order of N and ADR. */
export const NAME_PARTS = ["family", "given", "additional", "prefix", "suffix"] as const;
export const ADDRESS_PARTS: readonly string[] =
  "box extra street locality region postalCode country"
    .split(" ");

/** A name, and a value as it is written: a word, a list of words or a text in quotes. */
export type Parameter = readonly [name: string, value: string];

export interface VcardLine {
  readonly name: string;
  readonly parameters?: readonly Parameter[];
  /** Escaped. */
  readonly value: string;
}

/** A line of another program's card. */
export interface ContentLine extends Required<VcardLine> {
  /** As it came; null without a group. */
  readonly group: string | null;
  /** In upper case. */
  readonly name: string;
  /** The line without its group. */
  readonly content: string;
}

/** Not folded. */
export function toContentLine({ name, parameters = [], value }: VcardLine): string {
  const stated = parameters.map(([name, value]) => `;${name}=${value}`).join("");
  return `${name}${stated}:${value}`;
}

const HEAD =
  /^(?:([A-Za-z0-9-]+)\.)?([A-Za-z0-9_-]+)\s*((?:;(?:"[^"]*"|[^":;])*)*):|^(?:([A-Za-z0-9-]+)\.)?([A-Za-z0-9_-]+)\s*((?:;[^:;]*)*):/;

/** Null without a colon or a valid name. Line ends in the value become escapes. */
export function parseLine(line: string): ContentLine | null {
  const match = HEAD.exec(line);
  if (match === null) return null;
  const [head, group = match[4] ?? null, name = match[5] ?? "", stated = match[6] ?? ""] = match;
  const whole = line.replaceAll(/\r\n|[\r\n]/g, "\\n");
  return {
    group,
    name: name.toUpperCase(),
    parameters: Array.from(stated.matchAll(/;((?:"[^"]*"|[^";])+)/g), ([, text = ""]) => {
      const [own, value] = splitOnce(text, "=");
      // In 2.1 a parameter without a name is a type.
      return value === null ? ["TYPE", own] : [own.trim(), value];
    }),
    value: whole.slice(head.length),
    content: group === null ? whole : whole.slice(group.length + 1),
  };
}

function splitOnce(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/** The first value of a parameter, without quotes; null without it. */
export function parameterOf({ parameters }: ContentLine, name: string): string | null {
  const found = parameters.find(([own]) => own.toUpperCase() === name);
  return found === undefined ? null : found[1].trim().replace(/^"([^"]*)"$/, "$1");
}

/** Distinct words in lower case, without `pref`. */
export function typesOf({ parameters }: ContentLine): string[] {
  const stated = parameters.filter(([name]) => name.toUpperCase() === "TYPE")
    .flatMap(([, value]) => value.replaceAll('"', "").toLowerCase().split(","));
  const words = stated.map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== "" && word !== "pref");
}

/** A text as the value of a parameter in quotes (RFC 6868, but for line ends, as RFC 6350 has). */
export function quoted(text: string): string {
  const marked = text.replaceAll("^", "^^").replaceAll('"', "^'").replaceAll("\\", "\\\\");
  return `"${marked.replaceAll(/\r\n|[\r\n]/g, "\\n")}"`;
}

const MARKS: Readonly<Record<string, string>> = { "^^": "^", "^'": '"', "^n": "\n" };

/** The text of a parameter's value without its quotes. */
export function unquoted(value: string): string {
  return unescapeText(value.replaceAll(/\^[\^'n]/g, (mark) => MARKS[mark] ?? mark));
}

/**
 * True for a line of the property, with or without a group. Only the first 64 characters of its
 * name count.
 */
export function isContentLineOf(property: string, line: string): boolean {
  const [, name = ""] = CONTENT_LINE.exec(line) ?? [];
  return name.slice(0, 64).toUpperCase() === property.toUpperCase();
}

const CONTENT_LINE =
  /^(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)(?:;[A-Za-z0-9-]+(?:=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)?)*:/;
