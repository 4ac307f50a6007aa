/**
 * Words of a text, and their search in a text. Pure.
 *
 * Texts are folded for comparison: case, width and accents do not matter. A word is a run of
 * letters, marks and digits; a run also ends between unspaced scripts and others.
 */

export interface Word {
  readonly text: string;
  /** True for scripts without spaces (e.g. Han, Thai): the word may match inside a run. */
  readonly isUnspaced: boolean;
}

const SCRIPTS = ["Han", "Hira", "Kana", "Hang", "Bopo", "Thai", "Laoo", "Khmr", "Mymr"]
  .map((script) => String.raw`\p{scx=${script}}`).join("");

const CHARACTERS = String.raw`[\p{L}\p{M}\p{Nd}]`;
const UNSPACED = `[${CHARACTERS}&&[${SCRIPTS}]]`;
/** Class of a regular expression with the flag `v`: the characters of words with spaces between. */
export const SPACED: string = `[${CHARACTERS}--[${SCRIPTS}]]`;

const RUNS = new RegExp(`${UNSPACED}+|${SPACED}+`, "gv");
const UNSPACED_AT_BEGINNING = new RegExp(`^${UNSPACED}`, "v");
const SPACED_AT_END = new RegExp(`${SPACED}$`, "v");
const SPACED_AT_BEGINNING = new RegExp(`^${SPACED}`, "v");

/** Words of a query. */
export const MAX_WORDS = 16;

export function wordsOf(text: string): Word[] {
  return runsOf(text).map((run) => ({ text: run, isUnspaced: isUnspacedRun(run) }));
}

/** The folded words. */
export function runsOf(text: string): readonly string[] {
  return runsOfFolded(fold(text));
}

export function runsOfFolded(folded: string): readonly string[] {
  // Most folded Latin texts are ASCII, for which Unicode classes take five times as long.
  return folded.match(ASCII.test(folded) ? /[0-9a-z]+/g : RUNS) ?? [];
}

export function isUnspacedRun(run: string): boolean {
  return run > "\x7f" && UNSPACED_AT_BEGINNING.test(run);
}

/**
 * First position of a word in a folded text, in UTF-16 units, or -1. A word of an unspaced script
 * matches anywhere in a run; any other matches the beginning of a word, and a single code point
 * only a whole word.
 *
 * @param isWhole True to match whole words only.
 */
export function findWord(
  folded: string,
  { text, isUnspaced }: Word,
  isWhole: boolean = hasOneCodePoint(text),
): number {
  let at = folded.indexOf(text);
  if (isUnspaced) return at;
  while (at !== -1) {
    const end = at + text.length;
    const stands = !SPACED_AT_END.test(folded.slice(Math.max(0, at - 2), at)) &&
      !(isWhole && SPACED_AT_BEGINNING.test(folded.slice(end, end + 2)));
    if (stands) return at;
    // No word begins inside or directly after these characters, which all belong to a word.
    at = folded.indexOf(text, end + 1);
  }
  return -1;
}

/** The text is not empty. */
export function hasOneCodePoint(text: string): boolean {
  return text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length;
}

export const ASCII = /^[\0-\x7f]*$/;

/** Runs of marks are normalised in pieces: the time grows with the square of their number. */
const LONG_MARKS = /\p{M}{30}/gu;

/** A noncharacter across which no normalisation moves a mark. */
const BARRIER = "\ufdd0";

/**
 * Returns the form for comparison: NFKC, upper case, lower case, NFD, without U+0300 to U+036F,
 * NFC. Both shapes of sigma are one letter, as in names.
 */
export function fold(text: string): string {
  return foldWith(text, (compatible) => compatible);
}

/** Folds a text, in which `spell` replaces letters after NFKC. */
export function foldWith(text: string, spell: (compatible: string) => string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  if (text.search(LONG_MARKS) === -1) return foldAtOnce(text, spell);
  const parted = text.replaceAll(BARRIER, " ").replaceAll(LONG_MARKS, `$&${BARRIER}`);
  return foldAtOnce(parted, spell).replaceAll(BARRIER, "");
}

function foldAtOnce(text: string, spell: (text: string) => string): string {
  // Only sigma's lower case depends on its position in JavaScript.
  const lower = spell(text.normalize("NFKC")).toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replaceAll(/[\u0300-\u036f]+/g, "").normalize("NFC");
}
