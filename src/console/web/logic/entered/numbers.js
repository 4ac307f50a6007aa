/** Numbers and probabilities as the reader's language writes them. */

const NUMBER = /^([+-]?)([\d.,]+)(e[+-]?\d{1,3})?$/i;
const GROUP = /^\d{3}$/;
const DIGITS = /^\d+$/;

/** @param {LineLanguage} language */
function marksOf(language) {
  return language === "de" ? { decimal: ",", other: "." } : { decimal: ".", other: "," };
}

/**
 * Its digits with a point as the only mark, so that none is lost; null for another text. The other
 * mark with exactly three digits after it groups, else it is the decimal mark.
 * @param {string} text @param {LineLanguage} language
 */
export function plainNumber(text, language) {
  const [, sign = "", digits = "", exponent = ""] = NUMBER.exec(
    text.trim().replace("\u2212", "-"),
  ) ?? [];
  const plain = plainDigits(digits, marksOf(language));
  if (plain === null) return null;
  const number = sign.replace("+", "") + plain + exponent;
  return Number.isFinite(Number(number)) ? number : null;
}

/** @param {string} text @param {LineLanguage} language */
export function readNumber(text, language) {
  const plain = plainNumber(text, language);
  return plain === null ? null : Number(plain);
}

/**
 * With a point as the decimal mark, and no other.
 * @param {string} digits @param {{ decimal: string, other: string }} marks
 */
function plainDigits(digits, { decimal, other }) {
  const [whole = "", fraction, ...more] = digits.split(decimal);
  const [first = "", ...groups] = whole.split(other);
  // A group never follows a zero alone: 0,125 is an eighth.
  const isGrouped = DIGITS.test(first) && first !== "0" && groups.every((part) => GROUP.test(part));
  if (fraction === undefined && groups.length === 1 && !isGrouped) {
    return DIGITS.test(`0${first}${groups[0]}`) && groups[0] !== ""
      ? `${first}.${groups[0]}`
      : null;
  }
  const isWhole = isGrouped || whole === "0" || (whole === "" && fraction !== undefined);
  if (!isWhole || more.length > 0 || (fraction !== undefined && !DIGITS.test(fraction))) {
    return null;
  }
  return [first, ...groups].join("") + (fraction === undefined ? "" : `.${fraction}`);
}

/** @param {string} plain As `plainNumber` gives it. @param {LineLanguage} language */
export function writtenNumber(plain, language) {
  return plain.replace(".", marksOf(language).decimal);
}

/**
 * A probability from 0 to 1: `70`, `70 %` and `0.7` are the same; null for another text. A number
 * up to 1 without a percent sign is a share of one.
 * @param {string} text @param {LineLanguage} language
 */
export function readShare(text, language) {
  const typed = text.trim();
  const isPercent = typed.endsWith("%");
  const number = readNumber(isPercent ? typed.slice(0, -1) : typed, language);
  if (number === null || number < 0 || number > 100) return null;
  return isPercent || number > 1 ? number / 100 : number;
}
