/** The sentences of the console, in the language of the page. */

import en from "../lang/en.js";

/** @typedef {keyof typeof en.sentences} Sentence */

/**
 * A sentence.
 *
 * @param {Sentence} name
 * @param {Readonly<Record<string, string | number>>} [values] What stands for each `{name}` in it.
 */
export function t(name, values = {}) {
  return en.sentences[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/**
 * What a failure means and what can be done.
 *
 * @param {string} code
 */
export function failureText(code) {
  const failures = /** @type {Readonly<Record<string, string>>} */ (en.failures);
  return failures[code] ?? t("unexpected", { code });
}

/**
 * A point in time as people read it, with its offset.
 *
 * @param {string | number} time
 */
export function timeText(time) {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
    .format(new Date(time));
}
