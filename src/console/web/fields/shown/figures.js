/** Figures and sizes as a person reads them. */

import { formatNumber, formatOf, numberText, t } from "../../core/base/language.js";
import { daysText, relativeText } from "./times.js";

/** @param {number} share */
export function shareText(share) {
  return formatNumber(share, { style: "percent", maximumFractionDigits: 1 });
}

/** A share of one as a percentage. @param {Bounds} field @param {number} value */
export function figureText({ minimum, maximum }, value) {
  return minimum === 0 && maximum === 1 ? shareText(value) : numberText(value);
}

/**
 * @param {number} count
 * @param {Sentence} name Singular and plural, separated by a bar.
 * @param {Readonly<Record<string, string>>} [values]
 */
export function counted(count, name, values) {
  const at = formatOf(Intl.PluralRules).select(count) === "one" ? 0 : 1;
  return t(name, { ...values, count: numberText(count) }).split("|")[at] ?? "";
}

/** As "100+" if there are more. @param {number} count @param {boolean} hasMore */
export function atLeastText(count, hasMore) {
  return numberText(count) + (hasMore ? "+" : "");
}

/** @param {number} bytes */
export function sizeText(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return formatNumber(bytes / 1000 ** step, {
    style: "unit",
    unit: units[step],
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  });
}

/** @param {number} seconds */
export function agoText(seconds) {
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? relativeText(-hours, "hour") : daysText(-Math.round(hours / 24));
}
