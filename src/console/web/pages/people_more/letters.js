/** The letters with which names of people begin, as links to the list from there on. */

import { ApiError } from "../../core/base/api.js";
import { fill, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { readAll } from "../../core/base/reads.js";
import { orderForm } from "../../logic/word_forms.js";
import { PEOPLE, PEOPLE_API } from "../people_entries/ledgers.js";

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** The letter that the address names; undefined for none. @param {URLSearchParams} query */
export function askedLetter(query) {
  return ALPHABET.find((letter) => letter === query.get("letter"));
}

/** True if a list by name has a person at a letter or after it. @param {string} letter */
export function isFrom(letter) {
  return (/** @type {any} */ { personName }) => orderForm(personName) >= letter.toLowerCase();
}

/** The letters as headings; other names have their first sign. @type {Headings} */
export const LETTER_HEADINGS = {
  headingOf: ({ personName }) => orderForm(personName).charAt(0).toUpperCase() || "–",
  placeOf: ({ personName }) => orderForm(personName),
};

/**
 * The letters. They become links once the names are known. The API does not list letters, so all
 * people are read after the first page is shown.
 * @param {Texts} asked The conditions of the list. @param {string | undefined} chosen
 */
export function lettersOf(asked, chosen) {
  const element = h("nav.bar.chips.letters", { "aria-label": t("letters") });
  const show = (/** @type {readonly any[]} */ people) => {
    const known = new Set(people.map(({ personName }) => orderForm(personName).charAt(0)));
    const parts = ALPHABET.map((letter) => {
      if (letter === chosen) return h("strong", letter);
      const isKnown = known.has(letter.toLowerCase());
      if (!isKnown) return h("span.quiet", letter);
      return link(`${PEOPLE}?${new URLSearchParams({ ...kept, letter })}`, letter);
    });
    fill(element, parts, chosen && link(`${PEOPLE}?${new URLSearchParams(kept)}`, t("showAll")));
    // The keyboard scrolls the row also without links.
    element.tabIndex = element.querySelector("a") === null ? 0 : -1;
  };
  const { archived: _, ...kept } = asked;
  const read = async () => {
    const query = new URLSearchParams({ ...asked, sort: "name", limit: "100" });
    show(await readAll(`${PEOPLE_API}?${query}`));
  };
  show([]);
  read().catch((error) => {
    // The list stays without links.
    if (!(error instanceof ApiError)) throw error;
  });
  return element;
}
