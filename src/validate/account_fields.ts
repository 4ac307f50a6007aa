import type { JsonSchema } from "./json_schema.ts";
import { type Schema, stringWhere } from "./schema.ts";
import { countCodePoints, hasControlCharacter, isLongerThan } from "./text.ts";

/** Code points of a password. */
const PASSWORD_LENGTH = { minimum: 12, maximum: 256 } as const;

/** Whether a password has an allowed length: 12 to 256 code points. */
export function isAllowedPassword(password: string): boolean {
  const length = countCodePoints(password);
  return length >= PASSWORD_LENGTH.minimum && length <= PASSWORD_LENGTH.maximum;
}

/** Code points of an email address. */
const EMAIL_LENGTH = 254;

/** Whether a text can be an address: something, an at sign, something; nothing invisible. */
export function isEmail(text: string): boolean {
  return !isLongerThan(text, EMAIL_LENGTH) && /^[^\s@]+@[^\s@]+$/.test(text) &&
    !hasControlCharacter(text);
}

/** An account's email address. */
export const emailAddress: Schema<string> = stringWhere("account.email", isEmail, {
  type: "string",
  maxLength: EMAIL_LENGTH,
  pattern: "^[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+$",
});

/** What a client is told of a password that an account can get. */
export const NEW_PASSWORD: JsonSchema = {
  type: "string",
  format: "password",
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
};

/** A password that an account can get. */
export const newPassword: Schema<string> = stringWhere(
  "account.password_length",
  isAllowedPassword,
  NEW_PASSWORD,
);
