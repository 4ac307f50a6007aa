/**
 * Index entries of a record's words, and the queries on them. Pure.
 *
 * The index finds every record that a search may have to show, and a few more; `findWord` decides.
 * A spaced word is one lexeme, searched by its beginning. A run of an unspaced script is all pairs
 * of adjacent code points, and its last code point.
 *
 * In the index every lexeme begins with a code of its owner, so that no search reads another
 * owner's entries. Words contain only letters, marks and digits, so nothing needs quoting.
 *
 * A word has the prefix of the widest audience of its texts, none if no assistant may read them,
 * and the record has a mark of its module. A search of an assistant asks for the prefixes of its
 * audiences alone, so its time does not depend on texts that are hidden from it. Its owner's search
 * asks for all of them.
 *
 * Only BEST asks for further forms of words, and for the words of the title: they have prefixes of
 * their own. It asks for people and for other records separately, and for guarded records only if
 * the reader may see them: both have marks.
 */

import { Buffer } from "node:buffer";
import { closeFormsOf, neighboursOf } from "./close_words.ts";
import type { OrderEntry } from "./order_entry.ts";
import { type IndexedText, PREFIXES } from "./texts.ts";
import { type FormedWord, formedWordsOf, furtherFormsOf } from "./word_forms.ts";
import { hasOneCodePoint, isUnspacedRun, runsOf, type Word } from "./words.ts";

/** Version of the rules of words and lexemes. Increase it with every change of their results. */
export const WORD_RULE = 3;

/** Code points of a spaced word in the index; a tsvector allows 2,046 bytes. */
const LEXEME_LENGTH = 32;

/** Bytes of a record's lexemes with the owner's code; a tsvector allows 1 MiB. */
const LEXEMES_BYTES = 1_000_000;

/** Letters of the owner's code, as in the SQL function `owned_words`. */
const CODE_LENGTH = 6;

/** Prefixes of words, the widest audience first: each also reads the texts of those before it. */
const AUDIENCES = [PREFIXES.ALL, PREFIXES.SENSITIVE, ""];

/** Prefixes of forms that are not the folded ones, and of all forms of the title's words. */
const [FURTHER, TITLE] = ["F", "T"];

/** Marks of people, and of guarded records. */
const [PERSON, GUARDED] = ["P", "G"];

/**
 * Lexemes separated by spaces, without the owner's code. If they are too many for a row: only the
 * empty one, each prefix and mark, which every query finds.
 *
 * @param title One of the texts.
 */
export function lexemesOf(
  title: string,
  texts: readonly IndexedText[],
  { moduleCode, guard }: Pick<OrderEntry, "moduleCode" | "guard">,
): string {
  const lexemes = [...titleLexemes(title), ...wordLexemes(texts), ...furtherLexemes(texts)];
  const marks = new Set<string>();
  if (moduleCode === "relationship") marks.add(PERSON);
  if (guard !== null) marks.add(GUARDED);
  const prefixes = new Set<string>();
  for (const indexed of texts) {
    if (typeof indexed === "string") continue;
    prefixes.add(indexed.prefix);
    marks.add(indexed.mark);
  }
  lexemes.push(...marks);
  const text = lexemes.join(" ");
  if (Buffer.byteLength(text) + lexemes.length * CODE_LENGTH <= LEXEMES_BYTES) return text;
  return ["", ...prefixes, ...marks].join(" ");
}

/** The words of all texts, each with the prefix of its widest audience. */
function wordLexemes(texts: readonly IndexedText[]): readonly string[] {
  const prefixOf = new Map<string, string>();
  for (const prefix of AUDIENCES) {
    for (const indexed of texts) {
      const [text, own] = typeof indexed === "string"
        ? [indexed, ""]
        : [indexed.text, indexed.prefix];
      if (own !== prefix) continue;
      for (const word of runsOf(text).flatMap(lexemesOfRun)) {
        if (!prefixOf.has(word)) prefixOf.set(word, prefix);
      }
    }
  }
  return Array.from(prefixOf, ([word, prefix]) => prefix + word);
}

function furtherLexemes(texts: readonly IndexedText[]): ReadonlySet<string> {
  const forms = texts.flatMap((indexed) => [
    ...furtherFormsOf(typeof indexed === "string" ? indexed : indexed.text),
  ]);
  return new Set(forms.map((form) => FURTHER + beginning(form)));
}

function titleLexemes(title: string): Set<string> {
  const words = formedWordsOf(title);
  const forms = words.flatMap((word) => [...word.forms, ...closeFormsOf(word)]);
  return new Set(forms.flatMap(lexemesOfRun).map((lexeme) => TITLE + lexeme));
}

