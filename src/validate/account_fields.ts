import type { JsonSchema } from "./json_schema.ts";
import { brokenPasswordRules, PASSWORD_LENGTH } from "./new_password.ts";
import { type Schema, stringMatching } from "./schema.ts";
import { hasControlCharacter, isLongerThan } from "./text.ts";

const EMAIL_LENGTH = 254;

/** Text, an at sign, text; no invisible characters. */
export function isEmail(text: string): boolean {
  return !isLongerThan(text, EMAIL_LENGTH) && /^[^\s@]+@[^\s@]+$/.test(text) &&
    !hasControlCharacter(text);
}

export const emailAddress: Schema<string> = stringMatching("account.email", isEmail, {
  type: "string",
  maxLength: EMAIL_LENGTH,
  pattern: "^[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+$",
});

const NEW_PASSWORD: JsonSchema = {
  type: "string",
  format: "password",
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
  description: "Must not be easy to guess: a known password, a repetition, a sequence, the " +
    "account's email, the service's name, or the password that it replaces.",
};

export const newPassword: Schema<string> = {
  json: NEW_PASSWORD,
  check(value, field, violations) {
    if (typeof value !== "string") return violations.add("field.type", field);
    for (const rule of brokenPasswordRules(value)) violations.add(rule, field);
    return value;
  },
};
