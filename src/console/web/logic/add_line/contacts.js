/** Phone numbers and mail addresses after a name. */

import { writtenDay } from "../entered/days.js";
import { tokensOf, typed } from "./tokens.js";

const MAIL = /^<?([^\s@<>]+@[^\s@<>]+\.[^\s@<>.,;]+)>?[,;]?$/;
const DIGITS_OF_PHONE = /^[+(]*\d[\d()./-]*[,;]?$/;
const DATE = /^(?:\d{1,2}([./-])\d{1,2}\1(?:\d\d){1,2}|\d{4}-\d\d-\d\d)[,;]?$/;
const FEWEST_DIGITS = 6;
/** From this many digits on, a phone number is complete, and another one can begin. */
const WHOLE_DIGITS = 10;
const MAX_PHONE = 40;
const MAX_MAIL_LENGTH = 254;

/**
 * The details in a text, and the name that is left. A number has six digits or more; a date is not
 * one.
 * @param {string} text @param {ReadonlySet<string>} kept
 */
export function findContacts(text, kept) {
  /** @type {{ kind: "PHONE" | "EMAIL", words: string }[]} */
  const details = [];
  /** @type {LineToken[]} */
  const name = [];
  /** @type {LineToken[]} */
  let run = [];
  const endRun = () => {
    const words = typed(text, run).replace(/[,;]$/, "");
    const digits = words.replace(/\D/g, "").length;
    const isPhone = digits >= FEWEST_DIGITS && words.length <= MAX_PHONE && !kept.has(words);
    if (isPhone) details.push({ kind: "PHONE", words });
    else name.push(...run);
    run = [];
  };
  for (const token of tokensOf(text)) {
    const mail = token.word.length > MAX_MAIL_LENGTH ? undefined : MAIL.exec(token.word)?.[1];
    if (isPartOfPhone(token)) {
      if (startsPhone(token, run)) endRun();
      run.push(token);
      if (/[,;]$/.test(token.word)) endRun();
      continue;
    }
    endRun();
    if (mail === undefined || kept.has(mail)) name.push(token);
    else details.push({ kind: "EMAIL", words: mail });
  }
  endRun();
  if (details.length === 0) return { details, name: text.trim() };
  return { details, name: name.map(({ word }) => word).join(" ").replace(/[,;:]$/, "") };
}

/** @param {LineToken} token */
function isPartOfPhone({ word }) {
  return word.length <= MAX_PHONE && DIGITS_OF_PHONE.test(word) && !DATE.test(word) &&
    writtenDay(word, "de") === null;
}

/** After digits that are not a phone number, or are a whole one. @type {StartsPhone} */
function startsPhone({ word }, run) {
  const [first] = run;
  if (first === undefined || !/^[+0]/.test(word)) return false;
  // A long run is refused as a whole.
  const digits = run.length > WHOLE_DIGITS ? 0 : run.map((token) => token.word).join("").length;
  return word.startsWith("+") || !/^[+(0]/.test(first.word) || digits >= WHOLE_DIGITS;
}
