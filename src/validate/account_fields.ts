import { countCodePoints, hasControlCharacter } from "./text.ts";

/** Code points of a password. */
const PASSWORD_LENGTH = { minimum: 12, maximum: 256 } as const;

/** Whether a password has an allowed length: 12 to 256 code points. */
export function isAllowedPassword(password: string): boolean {
  const length = countCodePoints(password);
  return length >= PASSWORD_LENGTH.minimum && length <= PASSWORD_LENGTH.maximum;
}

/** Whether a text can be an address: something, an at sign, something; nothing invisible. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text) && !hasControlCharacter(text);
}
