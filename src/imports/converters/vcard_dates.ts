/** Days in cards. */

import { DATE_WORDS, parseDetailDate } from "../../families/relationship/import_port.ts";
import { readDay } from "./dates.ts";
import { type ContentLine, unescapeText } from "./vcard_lines.ts";

/** Words of dates by property. The word of an `X-ABDATE` depends on its label. */
export const DATES: ReadonlyMap<string, string | null> = new Map([
  ["BDAY", "BIRTHDAY"],
  ["ANNIVERSARY", "ANNIVERSARY"],
  ["X-ANNIVERSARY", "ANNIVERSARY"],
  ["X-MS-ANNIVERSARY", "ANNIVERSARY"],
  ["X-EVOLUTION-ANNIVERSARY", "ANNIVERSARY"],
  ["X-KADDRESSBOOK-X-ANNIVERSARY", "ANNIVERSARY"],
  ["DEATHDATE", "DEATH"],
  ["X-DEATHDATE", "DEATH"],
  ["X-ABDATE", null],
]);

/** The word of a date; undefined for a property that is not one. */
export function dateWord(
  { name, label, isOwnCard }: {
    readonly name: string;
    readonly label: string | null;
    /** True if this service wrote the card: the label of an `X-ABDATE` may be the word then. */
    readonly isOwnCard: boolean;
  },
): string | undefined {
  const word = DATES.get(name);
  if (word !== null) return word;
  if (label === "Anniversary") return "ANNIVERSARY";
  return DATE_WORDS.find((own) => own === label && (isOwnCard || own === "MET")) ?? "OTHER";
}

/** Characters; a longer text is not a day. */
const MAX_DAY = 150;
const TIME = String.raw`(?:[T ][\d:.,+-]+(?: ?[ap]m)?(?: ?(?:Z|UTC|GMT))?(?: ?[+-][\d:]+)?)?`;
const CARD_DAY = new RegExp(String.raw`^(\d{4}-?|--)(\d{2})-?(\d{2})${TIME}$`, "i");
/** A day without a separator before its time. */
const LONG_DAY = /^(\d{8})\d{6}Z?$/i;
/** A month, with or without a year, and a day of the month. */
const PART_OF_DAY = new RegExp(String.raw`^(?:\d{4}-\d{2}|--\d{2}|---\d{2})${TIME}$`, "i");
/** Years that mean no year: of several products, and of Apple's. */
const NO_YEARS: readonly string[] = ["0000", "1604"];

interface CardDay {
  /** In a form of details; null if the line is not a day. */
  readonly date: string | null;
  /** True for a value that is neither a day, nor a part of one, nor a text. */
  readonly isWrong: boolean;
}

export function readCardDay({ parameters, value }: ContentLine): CardDay {
  const stated = unescapeText(value).trim();
  const [kind = "", omitted = "1604", calendar = "gregorian"] = [
    "VALUE",
    "X-APPLE-OMIT-YEAR",
    "CALSCALE",
  ]
    .map((name) => parameters.get(name)?.[0]);
  if (kind.toLowerCase() === "text") return { date: null, isWrong: false };
  if (stated.length > MAX_DAY || calendar.toLowerCase() !== "gregorian") {
    return { date: null, isWrong: true };
  }
  if (PART_OF_DAY.test(stated)) return { date: null, isWrong: false };
  const day = /^\d{4}$/.test(stated) ? stated : wholeDay(stated);
  const date = day?.replace(
    /^(\d{4})-(?=\d)/,
    (whole, year) => [...NO_YEARS, omitted].includes(year) ? "--" : whole,
  ) ?? "";
  return parseDetailDate(date) === null ? { date: null, isWrong: true } : { date, isWrong: false };
}

/** `YYYY-MM-DD` or `--MM-DD`, also for a day that does not exist. */
function wholeDay(stated: string): string | null {
  const text = LONG_DAY.exec(stated)?.[1] ?? stated;
  const [, year, month, day] = CARD_DAY.exec(text) ?? [];
  if (year === undefined) return readDay(text);
  return year === "--" ? `--${month}-${day}` : `${year.slice(0, 4)}-${month}-${day}`;
}
