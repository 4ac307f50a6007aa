/** The sentences of the console, in the language that the person chose. */

/** @typedef {typeof import("../lang/en.js").default} Shell */
/** @typedef {import("../lang/areas.d.ts").Areas} Areas */
/** @typedef {{ [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas]} AreaSentence */
/** @typedef {keyof Shell["sentences"] | AreaSentence} Sentence */

/** Every language by its code, named in itself. */
export const LANGUAGES = /** @type {const} */ ({ en: "English", de: "Deutsch" });

/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Language} */
let language = "en";
/** @type {Record<string, string>} */
let sentences = {};
/** @type {Readonly<Record<string, string>>} */
let failures = {};
let hasFailures = false;
/** @type {Intl.DateTimeFormat | undefined} Slow to make, as the next one is. */
let times;
/** @type {Intl.NumberFormat | undefined} */
let numbers;

/** Chosen on this device; otherwise the first of the browser's languages that there is. */
function chosenLanguage() {
  const wanted = [localStorage.getItem("language") ?? "", ...navigator.languages];
  const codes = wanted.map((tag) => tag.split("-")[0] ?? "");
  return /** @type {Language} */ (codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en");
}

/** Loads the sentences that every page needs. */
export async function loadLanguage() {
  language = chosenLanguage();
  document.documentElement.lang = language;
  /** @type {{ default: Shell }} */
  const shell = await import(`../lang/${language}.js`);
  sentences = { ...shell.default.sentences };
  failures = shell.default.failures;
  hasFailures = false;
  times = numbers = undefined;
}

/**
 * Loads the sentences of an area, before a page of it is made.
 *
 * @param {keyof Areas} area
 */
export async function loadArea(area) {
  Object.assign(sentences, (await import(`../lang/${language}/${area}.js`)).default);
}

/** Loads what failures mean, beyond those of sign-in, unless that is done. */
export async function loadFailures() {
  if (hasFailures) return;
  /** @type {{ default: { failures: Readonly<Record<string, string>> } }} */
  const more = await import(`../lang/${language}/failures.js`);
  failures = { ...failures, ...more.default.failures };
  hasFailures = true;
}

/**
 * A sentence.
 *
 * @param {Sentence} name
 * @param {Readonly<Record<string, string | number>>} [values] The values of its `{name}` placeholders.
 */
export function t(name, values = {}) {
  return (sentences[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/**
 * The meaning of a failure and what to do.
 *
 * @param {string} code
 */
export function failureText(code) {
  return failures[code] ?? t("unexpected", { code });
}

/**
 * The text of an error. The new address of a moved account is text, not a link, so that the reader decides
 * whether to go there.
 *
 * @param {import("./api.js").ApiError} error
 */
export function refusalText({ code, details }) {
  return code === "ACCOUNT_MOVED" ? `${failureText(code)} ${details.movedTo}` : failureText(code);
}

/** The person's own variant of the language, for dates and numbers. */
export function locale() {
  return navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
}

/**
 * A point in time as people read it.
 *
 * @param {string | number} time
 */
export function timeText(time) {
  times ??= new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  return times.format(new Date(time));
}

/**
 * A number with all its digits.
 *
 * @param {number} value
 */
export function numberText(value) {
  // Every supported language writes such a number in the same way.
  if (Number.isInteger(value) && Math.abs(value) < 10_000) return String(value);
  const options = /** @type {const} */ ({ maximumFractionDigits: 20, useGrouping: "min2" });
  numbers ??= new Intl.NumberFormat(locale(), options);
  return numbers.format(value);
}
