/**
 * The front matter of a Markdown file, in a subset of YAML: a map of scalars and of lists of
 * scalars. Scalars are plain, quoted or blocks. Anchors, aliases, tags, merges and nested maps are
 * not read. In addition `[[name]]` and a comment instead of a value are texts.
 */

import type { JsonValue } from "../../core/json.ts";
import { headOf } from "./text_head.ts";

export interface FrontMatterMember {
  readonly name: string;
  /** Undefined if it cannot be read. */
  readonly value: JsonValue | undefined;
}

interface FrontMatter {
  /** In the order of the text; a name may be repeated. */
  readonly members: readonly FrontMatterMember[];
  /** False if a line belongs to no member. */
  readonly isMap: boolean;
  /** The text after the closing line. */
  readonly rest: string;
}

/**
 * Reads each member by itself. Returns null for a text without front matter; a block of more than
 * 64 KiB is text.
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const head = headOf(text);
  const [opening] = /^\ufeff?---[ \t]*\r?\n/.exec(head) ?? [];
  if (opening === undefined) return null;
  const after = head.slice(opening.length);
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(after);
  const end = closing === null ? 0 : opening.length + closing.index + closing[0].length;
  // A line that was cut by the limit does not close the block.
  const isCut = end === head.length && end < text.length && !head.endsWith("\n");
  if (closing === null || isCut) return null;
  const lines = after.slice(0, closing.index).split(/\r?\n/).slice(0, -1);
  return { ...readMembers(lines), rest: text.slice(end) };
}

class Unread extends Error {}

// In all patterns a dot matches line breaks too. Otherwise a failed match before a line break would
// be retried from each earlier character.
const NOTHING = /^\s*(?:#.*)?$/s;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'`;
const LINK = String.raw`\[\[[^[\]\n]*\]\]`;
const PLAIN_KEY = String.raw`(?:[^\s"'#&*!|>%@\x60{}[\],?:-]|[-?:][^\s:#])[^:#]*`;
const MEMBER = new RegExp(String.raw`^(?:(${QUOTED})\s*|(${PLAIN_KEY})):(?:\s+(.*))?$`, "s");
const WHOLE_QUOTED = new RegExp(`^(?:${QUOTED})$`, "s");
const WHOLE_LINK = new RegExp(`^${LINK}$`);
const COMMENTED = new RegExp(`^(${QUOTED}|${LINK})(?:\\s+#.*)?$`, "s");
const BLOCK = /^([|>])([+-]?)$/;

function readMembers(lines: readonly string[]): Pick<FrontMatter, "members" | "isMap"> {
  const members: FrontMatterMember[] = [];
  let isMap = true;
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    const match = MEMBER.exec(line);
    if (match === null) {
      isMap &&= NOTHING.test(line);
      at++;
      continue;
    }
    const [, quoted, plain = "", written = ""] = match;
    const end = endOfMember(lines, at, written);
    const below = lines.slice(at + 1, end);
    members.push({
      name: quoted === undefined ? plain.trim() : String(tryRead(() => scalarOf(quoted)) ?? quoted),
      value: tryRead(() => readValue(withoutComment(written), below)),
    });
    at = end;
  }
  return { members, isMap };
}

function tryRead(read: () => JsonValue): JsonValue | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unread) return undefined;
    throw error;
  }
}

/**
 * The line after a member: not blank, not indented, not a comment and not an item of a list. After
 * an unclosed bracket it is the next line with a name.
 */
