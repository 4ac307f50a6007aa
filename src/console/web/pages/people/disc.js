import { sinceDayText } from "../../core/numbers.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/text.js";
import { ago, parts } from "../../fields/shown_value.js";

const TONES = 6;

/** Initials on a colour that stays with the person. @param {any} person */
export function disc({ personId, personName }) {
  const words = String(personName).trim().split(/\s+/);
  const initials = [...new Set([words[0], words.at(-1)])]
    .map((word) => [...word ?? ""][0] ?? "").join("").toUpperCase();
  const tone = [...String(personId)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % TONES;
  return h("span", {
    class: `disc tone-${tone}`,
    "data-initials": initials,
    "aria-hidden": "true",
  });
}

/** @param {any} person */
export function contactParts({ lastContactAt, desiredContactIntervalDays: days, status }) {
  const isWanted = days !== null && status === "ACTIVE";
  return [
    ...lastContactAt === null
      ? [t("noContactYet")]
      : parts("lastContact", { time: ago(lastContactAt, sinceDayText) }),
    isWanted && `, ${days === 1 ? t("wantedDaily") : t("wantedEvery", { days })}`,
  ];
}
