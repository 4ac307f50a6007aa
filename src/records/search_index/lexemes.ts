/**
 * Index entries of a record's words, and the queries on them. Pure.
 *
 * The index finds every record that a search may have to show, and a few more; `findWord` decides. A spaced
 * word is one lexeme, searched by its beginning. A run of an unspaced script is all pairs of adjacent code
 * points, and its last code point.
 *
 * Every lexeme begins with a code of its owner, so that no search reads another owner's entries. Words
 * contain only letters, marks and digits, so nothing needs quoting.
 */

import { Buffer } from "node:buffer";
import { hasOneCodePoint, isUnspacedRun, runsOf, type Word } from "./words.ts";

/** Version of the rules of words and lexemes. Increase it with every change of their results. */
export const WORD_RULE = 1;

/** Code points of a spaced word in the index; a tsvector allows 2,046 bytes. */
const LEXEME_LENGTH = 32;

/** Bytes of a record's lexemes; a tsvector allows 1 MiB. */
const LEXEMES_BYTES = 1_000_000;

/**
 * Lexemes separated by spaces. If they are too many for a row: only the owner's code, which every query
 * finds.
 */
export function lexemesOf(owner: string, texts: readonly string[]): string {
  const code = ownerCode(owner);
  const lexemes = new Set<string>();
  for (const text of texts) {
    for (const run of runsOf(text)) {
      if (isUnspacedRun(run)) addRun(lexemes, [...run]);
      else lexemes.add(beginning(run));
    }
  }
  const text = code + [...lexemes].join(` ${code}`);
  return Buffer.byteLength(text) > LEXEMES_BYTES ? code : text;
}

function addRun(lexemes: Set<string>, codePoints: readonly string[]): void {
  codePoints.forEach((codePoint, index) => lexemes.add(codePoint + (codePoints[index + 1] ?? "")));
}

/** Text of the tsquery for records that may contain every word. */
export function lexemeQuery(owner: string, words: readonly Word[]): string {
  const code = ownerCode(owner);
  const all = words.flatMap(lexemesToFind).map((lexeme) => code + lexeme);
  return `(${all.join(" & ")}) | ${code}`;
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
