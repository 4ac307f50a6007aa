/**
 * Index entries of a record's words, and the queries on them. Pure.
 *
 * The index finds every record that a search may have to show, and a few more; `findWord` decides.
 * A spaced word is one lexeme, searched by its beginning. A run of an unspaced script is all pairs
 * of adjacent code points, and its last code point.
 *
 * Every lexeme begins with a code of its owner, so that no search reads another owner's entries.
 * Words contain only letters, marks and digits, so nothing needs quoting.
 *
 * Words that assistants may find have a second lexeme, with the prefix of their audience, and the
 * record has a mark of its module. A search of an assistant asks for these alone, so its time does
 * not depend on texts that are hidden from it.
 */

import { Buffer } from "node:buffer";
import type { IndexedText } from "./texts.ts";
import { hasOneCodePoint, isUnspacedRun, runsOf, type Word } from "./words.ts";

/** Version of the rules of words and lexemes. Increase it with every change of their results. */
export const WORD_RULE = 3;

/** Code points of a spaced word in the index; a tsvector allows 2,046 bytes. */
const LEXEME_LENGTH = 32;

/** Bytes of a record's lexemes; a tsvector allows 1 MiB. */
const LEXEMES_BYTES = 1_000_000;

/**
 * Lexemes separated by spaces. If they are too many for a row: only the owner's code, alone and
 * with each prefix and mark, which every query finds.
 */
export function lexemesOf(owner: string, texts: readonly IndexedText[]): string {
  const code = ownerCode(owner);
  const lexemes = new Set<string>();
  const marks = new Set<string>();
  const prefixes = new Set<string>();
  for (const indexed of texts) {
    const text = typeof indexed === "string" ? indexed : indexed.text;
    const words = runsOf(text).flatMap((run) => isUnspacedRun(run) ? pairsOf(run) : beginning(run));
    for (const word of words) lexemes.add(word);
    if (typeof indexed === "string") continue;
    for (const word of words) lexemes.add(indexed.prefix + word);
    prefixes.add(indexed.prefix);
    marks.add(indexed.mark);
  }
  const text = code + [...lexemes, ...marks].join(` ${code}`);
  if (Buffer.byteLength(text) <= LEXEMES_BYTES) return text;
  return code + ["", ...prefixes, ...marks].join(` ${code}`);
}

function pairsOf(run: string): string[] {
  const codePoints = [...run];
  return codePoints.map((codePoint, index) => codePoint + (codePoints[index + 1] ?? ""));
}

/**
 * Restricts a search to words with one of the prefixes, in records with one of the marks if there
 * are any.
 */
interface LentWords {
  readonly prefixes: readonly string[];
  readonly marks: readonly string[];
}

/**
 * Text of the tsquery for records that may contain every word; by default any word of the owner.
 */
export function lexemeQuery(
  owner: string,
  words: readonly Word[],
  { prefixes, marks }: LentWords = { prefixes: [""], marks: [] },
): string {
  const code = ownerCode(owner);
  const codes = prefixes.map((prefix) => code + prefix);
  const all = words.flatMap(lexemesToFind).map((lexeme) => {
    const either = codes.map((begun) => begun + lexeme).join(" | ");
    return codes.length === 1 ? either : `(${either})`;
  });
  const query = `(${all.join(" & ")}) | ${codes.join(" | ")}`;
  return marks.length === 0
    ? query
    : `(${query}) & (${marks.map((mark) => code + mark).join(" | ")})`;
}

/** Each code point of a run begins a pair, or ends the run. */
function lexemesToFind({ text, isUnspaced }: Word): string[] {
  if (hasOneCodePoint(text)) return [isUnspaced ? `${text}:*` : text];
  if (!isUnspaced) return [`${beginning(text)}:*`];
  const codePoints = [...text];
  return codePoints.slice(1).map((codePoint, index) => codePoints[index] + codePoint);
}

function beginning(word: string): string {
  return word.length <= LEXEME_LENGTH ? word : [...word].slice(0, LEXEME_LENGTH).join("");
}

/** Returns a part of the owner's identifier; a collision between owners does no harm. */
function ownerCode(owner: string): string {
  return owner.slice(-6);
}
