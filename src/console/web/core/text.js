/** @typedef {typeof import("../lang/en.js").default} Shell */
/** @typedef {import("../lang/areas.d.ts").Areas} Areas */
/** @typedef {{ [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas]} AreaSentence */
/** @typedef {keyof Shell["sentences"] | AreaSentence} Sentence */

/** Names in their own language. */
export const LANGUAGES = /** @type {const} */ ({ en: "English", de: "Deutsch" });

/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Language} */
let language = "en";
/** @type {Record<string, string>} */
let sentences = {};
/** @type {Readonly<Record<string, string>>} */
let failures = {};
let hasFailures = false;
/** @type {Intl.DateTimeFormat | undefined} Cached: slow to create. */
let times;
/** @type {Intl.NumberFormat | undefined} */
let numbers;

/** The device's setting; otherwise the first supported language of the browser. */
function chosenLanguage() {
  const wanted = [localStorage.getItem("language") ?? "", ...navigator.languages];
  const codes = wanted.map((tag) => tag.split("-")[0] ?? "");
  return /** @type {Language} */ (codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en");
}

/** The texts of every page. */
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
 * The texts of an area, needed before its pages are drawn.
 *
 * @param {keyof Areas} area
 */
export async function loadArea(area) {
  Object.assign(sentences, (await import(`../lang/${language}/${area}.js`)).default);
}

/** Texts of failures other than those of sign-in. */
export async function loadFailures() {
  if (hasFailures) return;
  /** @type {{ default: { failures: Readonly<Record<string, string>> } }} */
  const more = await import(`../lang/${language}/failures.js`);
  failures = { ...failures, ...more.default.failures };
  hasFailures = true;
}

/**
 * @param {Sentence} name
 * @param {Readonly<Record<string, string | number>>} [values] Values of `{name}` placeholders.
 */
export function t(name, values = {}) {
  return (sentences[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/**
 * Meaning, and what to do.
 *
 * @param {string} code
 */
export function failureText(code) {
  return failures[code] ?? t("unexpected", { code });
}

/**
 * The address of a moved account is text, not a link: the reader decides whether to go there.
 *
 * @param {import("./api.js").ApiError} error
 */
export function refusalText({ code, details }) {
  return code === "ACCOUNT_MOVED" ? `${failureText(code)} ${details.movedTo}` : failureText(code);
}

const PASSWORD_RULES = /** @type {Readonly<Record<string, keyof Areas["set_up"]>>} */ ({
  "account.password_length": "passwordTooShort",
  "account.password_known": "passwordKnown",
  "account.password_repetitive": "passwordRepetitive",
  "account.password_sequence": "passwordSequence",
  "account.password_is_service": "passwordIsService",
  "account.password_is_email": "passwordIsEmail",
  "account.password_unchanged": "passwordUnchanged",
});

/**
 * Explains a rule of new passwords; empty for other rules. The catalog, which states those, cannot
 * be read before sign-in. Reads the area `set_up`.
 *
 * @param {string} rule
 */
export function passwordRuleText(rule) {
  const sentence = PASSWORD_RULES[rule];
  return sentence === undefined ? "" : t(sentence);
}

/** The person's variant of the language, for dates and numbers. */
export function locale() {
  return navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
}

/** @param {string | number} time */
export function timeText(time) {
  times ??= new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  return times.format(new Date(time));
}

/**
 * Rounds to three decimals. Smaller values are powers of ten, because 0 would be wrong.
 *
 * @param {number} value
 */
export function numberText(value) {
  // All supported languages write such numbers alike.
  if (Number.isInteger(value) && Math.abs(value) < 1_000) return String(value);
  if (Math.abs(value) < 0.001) {
    const options = /** @type {const} */ ({ notation: "scientific", maximumFractionDigits: 2 });
    return new Intl.NumberFormat(locale(), options).format(value);
  }
  numbers ??= new Intl.NumberFormat(locale(), { maximumFractionDigits: 3 });
  return numbers.format(value);
}
