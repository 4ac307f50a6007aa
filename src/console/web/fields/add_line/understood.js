/** How a line is understood, in words. */

import { iconButton } from "../../core/acts/buttons.js";
import { h } from "../../core/base/elements.js";
import { locale, t } from "../../core/base/language.js";
import { label, labelOfOne } from "../../core/names.js";
import { deviceDay } from "../../logic/local_time.js";

/** @type {ReadAs} */
export function readAs({ understand, shownParts }, { list, measure }, text, kept) {
  const now = Date.now();
  const understood = understand(list, text, {
    language: document.documentElement.lang === "de" ? "de" : "en",
    locale: locale(),
    now,
    kept,
    label,
    measure: measure?.(),
  });
  const today = deviceDay(now);
  return { ...understood, shown: shownParts(understood, { t, label, locale: locale(), today }) };
}

/**
 * The kind, the title and each part, parted by dots; a button takes a part back.
 * @param {ReadLine} read @param {(words: string) => void} keep
 */
export function understoodAs({ kind, title, notes, shown }, keep) {
  const back = (/** @type {string} */ words) =>
    iconButton("close", t("keepAsText", { words }), () => keep(words));
  const parts = [
    [labelOfOne(kind)],
    ...title === "" ? [] : [[h("span.words", title)]],
    ...shown.map(({ text, words }) => [text, words !== null && back(words)]),
    ...notes === "" ? [] : [[h("span.words", notes)]],
  ];
  return parts.flatMap((part, index) => index === 0 ? part : [" · ", ...part]);
}
