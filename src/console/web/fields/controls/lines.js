/** Fields of text. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { field, KEPT_HERE, newId } from "./rows.js";

/** @param {LineRow} row */
export function lineField(row) {
  const { name, type = "text", autocomplete = "off", inputmode, words, sensitive } = row;
  const about = { id: newId(), name, type, autocomplete, inputmode, class: words && "words" };
  const input = h("input", { ...about, ...(sensitive && KEPT_HERE) });
  return field(row, controlOf(input));
}

/** @param {string} name @param {string} label @param {boolean} [isNew] */
export function passwordField(name, label, isNew) {
  const row = { name, label, required: true, type: "password" };
  return isNew
    ? lineField({ ...row, hint: t("passwordHint"), autocomplete: "new-password" })
    : lineField({ ...row, autocomplete: "current-password" });
}

/** For an authenticator's code, or a recovery code. */
export function codeField() {
  const row = { name: "code", label: t("secondFactor"), hint: t("secondFactorHint") };
  return lineField({ ...row, required: true, autocomplete: "one-time-code" });
}

/** A person's text; if `exact`, for machines. @param {FieldRow & { exact?: boolean }} row */
export function linesField(row) {
  const { name, exact, sensitive } = row;
  const about = { id: newId(), name, class: exact ? "exact" : "words", rows: 4 };
  const area = h("textarea", {
    ...about,
    ...(exact && { spellcheck: "false", autocapitalize: "off" }),
    ...(sensitive && KEPT_HERE),
  });
  return field(row, controlOf(area));
}

/** @type {(input: HTMLInputElement | HTMLTextAreaElement) => FieldControl} */
function controlOf(input) {
  return {
    target: input,
    text: () => input.value,
    setText(text) {
      input.value = text;
    },
  };
}

export function emailField() {
  const row = { name: "email", label: t("email"), required: true };
  return lineField({ ...row, type: "email", autocomplete: "username" });
}
