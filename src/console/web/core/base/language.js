/** Texts, dates and numbers in the reader's language. */

export const LANGUAGES = { en: "English", de: "Deutsch" };

let language = "en";

/** @type {Record<string, string>} */
let sentences = {};

/** @type {Texts} */
let failures = {};

/** @type {Map<string, any>} */
const formats = new Map();

/** The device's setting; otherwise the first supported language of the browser. */
export async function loadLanguage() {
  const wanted = [localStorage.getItem("language") ?? "", ...navigator.languages];
  const codes = wanted.map((tag) => tag.split("-")[0] ?? "");
  language = codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
  document.documentElement.lang = language;
  const { default: shell } = await import(`../../lang/${language}.js`);
  sentences = { ...shell.sentences };
  failures = shell.failures;
}

/** @param {keyof Areas} area */
export async function loadArea(area) {
  Object.assign(sentences, (await import(`../../lang/${language}/${area}.js`)).default);
}

/** Texts of failures other than those of sign-in. */
export async function loadFailures() {
  const more = await import(`../../lang/${language}/records.js`);
  failures = { ...failures, ...more.failures };
}

/** @param {Sentence} name @param {Readonly<Record<string, string | number>>} [values] */
export function t(name, values = {}) {
  return (sentences[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** The text of a name that the service gives. @param {string} name @param {string} [other] */
export function textOf(name, other = name) {
  return sentences[name] ?? other;
}

/** @param {string} code */
export function failureText(code) {
  // Families share some: the text of MEMORY_STATE_CONFLICT is that of STATE_CONFLICT.
  const shared = code.replace(/^.*_(?=(STATE|DEDICATED|LEGACY)_)/, "");
  return failures[code] ?? failures[shared] ?? t("unexpected", { code });
}

/**
 * With the new address of a moved account as text. `refusalWords` has it as a link.
 * @param {import("./api.js").ApiError} error
 */
export function refusalText({ code, details }) {
  return code === "ACCOUNT_MOVED" ? `${failureText(code)} ${details.movedTo}` : failureText(code);
}

/** The person's variant of the language, for dates and numbers. */
export function locale() {
  return navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
}

/** Cached: creating a formatter costs a hundred uses. @type {FormatOf} */
export function formatOf(Format, options) {
  const key = `${Format.name} ${locale()} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Format(locale(), options);
  formats.set(key, format);
  return format;
}

/**
 * Rounds to three decimals. Smaller values are powers of ten, because 0 would be wrong.
 * @param {number} value
 */
export function numberText(value) {
  const isTiny = value !== 0 && Math.abs(value) < 0.001;
  return formatNumber(
    value,
    isTiny ? { notation: "scientific", maximumFractionDigits: 2 } : { maximumFractionDigits: 3 },
  );
}

/** @param {number} value @param {Intl.NumberFormatOptions} options */
export function formatNumber(value, options) {
  return formatOf(Intl.NumberFormat, options).format(value);
}
