/**
 * The front matter of a Markdown file, in a subset of YAML: a map of scalars and of lists of
 * scalars. Scalars are plain, quoted or blocks. Anchors, aliases, tags, merges and nested maps are
 * not read.
 */

import type { JsonObject, JsonValue } from "../../core/json.ts";

interface FrontMatter {
  /** The members; null for anything but a plain map. */
  readonly members: JsonObject | null;
  /** The text after the closing line. */
  readonly rest: string;
}

/** Maximum characters of front matter; a longer block is text. */
const MAX_LENGTH = 64 * 1024;

export function readFrontMatter(text: string): FrontMatter | null {
  const head = text.slice(0, MAX_LENGTH);
  const [opening] = /^\ufeff?---[ \t]*\r?\n/.exec(head) ?? [];
  if (opening === undefined) return null;
  const after = head.slice(opening.length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(after);
  const end = closing === null ? 0 : opening.length + closing.index + closing[0].length;
  // A line that was cut by the limit does not close the block.
  const isCut = end === head.length && end < text.length && !head.endsWith("\n");
  if (closing === null || isCut) return null;
  const members = readMap(after.slice(0, closing.index).split(/\r?\n/).slice(0, -1));
  return { members, rest: text.slice(end) };
}

class Unread extends Error {}

// In all patterns a dot matches line breaks too. Otherwise a failed match before a line break would
// be retried from each earlier character.
const NOTHING = /^\s*(?:#.*)?$/s;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'`;
const PLAIN_KEY = String.raw`(?:[^\s"'#&*!|>%@\x60{}[\],?:-]|[-?:][^\s:#])[^:#]*`;
const MEMBER = new RegExp(String.raw`^(?:(${QUOTED})\s*|(${PLAIN_KEY})):(?:\s+(.*))?$`, "s");
const WHOLE_QUOTED = new RegExp(`^(?:${QUOTED})$`, "s");
const COMMENTED_QUOTED = new RegExp(`^(${QUOTED})(?:\\s+#.*)?$`, "s");
const BLOCK = /^([|>])([+-]?)$/;
const DANGEROUS: readonly string[] = ["<<", "__proto__", "constructor", "prototype"];

function readMap(lines: readonly string[]): JsonObject | null {
  const members: JsonObject = {};
  try {
    for (let at = 0; at < lines.length;) {
      if (NOTHING.test(lines[at] ?? "")) {
        at++;
        continue;
      }
      const [line, quoted, plain = "", written = ""] = MEMBER.exec(lines[at] ?? "") ?? [];
      const end = endOfMember(lines, at);
      const key = quoted === undefined ? plain.trim() : String(scalarOf(quoted));
      const isWrong = line === undefined || DANGEROUS.includes(key) || Object.hasOwn(members, key);
      if (isWrong) throw new Unread();
      members[key] = readValue(withoutComment(written), lines.slice(at + 1, end));
      at = end;
    }
    return members;
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

/** The line after a member: not blank, not indented, not a comment and not an item of a list. */
function endOfMember(lines: readonly string[], from: number): number {
  let end = from + 1;
  while (end < lines.length && !/^(?!\s|-(?:\s|$)|#)./.test(lines[end] ?? "")) end++;
  return end;
}

/** @param below The lines after the member's own. */
function readValue(written: string, below: readonly string[]): JsonValue {
  const block = BLOCK.exec(written);
  if (block !== null) return blockScalar(below, block[1] === ">", block[2] ?? "");
  const items = below.filter((line) => !NOTHING.test(line));
  if (written === "" && items.length > 0) return readList(items);
  if (items.length > 0) throw new Unread();
  return written.startsWith("[") ? readFlowList(written) : scalarOf(written);
}

function readList(lines: readonly string[]): JsonValue[] {
  const indent = indentOf(lines[0] ?? "");
  return lines.map((line) => {
    const [, written] = /^ *-(?:[ \t]+(.*))?$/s.exec(line) ?? [line];
    const text = withoutComment(written ?? "");
    // Nested maps and lists are not read.
    const isNested = MEMBER.test(text) || /^[-[|>](?:\s|$)|^[[{]/.test(text);
    if (indentOf(line) !== indent || !/^ *-/.test(line) || isNested) throw new Unread();
    return scalarOf(text);
  });
}

function readFlowList(written: string): JsonValue[] {
  const [, content] = /^\[(.*)\]\s*(?:#.*)?$/s.exec(written) ?? [];
  if (content === undefined) throw new Unread();
  const item = new RegExp(
    String.raw`\s*(?:(${QUOTED})\s*|([^\s,"'[\]{}][^,[\]{}]*))(?:,|$)`,
    "y",
  );
  const items: JsonValue[] = [];
  while (item.lastIndex < content.length) {
    if (content.slice(item.lastIndex).trim() === "") break;
    const [match, quoted, plain = ""] = item.exec(content) ?? [];
    if (match === undefined) throw new Unread();
    items.push(scalarOf(quoted ?? plain));
  }
  return items;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function blockScalar(lines: readonly string[], isFolded: boolean, chomping: string): string {
  const indent = indentOf(lines.find((line) => line.trim() !== "") ?? "");
  const isBroken = indent === 0 || lines.some((line) => line.slice(0, indent).trim() !== "");
  if (isBroken && lines.some((line) => line.trim() !== "")) throw new Unread();
  const texts = lines.map((line) => line.slice(indent));
  const joined = isFolded ? fold(texts) : texts.join("\n");
  let end = joined.length;
  while (joined[end - 1] === "\n") end--;
  const content = joined.slice(0, end);
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
  const quoted = COMMENTED_QUOTED.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  return /^["'[{]/.test(text) ? text : text.replace(/(?:^|\s)#.*$/s, "").trim();
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
