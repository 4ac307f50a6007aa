/** The form of a title by which lists order it. Pure. */

import { firstCodePoints } from "../../validate/text.ts";
import { runsOf } from "./words.ts";

/** In code points. */
export const FORM_LENGTH = 64;

/** Letters without a decomposition, in the letters of the order form. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

/** A folded word in the letters of the order form: `łodz` as `lodz`. */
export function orderLetters(folded: string): string {
  return folded.replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter);
}

/**
 * The folded words of a title, joined by one space each, at most 64 code points. Forms compare by
 * code point.
 */
export function orderForm(title: string): string {
  return firstCodePoints(wholeOrderForm(title), FORM_LENGTH);
}

/** The same of any length. */
export function wholeOrderForm(title: string): string {
  return runsOf(title).map(orderLetters).join(" ");
}
