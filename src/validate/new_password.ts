/**
 * NIST SP 800-63B, 5.1.1.2: long enough, and not easy to guess. Existing passwords are not checked
 * again.
 */

import { payloadInvalid } from "../errors/service_error.ts";
import { isKnownPassword } from "./known_passwords.ts";
import { caselessKey, countCodePoints, isLongerThan } from "./text.ts";

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Allowed lengths, in code points. */
export const PASSWORD_LENGTH = { minimum: 12, maximum: 256 } as const;

export const PASSWORD_RULES = {
  "account.password_length": "A password has 12 to 256 characters",
  "account.password_known": "The password is too common",
  "account.password_repetitive": "The password repeats itself, or has few different characters",
  "account.password_sequence": "The password follows the alphabet, the digits or the keyboard",
  "account.password_is_service": "The password is too similar to the service's name",
  "account.password_is_email": "The password is too similar to the account's email",
  "account.password_unchanged": "The password is the current one",
} as const;

export type PasswordRule = keyof typeof PASSWORD_RULES;

/** Returns the violated rules that apply to any account; only the length if that is wrong. */
export function brokenPasswordRules(password: string): PasswordRule[] {
  if (!hasPasswordLength(password)) return ["account.password_length"];
  // Invisible characters make no password harder to guess.
  const text = caselessKey(password).replace(INVISIBLE, "");
  const broken: readonly [PasswordRule, boolean][] = [
    ["account.password_known", isKnownPassword(text)],
    ["account.password_repetitive", isRepetitive([...text])],
    ["account.password_sequence", isSequence(text)],
    ["account.password_is_service", isLittleMoreThan(text, SERVICE_NAMES)],
  ];
  return broken.filter(([, isBroken]) => isBroken).map(([rule]) => rule);
}

export function hasPasswordLength(password: string): boolean {
  return !isLongerThan(password, PASSWORD_LENGTH.maximum) &&
    countCodePoints(password) >= PASSWORD_LENGTH.minimum;
}

/** True if the password is little more than the email or the part before its at sign. */
export function isPasswordOfEmail(password: string, email: string): boolean {
  const [name = ""] = email.split("@");
  return isLittleMoreThan(caselessKey(password), [email, name].map(caselessKey));
}

/**
 * @param account `former` is the password to be replaced, if known.
 * @param field The body's member with the password.
 * @throws ServiceError `PAYLOAD_INVALID` with the names of the violated rules.
 */
export function checkNewPassword(
  password: string,
  account: { readonly email: string; readonly former?: string },
  field: string,
): void {
  const rules: PasswordRule[] = [];
  if (isPasswordOfEmail(password, account.email)) rules.push("account.password_is_email");
  // Hashing treats two encodings of the same characters as equal.
  if (account.former?.normalize("NFKC") === password.normalize("NFKC")) {
    rules.push("account.password_unchanged");
  }
  if (rules.length > 0) throw payloadInvalid(rules, [field]);
}

/** Minimum pieces of a password: each piece takes one guess. */
const FEWEST_PIECES = 5;

/** Few different characters, or a repeated short unit. */
function isRepetitive(characters: readonly string[]): boolean {
  if (new Set(characters).size < FEWEST_PIECES) return true;
  const longestUnit = Math.min(PASSWORD_LENGTH.minimum - 1, Math.floor(characters.length / 2));
  for (let unit = 1; unit <= longestUnit; unit++) {
    if (characters.every((one, index) => index < unit || one === characters[index - unit])) {
      return true;
    }
  }
  return false;
}

/** Sequences that passwords follow: digits, alphabet, the rows and columns of keyboards. */
const WAYS = [
  "0123456789".repeat(3),
  "abcdefghijklmnopqrstuvwxyz".repeat(2),
  "1234567890-=",
  "!@#$%^&*()_+",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertyuiop[]\\",
  "asdfghjkl;'",
  "zxcvbnm,./",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "йцукенгшщзхъфывапролджэячсмитьбю",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "qazwsxedcrfvtgbyhnujmikolp",
  "1q2w3e4r5t6y7u8i9o0p",
].flatMap((way) => [way, [...way].reverse().join("")]);

/** Shorter sequences may occur by chance. */
const SHORTEST_RUN = 3;

/** Fewer than five pieces: runs of a sequence, and single characters. */
function isSequence(text: string): boolean {
  let pieces = 0;
  for (let start = 0; start < text.length; pieces++) {
    if (pieces >= FEWEST_PIECES - 1) return false;
    start += runLength(text, start);
  }
  return true;
}

/** Returns 1 if the sequence is shorter than a run. */
function runLength(text: string, start: number): number {
  const goesOn = (length: number) =>
    start + length <= text.length &&
    WAYS.some((way) => way.includes(text.slice(start, start + length)));
  let length = SHORTEST_RUN;
  if (!goesOn(length)) return 1;
  while (goesOn(length + 1)) length++;
  return length;
}

const SERVICE_NAMES = ["personalrecordsservice", "personalrecords"];
/** Shorter words occur in too many others. */
const SHORTEST_WORD = 4;
/** Characters that would be a password by themselves (the minimum length of SP 800-63B). */
const ENOUGH_BESIDE_A_WORD = 8;

/** Almost nothing remains without one of the words. Only letters and digits count. */
function isLittleMoreThan(text: string, words: readonly string[]): boolean {
  const letters = lettersAndDigits(text);
  return words.map(lettersAndDigits).some((word) =>
    countCodePoints(word) >= SHORTEST_WORD && letters.includes(word) &&
    countCodePoints(letters.replaceAll(word, "")) < ENOUGH_BESIDE_A_WORD
  );
}

function lettersAndDigits(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}
