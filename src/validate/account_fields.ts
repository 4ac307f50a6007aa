import type { JsonSchema } from "./json_schema.ts";
import { brokenPasswordRules, PASSWORD_LENGTH } from "./new_password.ts";
import { type Schema, stringMatching } from "./schema.ts";
import { hasControlCharacter, isLongerThan } from "./text.ts";

/** Whether an account can get a password; some depends on the account too. */
export function isAllowedPassword(password: string): boolean {
  return brokenPasswordRules(password).length === 0;
}

/** Code points of an email address. */
const EMAIL_LENGTH = 254;

/** Whether a text can be an address: something, an at sign, something; nothing invisible. */
export function isEmail(text: string): boolean {
  return !isLongerThan(text, EMAIL_LENGTH) && /^[^\s@]+@[^\s@]+$/.test(text) &&
    !hasControlCharacter(text);
}

/** An account's email address. */
export const emailAddress: Schema<string> = stringMatching("account.email", isEmail, {
  type: "string",
  maxLength: EMAIL_LENGTH,
  pattern: "^[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+$",
});

/** The JSON Schema of a new password. */
export const NEW_PASSWORD: JsonSchema = {
  type: "string",
  format: "password",
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
  description: "Not one that is guessed first: a known one, a repetition, a sequence, the " +
    "account's email, the service's name, or the password that it replaces.",
};

/** A password that an account can get. */
export const newPassword: Schema<string> = {
  json: NEW_PASSWORD,
  check(value, field, violations) {
    if (typeof value !== "string") return violations.add("field.type", field);
    for (const rule of brokenPasswordRules(value)) violations.add(rule, field);
    return value;
  },
};