function lexemesOfRun(run: string): readonly string[] {
  return isUnspacedRun(run) ? pairsOf(run) : [beginning(run)];
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
  { prefixes, marks }: LentWords = { prefixes: AUDIENCES, marks: [] },
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

/** Text of the tsquery for records that may have every word, in any form, in any text. */
export function textQuery(owner: string, words: readonly FormedWord[]): string {
  const code = ownerCode(owner);
  return everyWord(code, words.map((word) => formTerms(word, textPrefixes(code))));
}

/** Text of the tsquery for records that may have every word, in any form, in the title. */
export function titleQuery(owner: string, words: readonly FormedWord[]): string {
  const code = ownerCode(owner);
  return everyWord(code, words.map((word) => formTerms(word, titlePrefixes(code))));
}

/** The lexemes of titles that have a neighbour of one of the words. */
export function neighbourLexemes(owner: string, words: readonly FormedWord[]): readonly string[] {
  const code = ownerCode(owner);
  const neighbours = words.flatMap(({ text }) => [...neighboursOf(text)]);
  return [...new Set(neighbours)].map((neighbour) => code + TITLE + beginning(neighbour));
}

/**
 * Like `textQuery`, but instead of any word the title may have one of its neighbours.
 *
 * @param present The lexemes of neighbours that some title has. The query has no others, because
 *   its time per record grows with their number.
 */
export function closeQuery(
  owner: string,
  words: readonly FormedWord[],
  present: ReadonlySet<string>,
): string {
  const code = ownerCode(owner);
  return everyWord(
    code,
    words.map((word) => [
      ...formTerms(word, textPrefixes(code)),
      ...neighbourLexemes(owner, [word]).filter((lexeme) => present.has(lexeme)),
    ]),
  );
}

/** As `textQuery`, without the records that `titleQuery` finds by their title. */
export function textOnlyQuery(owner: string, words: readonly FormedWord[]): string {
  const code = ownerCode(owner);
  const titles = allTerms(words.map((word) => formTerms(word, titlePrefixes(code))));
  return without(textQuery(owner, words), titles, words);
}

/** As `closeQuery`, without the records that `textQuery` finds by their texts. */
export function closeOnlyQuery(
  owner: string,
  words: readonly FormedWord[],
  present: ReadonlySet<string>,
): string {
  const code = ownerCode(owner);
  const texts = allTerms(words.map((word) => formTerms(word, textPrefixes(code))));
  return without(closeQuery(owner, words, present), texts, words);
}

/** Unless the other query finds a few too many. */
function without(query: string, other: string, words: readonly FormedWord[]): string {
  return words.every(isIndexedWhole) ? `(${query}) & !(${other})` : query;
}

/** True if the index has the word itself, not only its pairs or its beginning. */
function isIndexedWhole({ isUnspaced, forms }: FormedWord): boolean {
  const longest = isUnspaced ? 2 : LEXEME_LENGTH;
  return forms.every((form) => [...form].length <= longest);
}

/** The records that BEST asks for at once. */
export interface RecordGroup {
  readonly of: "PEOPLE" | "OTHERS" | "BOTH";
  /** Marks of modules, of which a record other than people has one; empty for all modules. */
  readonly marks: readonly string[];
  /** True if the reader may see guarded records. */
  readonly seesGuarded: boolean;
}

/** Restricts a query to a group of records. It still finds records of other owners. */
export function queryInGroup(
  owner: string,
  query: string,
  { of, marks, seesGuarded }: RecordGroup,
): string {
  const code = ownerCode(owner);
  if (of === "PEOPLE") return `(${query}) & ${code}${PERSON}`;
  const others = of === "OTHERS" ? ` & !${code}${PERSON}` : "";
  const visible = seesGuarded ? "" : ` & !${code}${GUARDED}`;
  // Records that are guarded, or of sealed people, do not have the mark of their module.
  const either = [...marks, PERSON, GUARDED].map((mark) => code + mark).join(" | ");
  const inModules = marks.length === 0 ? "" : ` & (${either})`;
  return `(${query})${others}${visible}${inModules}`;
}

function everyWord(code: string, terms: readonly (readonly string[])[]): string {
  return `(${allTerms(terms)}) | ${code}`;
}

/** @param terms For each word; one of them suffices. */
function allTerms(terms: readonly (readonly string[])[]): string {
  return terms.map((terms) => `(${terms.join(" | ")})`).join(" & ");
}

/** Prefixes of folded words, and of their other forms. */
interface TermPrefixes {
  readonly folded: readonly string[];
  readonly further: readonly string[];
}

function textPrefixes(code: string): TermPrefixes {
  const folded = AUDIENCES.map((prefix) => code + prefix);
  return { folded, further: [...folded, code + FURTHER] };
}

function titlePrefixes(code: string): TermPrefixes {
  return { folded: [code + TITLE], further: [code + TITLE] };
}

/** The terms of a word with each of the prefixes. */
function formTerms(word: FormedWord, { folded, further }: TermPrefixes): readonly string[] {
  if (word.isUnspaced) {
    const pairs = lexemesToFind(word).map((lexeme) => folded.map((prefix) => prefix + lexeme));
    return pairs.length === 1 ? pairs.flat() : [`(${allTerms(pairs)})`];
  }
  const end = hasOneCodePoint(word.text) ? "" : ":*";
  return word.forms.flatMap((form) => further.map((prefix) => prefix + beginning(form) + end));
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
  return owner.slice(-CODE_LENGTH);
}