function endOfMember(lines: readonly string[], from: number, written: string): number {
  const text = written.trim();
  const isOpen = text.startsWith("[") && !COMMENTED.test(text) &&
    tryRead(() => readFlowList(text)) === undefined;
  const isNext = (line: string) => isOpen ? MEMBER.test(line) : /^(?!\s|-(?:\s|$)|#)./.test(line);
  let end = from + 1;
  while (end < lines.length && !isNext(lines[end] ?? "")) end++;
  return end;
}

/** @param below The lines after the member's own. */
function readValue(written: string, below: readonly string[]): JsonValue {
  const block = BLOCK.exec(written);
  if (block !== null) return blockScalar(below, block[1] === ">", block[2] === "+");
  const items = below.filter((line) => !NOTHING.test(line));
  const isComment = written.startsWith("#");
  if (items.length === 0 && isComment) return written;
  const own = isComment ? "" : written;
  if (WHOLE_LINK.test(own) && items.length === 0) return own;
  const whole = [own, ...below].join("\n").trim();
  if (whole.startsWith("[") && !WHOLE_LINK.test(own)) return readFlowList(whole);
  if (own === "" && items.length > 0) return readList(items);
  return scalarOf(items.length === 0 ? own : continued(own, below));
}

/** A scalar over several lines, which become one. */
function continued(written: string, below: readonly string[]): string {
  const lines = [written, ...below.map((line) => line.trim())];
  const isOne = below.every((line) => /^[ \t]+[^\s#-]/.test(line)) &&
    lines.every((line) => !line.endsWith("\\"));
  if (!isOne) throw new Unread();
  return lines.join(" ");
}

function readList(lines: readonly string[]): JsonValue[] {
  const indent = indentOf(lines[0] ?? "");
  return lines.map((line) => {
    const item = /^ *-(?:[ \t]+(.*))?$/s.exec(line);
    if (item === null || indentOf(line) !== indent) throw new Unread();
    const text = withoutComment(item[1] ?? "");
    if (text.startsWith("#") || WHOLE_LINK.test(text)) return text;
    // Nested maps and lists are not read.
    if (MEMBER.test(text) || /^[-[|>](?:\s|$)|^[[{]/.test(text)) throw new Unread();
    return scalarOf(text);
  });
}

/** Blanks and comments between the parts of a list in brackets. */
const GAP = /(?:\s|(?<=\s)#(?!\S)[^\n]*)*/y;
/** The same after an item, which no other item may follow. */
const GAP_AFTER_ITEM = /(?:\s|(?<=\s)#[^\n]*)*/y;
const ITEM = new RegExp(
  `(${QUOTED}|${LINK})|` + String.raw`(#[^\s,[\]{}][^,[\]{}\n]*)|` +
    String.raw`((?:[^\s,"'[\]{}#](?:[^\s,[\]{}]|[ \t](?!#))*))`,
  "y",
);

function readFlowList(written: string): JsonValue[] {
  const items: JsonValue[] = [];
  let at = endOf(GAP, written, 1);
  while (written[at] !== "]") {
    const end = endOf(ITEM, written, at);
    const item = written.slice(at, end).trim();
    if (item === "" || item.includes("\n")) throw new Unread();
    items.push(item.startsWith("#") || WHOLE_LINK.test(item) ? item : scalarOf(item));
    at = endOf(GAP_AFTER_ITEM, written, end);
    if (written[at] === ",") at = endOf(GAP, written, at + 1);
    else if (written[at] !== "]") throw new Unread();
  }
  if (endOf(GAP_AFTER_ITEM, written, at + 1) !== written.length) throw new Unread();
  return items;
}

/** The end of a match that begins at a place; the place itself without one. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The text loses the line end at its end. Lines below that are comments end it. */
function blockScalar(below: readonly string[], isFolded: boolean, keepsEnd: boolean): string {
  const comment = below.findIndex((line) => line.startsWith("#"));
  const lines = comment === -1 ? below : below.slice(0, comment);
  const indent = indentOf(lines.find((line) => line.trim() !== "") ?? "");
  const isBroken = indent === 0 || lines.some((line) => line.slice(0, indent).trim() !== "");
  if (isBroken && lines.some((line) => line.trim() !== "")) throw new Unread();
  if (below.slice(lines.length).some((line) => !NOTHING.test(line))) throw new Unread();
  const texts = lines.map((line) => line.slice(indent));
  const joined = isFolded ? fold(texts) : texts.join("\n");
  if (keepsEnd) return joined;
  let end = joined.length;
  while (joined[end - 1] === "\n") end--;
  return joined.slice(0, end);
}

/** A line break becomes a space, an empty line a line break; those around indented lines stay. */
function fold(lines: readonly string[]): string {
  let text = "";
  let before: string | null = null;
  let empty = 0;
  for (const line of lines) {
    if (line === "") {
      empty++;
      continue;
    }
    const isKept = /^[ \t]/.test(before ?? "") || /^[ \t]/.test(line);
    const breaks = before !== null && isKept ? empty + 1 : empty;
    text += (breaks === 0 && before !== null ? " " : "\n".repeat(breaks)) + line;
    before = line;
    empty = 0;
  }
  return text + "\n".repeat(empty);
}

/** A comment begins with `#` after a space, outside of quotes; one without a value stays. */
function withoutComment(value: string): string {
  const text = value.trim();
  const whole = COMMENTED.exec(text)?.[1];
  if (whole !== undefined) return whole;
  return /^["'[{#]/.test(text) ? text : text.replace(/\s#.*$/s, "").trim();
}

/** The scalars of YAML 1.2's core schema. */
function scalarOf(written: string): JsonValue {
  const text = written.trim();
  if (WHOLE_QUOTED.test(text)) {
    const inner = text.slice(1, -1);
    return text.startsWith("'") ? inner.replaceAll("''", "'") : unescape(inner);
  }
  if (/^["'&*!|>%@`[\]{},]|:\s|:$|^[-?:]\s|^[-?]$|\s#/.test(text)) throw new Unread();
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  const isNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);
  const number = Number(text);
  // A number stays a text if JavaScript prints it differently.
  return isNumber && String(number) === text ? number : text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

function unescape(text: string): string {
  const pattern = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g;
  return text.replaceAll(pattern, (_, two, four, eight, one) => {
    const code = Number.parseInt(two ?? four ?? eight, 16);
    const escape = one === undefined && code <= 0x10ffff
      ? String.fromCodePoint(code)
      : ESCAPES[one];
    if (escape === undefined) throw new Unread();
    return escape;
  });
}
