/** Written numbers with groups of digits, units and currencies. */

export interface WrittenNumber {
  readonly value: number;
  /** The unit after it, or the currency before it; undefined for none. */
  readonly unit: string | undefined;
}

/** Characters of a number with its unit. */
const MAX_LENGTH = 100;
const SIGN = /^[-+\u2212]?/;
const BEFORE = /^(?:[A-Z]{3}|[A-Z]{0,3}\p{Sc})(?=\s?[-+\u2212\d.,])/u;
/** Digits, the marks between them and an exponent; the rest is the unit. */
const NUMBER = /^([\d.,' \u00a0\u202f\u2019]*[\d.,])(?:e([-+]?\d{1,3})(?!\w))?\s*(.*)$/isu;
const UNIT = /^[\p{L}\p{Sc}%‰°][^\d]{0,40}(?:(?<=\p{L})[23])?$/u;
const GROUP = /[,.' \u00a0\u202f\u2019]/;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Reads a number that has only one meaning.
 *
 * @param decimal The mark before decimals. Null means `.`; then one group after a comma alone is
 * refused, because the comma could be either mark.
 * @returns Null for anything else.
 */
export function readNumber(cell: string, decimal: "." | "," | null): WrittenNumber | null {
  const text = cell.trim();
  if (text.length > MAX_LENGTH) return null;
  const [sign, unsigned] = take(SIGN, text);
  const [code, amount] = take(BEFORE, unsigned);
  const currency = isCurrency(code) ? code : "";
  const rest = currency === "" ? unsigned : amount;
  const [inner, number] = sign === "" && currency !== "" ? take(SIGN, rest) : ["", rest];
  const parts = NUMBER.exec(number);
  if (parts === null) return null;
  const [, digits = "", exponent = "0", unit = ""] = parts;
  if (unit !== "" && (currency !== "" || !UNIT.test(unit))) return null;
  const plain = withoutGroups(digits, decimal);
  const value = Number(`${plain}e${exponent}`);
  if (plain === null || !Number.isFinite(value)) return null;
  const isNegative = /[-\u2212]/.test(sign + inner);
  return { value: isNegative ? -value : value, unit: currency || unit || undefined };
}

/** Splits a text after the match of a pattern, and after the blanks that follow it. */
function take(pattern: RegExp, text: string): readonly [found: string, rest: string] {
  const found = pattern.exec(text)?.[0] ?? "";
  return [found, text.slice(found.length).trimStart()];
}

/** The digits with `.` before decimals; null if the marks between them are not clear. */
function withoutGroups(digits: string, decimal: "." | "," | null): string | null {
  const mark = decimal ?? ".";
  const [whole = "", fraction = "", ...others] = digits.split(mark);
  if (others.length > 0 || !/^\d*$/.test(fraction) || whole + fraction === "") return null;
  const [first = "", ...groups] = whole.split(GROUP);
  if (groups.length === 0) return `${first || "0"}.${fraction || "0"}`;
  const between = new Set(whole.replaceAll(/\d/g, ""));
  const isGrouped = between.size === 1 && /^[1-9]\d{0,2}$/.test(first) &&
    groups.every((group) => /^\d{3}$/.test(group));
  const isUnclear = decimal === null && groups.length === 1 && between.has(",") &&
    !digits.includes(mark);
  return isGrouped && !isUnclear ? `${first}${groups.join("")}.${fraction || "0"}` : null;
}

/** True for a currency's sign or code. */
export function isCurrency(unit: string): boolean {
  return CURRENCIES.has(unit) || /^[A-Z]{0,3}\p{Sc}$/u.test(unit);
}
