/** Fields whose texts are read as the reader's language writes them. */

import { delayed } from "../core/acts/typing.js";
import { h } from "../core/base/elements.js";
import { formatNumber, loadArea, t } from "../core/base/language.js";
import { readPersonDate } from "../logic/entered/days.js";
import { plainNumber, readShare, writtenNumber } from "../logic/entered/numbers.js";
import { UNITS } from "../logic/entered/units.js";
import { field, KEPT_HERE, newId } from "./controls/rows.js";
import { shareText } from "./shown/figures.js";

await loadArea("entered");

/** The usual unit of a kind of measurement; empty for none. @param {string} kind */
export function unitOf(kind) {
  return UNITS[kind]?.[0] ?? "";
}

/** So that a screen reader is not interrupted at each key. */
const PAUSE_MS = 250;

/** @returns {LineLanguage} */
function language() {
  return document.documentElement.lang === "de" ? "de" : "en";
}

/**
 * A line of text that is read as it is typed; its value is shown below it. A text that cannot be
 * read is its own value.
 * @param {LineRow} row @param {EnteredForm} form
 */
function enteredControl({ name, sensitive, inputmode }, { read, written, said, refused }) {
  const about = { id: newId(), name, autocomplete: "off", inputmode };
  const input = h("input", { ...about, ...(sensitive && KEPT_HERE) });
  const note = h("p.hint", { id: newId(), role: "status", hidden: true });
  const show = () => {
    const value = read(input.value);
    note.hidden = input.value.trim() === "";
    note.textContent = value === null ? refused(input.value) : t("readAs", { value: said(value) });
  };
  input.addEventListener("input", delayed(show, PAUSE_MS).soon);
  return {
    target: input,
    note: { element: note, id: note.id },
    text: () => read(input.value) ?? input.value,
    setText(/** @type {string} */ text) {
      const own = text === "" ? "" : written(text);
      // A text that would be read as another value is shown as it is.
      input.value = read(own) === text ? own : text;
      show();
    },
    problem: () =>
      input.value.trim() === "" || read(input.value) !== null ? "" : refused(input.value),
  };
}

/** Its value has a point as the decimal mark. @param {LineRow} row */
function numberControl(row) {
  return enteredControl({ inputmode: "decimal", ...row }, {
    read: (text) => plainNumber(text, language()),
    written: (value) => writtenNumber(value, language()),
    said: (value) => formatNumber(Number(value), { maximumFractionDigits: 10 }),
    refused: () => t("numberNotRead"),
  });
}

/** An input among the filters of a list. @param {LineRow} row @param {string} value */
export function numberFilter(row, value) {
  const control = numberControl(row);
  control.target.setAttribute("aria-describedby", control.note.id);
  control.setText(value);
  return control;
}

/** @param {LineRow} row */
export function numberField(row) {
  return field(row, numberControl(row));
}

/** A share of one, such as a probability, as a percentage. @param {LineRow} row */
export function shareField(row) {
  const form = {
    read: (/** @type {string} */ text) => readShare(text, language())?.toString() ?? null,
    written: (/** @type {string} */ value) =>
      `${writtenNumber(String(percentOf(value)), language())} %`,
    said: shareOf,
    refused: () => t("shareNotRead"),
  };
  const hinted = { inputmode: "decimal", ...row, hint: t("shareHint") };
  return field(hinted, enteredControl(hinted, form));
}

/** @param {string} value */
function shareOf(value) {
  return shareText(Number(value));
}

/** Without the error of the product. @param {string} value */
function percentOf(value) {
  return Number((Number(value) * 100).toPrecision(12));
}

/** Names of the sentences for texts that are not a person's date. */
const DATE_PROBLEMS = /** @type {const} */ ({
  FORM: "dateNotRead",
  MONTH: "dayMissing",
  UNREAL: "noSuchDay",
});

/**
 * A day with or without a year, or a year, as a person's details have it.
 * @param {LineRow} row @param {(date: string) => string} dateText
 */
export function personDateField(row, dateText) {
  const read = (/** @type {string} */ text) => readPersonDate(text, language());
  const form = {
    read: (/** @type {string} */ text) => read(text).date,
    written: (/** @type {string} */ value) => read(value).date === null ? value : dateText(value),
    said: dateText,
    refused: (/** @type {string} */ text) => t(DATE_PROBLEMS[read(text).problem ?? "FORM"]),
  };
  return field(row, enteredControl(row, form));
}
