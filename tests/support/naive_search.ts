/**
 * Search by its contract, code point by code point, without an index. It shares no code with the
 * service.
 */

import type { Random } from "./random.ts";

const UNSPACED = ["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"]
  .concat(["Thai", "Lao", "Khmer", "Myanmar"])
  .map((script) => new RegExp(`^\\p{Script_Extensions=${script}}$`, "u"));

export interface NaiveWord {
  readonly points: readonly string[];
  readonly isUnspaced: boolean;
}

/** A single code point has no context for its lower case. */
export function naiveFold(text: string): string {
  const lower = Array.from(
    text.normalize("NFKC").toUpperCase(),
    (point) => point.toLowerCase(),
  ).join("");
  // Final sigma has no upper case form of its own.
  return lower.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, "").normalize("NFC");
}

export function naiveWords(text: string): NaiveWord[] {
  const words: { points: string[]; isUnspaced: boolean }[] = [];
  let open: { points: string[]; isUnspaced: boolean } | null = null;
  for (const point of naiveFold(text)) {
    if (!/^[\p{Letter}\p{Mark}\p{Decimal_Number}]$/u.test(point)) {
      open = null;
      continue;
    }
    const isUnspaced = UNSPACED.some((script) => script.test(point));
    if (open === null || open.isUnspaced !== isUnspaced) {
      open = { points: [], isUnspaced };
      words.push(open);
    }
    open.points.push(point);
  }
  return words;
}

/** Whether some field meets every word. */
export function naiveMatch(q: string, fields: readonly string[]): boolean {
  return areMet(naiveWords(q), fields.flatMap(naiveWords));
}

export function areMet(words: readonly NaiveWord[], runs: readonly NaiveWord[]): boolean {
  return words.every((word) => runs.some((run) => isMet(word, run)));
}

function isMet(word: NaiveWord, run: NaiveWord): boolean {
  if (word.isUnspaced !== run.isUnspaced) return false;
  if (!word.isUnspaced && word.points.length === 1 && run.points.length > 1) return false;
  const places = word.isUnspaced ? run.points.keys() : [0];
  return [...places].some((place) =>
    word.points.every((point, i) => run.points[place + i] === point)
  );
}

/** Characters of many scripts, in parts too, and separators. */
const PIECES = [
  ..."aábBçÇnñoöØßſıİiIeE09",
  ..."Ωσςάᾳ жщЙй עִב ครั้งำ ກຳ ខ្ម မြန ",
  ..."漢字东々〇かガがｶﾞー한국어ㅏㄱᄀ",
  ..." \u0301\u0308\u0345\u034f\u05b0\u0591\u3099\u200d\ufe0f\u{e0100}",
  ..."  .,-_'…½²㈱ﬁ℡ﷺ😀❤𝒳𐐷①Ⅷ\t\n´¨ẞʼ\u2028\u2029",
  "e\u0301",
  "\u1112\u1161\u11ab",
  "ǆ",
  "ŉ",
  "ΑΣ.",
  "The ",
  "garden ",
];

export function mixedText(random: Random, longest: number): string {
  return Array.from({ length: random.integer(0, longest) }, () => random.pick(PIECES)).join("");
}

/** Likely to match: some of the text's code points, or others. */
export function mixedQuery(random: Random, text: string): string {
  const points = [...text];
  if (points.length === 0 || random.chance(0.2)) return mixedText(random, 4);
  const start = random.integer(0, points.length - 1);
  const first = points.slice(start, start + random.integer(1, 4)).join("");
  if (random.chance(0.7)) return first;
  const other = random.integer(0, points.length - 1);
  return `${first} ${points.slice(other, other + random.integer(1, 3)).join("")}`;
}
