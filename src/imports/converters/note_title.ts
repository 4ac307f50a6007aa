/** Titles of notes, made from their texts. */

import { withoutControls } from "../words.ts";
import { type FencedLine, fencedLines } from "./fenced_lines.ts";
import { plainWords } from "./plain_words.ts";
import { headOf } from "./text_head.ts";

const HEADING = /^\s{0,3}#{1,6}[ \t]/;
/** Below a heading of one line. */
const UNDERLINE = /^ {0,3}(?:={2,}|-{2,})[ \t]*$/;
const FIRST_HEADING = /^\s*#[ \t]/;
/** A prefix of blocks: a quote, an item of a list, or a task. */
const BLOCK = /\s*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|$)|\[[ xX]\](?=\s|$))/y;
const HASHES = /\s*#+/y;
const MARKS_ONLY = /^[\s\-*_=#>`]*$/;

/**
 * The first line with words, without the marks of Markdown and HTML; null without one. Code counts
 * if there is nothing else.
 */
export function titleOf(text: string): string | null {
  const lines = fencedLines(headOf(text)).filter(({ kind }) => kind !== "fence").toArray();
  return firstTitle(lines.filter(({ kind }) => kind === "text")) ?? firstTitle(lines);
}

/** The first heading, without its marks; null without one. */
export function headingOf(text: string): string | null {
  return firstTitle(headingsOf(text));
}

/** Lines that begin with `#`, and paragraphs of one line that `===` or `---` underlines. */
function* headingsOf(text: string): Generator<FencedLine> {
  let paragraph: FencedLine[] = [];
  for (const line of fencedLines(headOf(text))) {
    if (line.kind !== "text" || line.text === "" || hasBlock(line.text)) {
      paragraph = [];
    } else if (HEADING.test(line.text)) {
      yield line;
      paragraph = [];
    } else if (UNDERLINE.test(line.text)) {
      if (paragraph.length === 1) yield* paragraph;
      // A rule. The lines after it may be front matter.
      paragraph = paragraph.length === 0 ? [line] : [];
    } else {
      paragraph.push(line);
    }
  }
}

function hasBlock(line: string): boolean {
  BLOCK.lastIndex = 0;
  return BLOCK.test(line);
}

/** The heading of the first level with which a text begins; null for any other beginning. */
export function firstHeadingOf(text: string): string | null {
  for (const { text: line } of fencedLines(headOf(text))) {
    if (line !== "") return FIRST_HEADING.test(line) ? titleOf(line) : null;
  }
  return null;
}

function firstTitle(lines: Iterable<FencedLine>): string | null {
  for (const { text } of lines) {
    const words = wordsOf(text);
    if (!MARKS_ONLY.test(words)) return words;
  }
  return null;
}

/** The words of a line, on one line and well-formed. */
function wordsOf(line: string): string {
  let start = 0;
  for (BLOCK.lastIndex = 0; BLOCK.test(line);) start = BLOCK.lastIndex;
  HASHES.lastIndex = start;
  const isHeading = HASHES.test(line);
  const text = line.slice(isHeading ? HASHES.lastIndex : start);
  const words = plainWords(isHeading ? withoutClosing(text) : text);
  return withoutControls(words.toWellFormed()).trim();
}

/** A heading without the `#` that close it. */
function withoutClosing(heading: string): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || /\s/.test(text[end - 1] ?? "") ? text.slice(0, end) : text;
}
