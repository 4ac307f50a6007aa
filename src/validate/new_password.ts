/**
 * The rules for a new password (NIST SP 800-63B, 5.1.1.2): long enough, and not easy to guess. Existing
 * passwords are not checked again.
 */

import { payloadInvalid } from "../errors/service_error.ts";
import { isKnownPassword } from "./known_passwords.ts";
import { caselessKey, countCodePoints, isLongerThan } from "./text.ts";

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Code points of a password. */
export const PASSWORD_LENGTH = { minimum: 12, maximum: 256 } as const;

/** The rules by their names in error details, each with its text for an operator. */
export const PASSWORD_RULES = {
  "account.password_length": "A password has 12 to 256 characters",
  "account.password_known": "The password is one of those that are guessed first",
  "account.password_repetitive": "The password repeats itself, or has few different characters",
  "account.password_sequence": "The password follows the alphabet, the digits or the keyboard",
  "account.password_is_service": "The password is the name of the service, or little more",
  "account.password_is_email": "The password is the email of the account, or little more",
  "account.password_unchanged": "The password is the one that the account has",
} as const;

export type PasswordRule = keyof typeof PASSWORD_RULES;

/** The rules that a password breaks for any account; only the length if that is wrong. */
export function brokenPasswordRules(password: string): PasswordRule[] {
  if (!hasPasswordLength(password)) return ["account.password_length"];
  // Characters without a shape make it no harder to guess.
  const text = caselessKey(password).replace(INVISIBLE, "");
  const broken: readonly [PasswordRule, boolean][] = [
    ["account.password_known", isKnownPassword(text)],
    ["account.password_repetitive", isRepetitive([...text])],
    ["account.password_sequence", isSequence(text)],
    ["account.password_is_service", isLittleMoreThan(text, SERVICE_NAMES)],
  ];
  return broken.filter(([, isBroken]) => isBroken).map(([rule]) => rule);
}

function hasPasswordLength(password: string): boolean {
  return !isLongerThan(password, PASSWORD_LENGTH.maximum) &&
    countCodePoints(password) >= PASSWORD_LENGTH.minimum;
}

/** Whether a password is an account's email or the part before its at sign, or little more than that. */
export function isPasswordOfEmail(password: string, email: string): boolean {
  const [name = ""] = email.split("@");
  return isLittleMoreThan(caselessKey(password), [email, name].map(caselessKey));
}

/**
 * Checks a new password for its account.
 *
 * @param account `former` is the password that it replaces, if known.
 * @param field The body's member that contains the password.
 * @throws ServiceError `PAYLOAD_INVALID` with the names of the rules that it breaks.
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

/** Each piece takes one guess: fewer pieces than this are not a password. */
const FEWEST_PIECES = 5;

/** Few different characters, or a unit, too short to be a password by itself, over and over. */
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

/** Ways that fingers and memories go: digits, alphabet, the rows and columns of keyboards. */
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

/** Whether a text is made of fewer than five pieces: runs along a way, and single characters. */
function isSequence(text: string): boolean {
  let pieces = 0;
  for (let start = 0; start < text.length; pieces++) {
    if (pieces >= FEWEST_PIECES - 1) return false;
    start += runLength(text, start);
  }
  return true;
}

/** The length of the sequence from `start`: 1 if it is shorter than a run. */
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
/** Characters next to a word that would be a password by themselves; the minimum length of SP 800-63B. */
const ENOUGH_BESIDE_A_WORD = 8;

/** Whether next to nothing is left of a text without one of the words. Only letters and digits count. */
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
