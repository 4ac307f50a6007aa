/**
 * The front matter of a Markdown file: a named subset of YAML. A map of scalars, lists and maps; plain, quoted
 * and block scalars; lists and maps in brackets. Anchors, aliases, tags, merges and complex keys are not read.
 */

import type { JsonObject, JsonValue } from "../../core/json.ts";

/** A file that begins with front matter. */
export interface FrontMatter {
  /** The members; null for anything but a plain map. */
  readonly members: JsonObject | null;
  /** The text after the closing line. */
  readonly rest: string;
}

const OPENING = /^\ufeff?---[ \t]*\r?\n/;

/** The front matter of a text; null without one. */
export function readFrontMatter(text: string): FrontMatter | null {
  const opening = OPENING.exec(text);
  if (opening === null) return null;
  const from = opening[0].length;
  const closing = /^---[ \t]*(?:\r?\n|$)/m;
  const found = closing.exec(text.slice(from));
  if (found === null) return null;
  const block = text.slice(from, from + found.index);
  return { members: parseBlock(block), rest: text.slice(from + found.index + found[0].length) };
}

/** The text is not of the subset. */
class Unread extends Error {}

function parseBlock(block: string): JsonObject | null {
  try {
    const lines = new Lines(block);
    const members = lines.isDone ? {} : readMap(lines, 0);
    return lines.isDone ? members : null;
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

interface BlockLine {
  readonly indent: number;
  readonly text: string;
  readonly raw: string;
}

/** The lines of a block; blank ones and comments are skipped between values. */
class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(block: string) {
    this.#lines = block.split(/\r?\n/);
    if (this.#lines.at(-1) === "") this.#lines = this.#lines.slice(0, -1);
    this.#skip();
  }

  get isDone(): boolean {
    return this.#at >= this.#lines.length;
  }

  get current(): BlockLine | null {
    const raw = this.#lines[this.#at];
    if (raw === undefined) return null;
    const indent = raw.length - raw.trimStart().length;
    if (raw.slice(0, indent).includes("\t")) throw new Unread();
    return { indent, text: raw.trim(), raw };
  }

  next(): void {
    this.#at++;
    this.#skip();
  }

  /** The lines of a block scalar: those that are indented more, and blank ones. */
  takeIndented(indent: number): string[] {
    const taken: string[] = [];
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const raw = this.#lines[this.#at] ?? "";
      if (raw.trim() !== "" && raw.length - raw.trimStart().length <= indent) break;
      taken.push(raw);
    }
    this.#skip();
    return taken;
  }

  #skip(): void {
    while (/^\s*(?:#.*)?$/.test(this.#lines[this.#at] ?? "x")) this.#at++;
  }
}

const KEY =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#&*!|>%@`{}[\],?:-][^:#]*?|[-?:][^\s:#][^:#]*?))\s*:(?:\s+(.*))?$/;

function readMap(lines: Lines, indent: number): JsonObject {
  const members: JsonObject = {};
  for (let line = lines.current; line !== null && line.indent === indent; line = lines.current) {
    const match = KEY.exec(line.text);
    if (match === null) throw new Unread();
    const [, double, single, plain, value = ""] = match;
    const key = double !== undefined
      ? unescape(double)
      : single?.replaceAll("''", "'") ?? plain ?? "";
    if (key === "<<" || Object.hasOwn(members, key) || isDangerous(key)) throw new Unread();
    members[key] = readMember(lines, indent, value);
  }
  const after = lines.current;
  if (after !== null && after.indent > indent) throw new Unread();
  return members;
}

function isDangerous(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}

function readMember(lines: Lines, indent: number, value: string): JsonValue {
  const text = withoutComment(value);
  const block = /^([|>])([+-]?)([1-9]?)([+-]?)$/.exec(text);
  if (block !== null) {
    if (block[3] !== "") throw new Unread();
    const isFolded = block[1] === ">";
    return blockScalar(lines.takeIndented(indent), isFolded, `${block[2]}${block[4]}`);
  }
  if (text !== "") {
    const scalar = readInline(text);
    lines.next();
    if ((lines.current?.indent ?? 0) > indent) throw new Unread();
    return scalar;
  }
  lines.next();
  const below = lines.current;
  if (below === null || below.indent < indent) return null;
  if (isListLine(below.text)) return readList(lines, below.indent);
  return below.indent > indent ? readMap(lines, below.indent) : null;
}

function isListLine(text: string): boolean {
  return text === "-" || text.startsWith("- ");
}

function readList(lines: Lines, indent: number): JsonValue[] {
  const items: JsonValue[] = [];
  for (
    let line = lines.current;
    line !== null && line.indent === indent && isListLine(line.text);
    line = lines.current
  ) {
    const text = withoutComment(line.text.slice(1).trim());
    // Maps in a list, and lists in a list, are of no use for notes.
    if (KEY.test(text) || isListLine(text) || /^[|>]/.test(text)) throw new Unread();
    items.push(text === "" ? null : readInline(text));
    lines.next();
  }
  if ((lines.current?.indent ?? 0) > indent) throw new Unread();
  return items;
}

function blockScalar(lines: readonly string[], isFolded: boolean, chomping: string): string {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const indent = first.length - first.trimStart().length;
  if (lines.some((line) => line.trim() !== "" && line.slice(0, indent).trim() !== "")) {
    throw new Unread();
  }
  const texts = lines.map((line) => line.slice(indent));
  const joined = isFolded ? fold(texts) : texts.join("\n");
  const content = joined.replace(/\n+$/, "");
  if (chomping === "-" || content === "") return content;
  return chomping === "+" ? `${joined}\n` : `${content}\n`;
}

/** A line break becomes a space, an empty line a line break; indented lines stay. */
function fold(lines: readonly string[]): string {
  let text = lines[0] ?? "";
  for (let index = 1; index < lines.length; index++) {
    const [before = "", line = ""] = [lines[index - 1], lines[index]];
    const isKept = /^[ \t]/.test(before) || /^[ \t]/.test(line);
    if (isKept) text += `\n${line}`;
    else if (line === "") text += "\n";
    else text += before === "" ? line : ` ${line}`;
  }
  return text;
}

/** A comment begins with `#` after a space, outside of quotes. */
function withoutComment(value: string): string {
  const text = value.trim();
  if (/^["'[{]/.test(text)) return text;
  return text.replace(/(?:^|\s+)#.*$/, "").trim();
}

/** A value on one line. */
function readInline(text: string): JsonValue {
  const reader = new InlineReader(text);
  const value = reader.read(false);
  reader.end();
  return value;
}

class InlineReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(isNested: boolean): JsonValue {
    this.#skip();
    const first = this.#text[this.#at] ?? "";
    if (first === '"') return unescape(this.#match(/"((?:[^"\\]|\\.)*)"/y));
    if (first === "'") return this.#match(/'((?:[^']|'')*)'/y).replaceAll("''", "'");
    if (first === "[") return this.#readList();
    if (first === "{") return this.#readMap();
    if (/[&*!|>%@`]/.test(first)) throw new Unread();
    return scalarOf(this.#match(isNested ? /([^,[\]{}]*)/y : /(.*)/y));
  }

  end(): void {
    this.#skip();
    const rest = this.#text.slice(this.#at);
    if (rest !== "" && !/^\s*#/.test(rest)) throw new Unread();
  }

  #readList(): JsonValue[] {
    const items: JsonValue[] = [];
    this.#at++;
    while (!this.#closes("]")) {
      items.push(this.read(true));
      this.#separate("]");
    }
    return items;
  }

  #readMap(): JsonObject {
    const members: JsonObject = {};
    this.#at++;
    while (!this.#closes("}")) {
      this.#skip();
      const isQuoted = /["']/.test(this.#text[this.#at] ?? "");
      const key = isQuoted ? String(this.read(true)) : this.#match(/([^,:[\]{}]+)/y).trim();
      this.#skip();
      if (this.#text[this.#at] !== ":" || Object.hasOwn(members, key) || isDangerous(key)) {
        throw new Unread();
      }
      this.#at++;
      members[key] = this.read(true);
      this.#separate("}");
    }
    return members;
  }

  #closes(bracket: string): boolean {
    this.#skip();
    if (this.#at >= this.#text.length) throw new Unread();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  #separate(bracket: string): void {
    this.#skip();
    if (this.#text[this.#at] === ",") this.#at++;
    else if (this.#text[this.#at] !== bracket) throw new Unread();
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new Unread();
    this.#at = pattern.lastIndex;
    return match[1] ?? "";
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? "x")) this.#at++;
  }
}

/** The scalars of YAML 1.2's core schema. */
function scalarOf(written: string): JsonValue {
  const text = written.trim();
  if (/:\s|:$|^[-?:]\s|^[-?]$|\s#/.test(text)) throw new Unread();
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  const isNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);
  const number = Number(text);
  // A number that JavaScript would write otherwise stays as it was written.
  return isNumber && String(number) === text ? number : text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ "0": "\0", a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b" },
  ...{ " ": " ", '"': '"', "/": "/", "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029" },
};

function unescape(text: string): string {
  const pattern = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g;
  return text.replaceAll(pattern, (_, two, four, eight, one) => {
    const code = two ?? four ?? eight;
    if (code === undefined) {
      const escape = ESCAPES[one];
      if (escape === undefined) throw new Unread();
      return escape;
    }
    const point = Number.parseInt(code, 16);
    if (point > 0x10ffff) throw new Unread();
    return String.fromCodePoint(point);
  });
}
