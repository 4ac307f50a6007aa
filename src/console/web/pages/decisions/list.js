/** Decisions. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { readFields } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { ago, parts } from "../../fields/shown/files.js";
import { nearDayText } from "../../fields/shown/times.js";
import { listPage } from "../parts/lists.js";
import { archivedViews } from "../parts/objects.js";
import { sortedByOneOf } from "../parts/order.js";

export const DECISIONS = "/console/decisions";

export const DECISIONS_API = "/api/v2/decision/decisions";

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${DECISIONS}/${id}`, api: `${DECISIONS_API}/${id}` };
}

/**
 * Options, JSON in the catalog, become a list of words.
 * @returns {Promise<readonly CatalogField[]>}
 */
export async function decisionFields() {
  const fields = await readFields("decision");
  return fields.map((field) => {
    if (field.name === "options") return { ...field, edit: "tags", hint: t("optionsHint") };
    return field.name === "chosenOption" ? { ...field, hint: t("chosenHint") } : field;
  });
}

/** @type {Page} */
export function decisions({ query }) {
  return listPage(query, {
    title: t("decisions"),
    // As DECISIONS_API, which has one order.
    api: "/api/v2/records/decision",
    orders: sortedByOneOf({
      "-createdAt": t("newestFirst"),
      createdAt: t("oldestFirst"),
      title: t("title"),
      "-title": t("titleFromZ"),
      "-time": t("latestFirst"),
      time: t("earliestFirst"),
    }),
    filter: archivedViews(),
    add: { list: "decision" },
    after: [
      link(`${DECISIONS}/calibration`, t("calibration")),
      link("/console/print/decision", t("printView")),
    ],
    line: decisionLine,
  });
}

/**
 * Open, decided, or reviewed: its outcome is known.
 * @param {any} decision
 */
export function stateOf({ chosenOption, decidedAt, actualOutcome }) {
  const isOpen = !chosenOption && !decidedAt;
  if (isOpen) return { name: t("openOnes"), symbol: kindSymbol("decision", "open") };
  const state = actualOutcome ? "reviewed" : "decided";
  return { name: t(state), symbol: kindSymbol("decision", state) };
}

/** @param {any} decision A record, or a decision that was just added. */
function decisionLine({ recordId, decisionId = recordId, title, redacted, payload, ...made }) {
  const nameOf = (/** @type {string} */ text) => link(`${DECISIONS}/${decisionId}`, text, "words");
  if (redacted) return row({ name: nameOf(t("hidden")), facts: [] });
  const decision = payload ?? made;
  const { question = title, chosenOption, reviewAt } = decision;
  const { name, symbol } = stateOf(decision);
  return row({
    anchor: symbol,
    name: nameOf(question),
    facts: [
      chosenOption ? `${name}: ${chosenOption}` : name,
      reviewAt && h("span", parts("reviewOn", { time: ago(reviewAt, nearDayText) })),
    ].filter(Boolean),
  });
}
