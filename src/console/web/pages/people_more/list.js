/** People, and what happened with one. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { disc } from "../../fields/shown/anchors.js";
import { listPage } from "../parts/lists.js";
import { contactParts } from "../people_entries/details.js";
import { timelineLine } from "../people_entries/entries.js";
import { sortedBy } from "../parts/order.js";
import { personFinder } from "./finder.js";
import { nearFigure } from "./near.js";
import { askedLetter, isFrom, LETTER_HEADINGS, lettersOf } from "./letters.js";
import { pathsOf, PEOPLE, PEOPLE_API } from "../people_entries/ledgers.js";

/** Fewer are seen at once. */
const MIN_FOR_LETTERS = 8;

/** @type {Page} */
export async function people({ query }) {
  const views = ["", "ACTIVE", "PAUSED", "ARCHIVED", "SEALED"].map((value) => ({
    value,
    text: value === "" ? t("everyone") : label(value),
  }));
  const letter = askedLetter(query);
  const orders = [
    {
      ...sortedBy("name", t("nameOf")),
      headings: LETTER_HEADINGS,
      ...(letter && { fits: isFrom(letter), atLeast: 20 }),
    },
    sortedBy("-name", t("nameFromZ")),
    sortedBy("-lastContact", t("byContact")),
  ];
  const status = views.find(({ value }) => value === query.get("status"))?.value || null;
  const asked = status === null ? { archived: "exclude" } : { status };
  const near = status === null && nearFigure();
  /** @type {Element | undefined} */
  let letters;
  const { title, body: [line, ...listed] } = await listPage(query, {
    title: t("people"),
    api: PEOPLE_API,
    filter: { name: "status", views },
    alsoAsked: asked,
    orders,
    add: { list: "relationship" },
    after: [link("/console/print/relationship", t("printView"))],
    above: ({ length }, order) =>
      order?.value === "name" && (letter !== undefined || length >= MIN_FOR_LETTERS) &&
      (letters ??= lettersOf(asked, letter)),
    line: personLine,
  });
  const list = h("div", ...listed);
  return {
    title,
    body: [h(
      "div.two",
      h("div", personFinder(list, personLine), line, list),
      near && h("div.aside", near),
    )],
  };
}

/** @param {any} person */
function personLine(person) {
  const { personId, personName, relationshipType, status } = person;
  return row({
    anchor: disc(person),
    name: link(`${PEOPLE}/${personId}`, personName, "words"),
    facts: [
      label(relationshipType),
      status !== "ACTIVE" && label(status),
      h("span", ...contactParts(person)),
    ],
  });
}

/** @type {Page} */
export function timeline({ params, query }) {
  return listOf(query, pathsOf(params.id), "timeline", {
    title: t("timeline"),
    line: timelineLine,
  });
}

/**
 * A list of a person's entries.
 * @param {URLSearchParams} query
 * @param {Paths} paths
 * @param {string} name The end of its paths.
 * @param {Pick<Listed, "title" | "line">} listed
 */
export async function listOf(query, { page, api }, name, listed) {
  const { personName } = await get(api);
  return await listPage(query, {
    api: `${api}/${name}`,
    beside: [link(page, personName, "words")],
    ...listed,
  });
}
