/** E-mail addresses and numbers in the form in which people are compared. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { trimBlanks } from "./card_uids.ts";

/** Shorter numbers are not compared. */
const MIN_DIGITS = 6;
/** A shorter national number can be another one in each town. */
const MIN_NATIONAL_DIGITS = 7;
const MAX_COUNTRY_DIGITS = 3;
/** Digits at the end that equal numbers share. */
const SHARED_DIGITS = 7;

/** The start of an extension, or a letter. `shared_by_details` has the same characters. */
const END_OF_NUMBER = /[;,#A-Za-z\u00c0-\u1fff\u3041-\ud7ff]/;

interface ComparedNumber {
  /** True with a country code: after `+` or `00`. */
  readonly isInternational: boolean;
  readonly digits: string;
}

/** The digits of a number before its extension, without the prefix. */
export function comparedNumber(text: string): ComparedNumber {
  const own = text.replace(/^[ \t\n\r]*tel:/i, "");
  const end = own.search(END_OF_NUMBER);
  const signs = (end === -1 ? own : own.slice(0, end)).replaceAll(/[^0-9+]/g, "");
  const [prefix = ""] = /^(?:\+|00?)/.exec(signs) ?? [];
  return {
    isInternational: prefix === "+" || prefix === "00",
    digits: signs.slice(prefix.length).replaceAll("+", ""),
  };
}

/**
 * Distinct emails and numbers in compared form: `email:ana@example.org`, `tel:+4930123456`,
 * `tel:30123456`. None for anything but a list of details.
 */
export function comparedForms(details: JsonValue | undefined): string[] {
  const list = Array.isArray(details) ? details.filter(isJsonObject) : [];
  return [
    ...new Set(list.flatMap(({ kind, value }) => {
      const text = isJsonObject(value) ? String(value.value ?? "") : "";
      if (kind === "EMAIL") return emailForm(text);
      if (kind !== "PHONE") return [];
      const { isInternational, digits } = comparedNumber(text);
      return digits.length < MIN_DIGITS ? [] : `tel:${isInternational ? "+" : ""}${digits}`;
    })),
  ];
}

function emailForm(text: string): string {
  return `email:${trimBlanks(text).toLowerCase()}`;
}

/** The text that equal forms share, as `shared_by_details` computes it. */
export function sharedText(form: string): string {
  return form.startsWith("tel:")
    ? `tel:${form.slice("tel:".length).replace("+", "").slice(-SHARED_DIGITS)}`
    : form;
}

/** The texts under which a form is found. */
export function foundUnder(form: string): readonly string[] {
  return [form, ...nationalForms(form).map((national) => `in ${national}`)];
}

/** The texts by which the forms that are equal to one are found. */
export function lookedUpBy(form: string): readonly string[] {
  return [form, `in ${form}`, ...nationalForms(form)];
}

/** True for numbers that are one, and for equal addresses. */
export function isSameForm(one: string, other: string): boolean {
  const found = foundUnder(other);
  return lookedUpBy(one).some((text) => found.includes(text));
}

/** An international number without its country code, whose length is not known. */
function nationalForms(form: string): string[] {
  if (!form.startsWith("tel:+")) return [];
  const digits = form.slice("tel:+".length);
  return Array.from({ length: MAX_COUNTRY_DIGITS }, (_, index) => digits.slice(index + 1))
    .filter(({ length }) => length >= MIN_NATIONAL_DIGITS).map((national) => `tel:${national}`);
}

/** The form in which details of one person are compared; null for anything but these. */
export function comparedDigits(kind: string, { value }: JsonObject): string | null {
  const text = String(value ?? "");
  if (kind === "EMAIL") return emailForm(text);
  const digits = text.replaceAll(/\D/g, "");
  return kind === "PHONE" && digits.length >= MIN_DIGITS ? `tel:${digits}` : null;
}
