/** Measures of text. Lengths count Unicode code points; nothing here rewrites a text. */

const CONTROL_CHARACTER = /\p{Cc}/u;

/** SHA-256 in lower-case hex. */
export const SHA256_HEX = /^[0-9a-f]{64}$/;

/** Counts code points only if needed. */
export function isLongerThan(text: string, maximum: number): boolean {
  // A code point has one or two UTF-16 units, so most texts need no counting.
  if (text.length <= maximum) return false;
  if (text.length > maximum * 2) return true;
  return countCodePoints(text) > maximum;
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (const _codePoint of text) count++;
  return count;
}

export function firstCodePoints(text: string, count: number): string {
  // A code point has at most two units. A half at the cut is beyond the count.
  return Array.from(text.slice(0, count * 2)).slice(0, count).join("");
}

/** The order of texts by code point; `<` compares UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  const [ones, others] = [Array.from(one), Array.from(other)];
  const index = ones.findIndex((letter, index) => letter !== others[index]);
  if (index === -1) return ones.length - others.length;
  return (ones[index]?.codePointAt(0) ?? 0) - (others[index]?.codePointAt(0) ?? -1);
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** False for characters that no database stores. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** U+0000 to U+001F or U+007F to U+009F. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/**
 * Returns a key for comparison: texts with equal keys differ only in case, or in the encoding of
 * the same characters. Only for texts of limited length: the time grows with the square of
 * consecutive combining marks.
 */
export function caselessKey(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

const MAX_COMPARED = 500;

/**
 * Returns a key for comparison: texts with equal keys are equal after trimming and NFC. A text of
 * more than 500 code points, too long for every list, is not normalised, because the time grows
 * with the square of consecutive combining marks.
 */
export function comparisonKey(text: string): string {
  const trimmed = text.trim();
  return isLongerThan(trimmed, MAX_COMPARED) ? trimmed : trimmed.normalize("NFC");
}

/** The first occurrence stays as written. */
export function distinctTexts(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const key = comparisonKey(text);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
