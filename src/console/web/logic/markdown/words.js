/** The words of a paragraph, heading or cell: code, links and pictures. */

import { nest } from "./emphasis.js";

const TOKEN =
  /\\[!-/:-@[-`{-~\n]|`+|\*+|_+|!?\[|\]|<https?:\/\/[^\s<>]{1,2000}>|(?<![\p{L}\p{N}_])https?:\/\/[^\s<>[\]]{1,2000}/giu;
/** An address between brackets, and perhaps a title, which is not shown. */
const TARGET =
  /\(\s*(?:<([^<>\n]{0,2000})>|((?:[^\s()<>\\]|\\.|\((?:[^\s()\\]|\\.){0,500}\)){1,2000}))(?:\s+(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?\s*\)/y;
const ATTACHMENT = /^attachment:([0-7][\dA-HJKMNP-TV-Z]{25})$/;
const ENDING = /(?<![?!.,:;*_~'"])[?!.,:;*_~'"]+$/;
const SIGN = /[\p{P}\p{S}]/u;
/** Open brackets; more are text. */
const MAX_OPEN = 100;

/** @param {string} text @returns {MarkdownWords} */
export function parseWords(text) {
  if (text.search(TOKEN) === -1) return text === "" ? [] : [text];
  const reader = Object.assign(new WordReader(), { text });
  TOKEN.lastIndex = 0;
  for (let found; (found = TOKEN.exec(text)) !== null;) TOKEN.lastIndex = reader.read(found);
  reader.add(text.length, text.length);
  return nest(reader.parts).children;
}

class WordReader {
  text = "";
  /** @type {MarkdownPart[]} */
  parts = [];
  /** The text from here on is not a part yet. */
  #start = 0;
  /** By their places among the parts. @type {{ at: number, isPicture: boolean }[]} */
  #brackets = [];
  /** Brackets that were opened before this part hold a link, and cannot be one. */
  #linked = 0;
  /** Runs of backticks by length, the first one last. */
  #ticks = /** @type {Map<number, RegExpExecArray[]> | null} */ (null);

  /** Returns the place at which to continue. @param {RegExpExecArray} found */
  read({ 0: token, index }) {
    const sign = token[0];
    if (sign === "\\") return this.add(index, index + 1) + 1;
    if (sign === "`") return this.#readCode(token, index);
    if (sign === "*" || sign === "_") return this.#readRun(token, index);
    if (sign === "]") return this.#close(index);
    if (sign !== "[" && sign !== "!") return this.#readAddress(token, index);
    if (this.#brackets.length === MAX_OPEN) return index + token.length;
    this.add(index, index + token.length);
    this.#brackets.push({ at: this.parts.push(token) - 1, isPicture: sign === "!" });
    return this.#start;
  }

  /** Adds the text before a place, and a part up to the next. @type {AddPart} */
  add(at, end, part) {
    if (at > this.#start) this.parts.push(this.text.slice(this.#start, at));
    if (part !== undefined) this.parts.push(part);
    return this.#start = end;
  }

  /** @param {string} ticks @param {number} at */
  #readCode(ticks, at) {
    const end = at + ticks.length;
    this.#ticks ??= Map.groupBy([...this.text.matchAll(/`+/g)].reverse(), ([run]) => run.length);
    const runs = this.#ticks.get(ticks.length) ?? [];
    while ((runs.at(-1)?.index ?? end) < end) runs.pop();
    const close = runs.pop()?.index;
    if (close === undefined) return end;
    const code = this.text.slice(end, close).replaceAll("\n", " ");
    const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
    const text = isPadded ? code.slice(1, -1) : code;
    return this.add(at, close + ticks.length, { kind: "code", text });
  }

  /** @param {string} run @param {number} at */
  #readRun(run, at) {
    const end = at + run.length;
    const [before, after] = [this.text.charAt(at - 1), this.text.charAt(end)];
    const [isBlankBefore, isBlankAfter] = [before.trim() === "", after.trim() === ""];
    const [isSignBefore, isSignAfter] = [SIGN.test(before), SIGN.test(after)];
    const opens = !isBlankAfter && (!isSignAfter || isBlankBefore || isSignBefore);
    const closes = !isBlankBefore && (!isSignBefore || isBlankAfter || isSignAfter);
    // Underscores within a word are part of it.
    const canOpen = opens && (run[0] === "*" || !closes || isSignBefore);
    const canClose = closes && (run[0] === "*" || !opens || isSignAfter);
    return this.add(at, end, { kind: "run", run, canOpen, canClose });
  }

  /** @param {number} at */
  #close(at) {
    const bracket = this.#brackets.pop();
    if (bracket === undefined || this.text[at + 1] !== "(") return at + 1;
    TARGET.lastIndex = at + 1;
    const found = TARGET.exec(this.text);
    const to = (found?.[1] ?? found?.[2] ?? "").replace(/\\([!-/:-@[-`{-~])/g, "$1");
    const file = ATTACHMENT.exec(to)?.[1];
    const href = hrefOf(to);
    const { at: begin, isPicture } = bracket;
    if ((file ?? href) === null || (!isPicture && begin < this.#linked)) return at + 1;
    this.add(at, at);
    const { children, depth } = nest(this.parts.splice(begin).slice(1), true);
    if (!isPicture) this.#linked = begin + 1;
    // A picture from elsewhere is a link to it.
    const kind = isPicture && file !== undefined ? "picture" : "link";
    const words = children.length > 0 || kind === "picture" ? children : [to];
    const place = file === undefined ? { href: href ?? "" } : { file };
    return this.add(at, TARGET.lastIndex, { kind, ...place, children: words, depth: depth + 1 });
  }

  /** Signs after an address belong to the sentence. @param {string} token @param {number} at */
  #readAddress(token, at) {
    const isClosed = token[0] === "<";
    const [balanced = ""] = /^(?:[^()]|\([^()]*\))*/.exec(token) ?? [];
    const text = isClosed ? token.slice(1, -1) : balanced.replace(ENDING, "");
    const href = hrefOf(text);
    if (href === null) return at + 1;
    const end = at + (isClosed ? token : text).length;
    return this.add(at, end, { kind: "link", href, children: [text], depth: 1 });
  }
}

/** Null for anything but an address of the web. @param {string} text */
function hrefOf(text) {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  // Parsers keep this sign in queries, which links of the console do not have.
  return new URL(text).href.replaceAll("\\", "%5C");
}
