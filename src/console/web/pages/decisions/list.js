/** Decisions. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { readFields } from "../../core/names.js";
import { line } from "../../fields/controls/forms.js";
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

/** @param {any} decision A record, or a decision that was just added. */
function decisionLine({ recordId, decisionId = recordId, title, redacted, payload, ...made }) {
  const { question = title, chosenOption, reviewAt } = payload ?? made;
  if (redacted) return line(link(`${DECISIONS}/${decisionId}`, t("hidden"), "words"), []);
  return line(
    link(`${DECISIONS}/${decisionId}`, question, "words"),
    [
      chosenOption ? `✓ ${chosenOption}` : t("openOnes"),
      reviewAt && h("span", parts("reviewOn", { time: ago(reviewAt, nearDayText) })),
    ],
  );
}
