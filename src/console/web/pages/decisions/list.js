import { h, t } from "../../core/base.js";
import { ago, parts } from "../../fields/shown.js";
import { listPage } from "../list_page.js";
import { archivedViews } from "../root_parts.js";
import { DECISIONS, DECISIONS_API } from "./decision_paths.js";

/** @type {Page} */
export default async function decisions({ query }) {
  return await listPage(query, {
    title: t("decisions"),
    page: DECISIONS,
    api: DECISIONS_API,
    filter: archivedViews(),
    none: t(query.get("archived") === "only" ? "noneArchived" : "noneYet"),
    beside: [
      h("a.main", { href: `${DECISIONS}/new` }, t("newDecision")),
      h("a", { href: `${DECISIONS}/calibration` }, t("calibration")),
      h("a", { href: "/console/print/decision" }, t("printView")),
    ],
    line,
  });
}

/** @param {any} decision */
function line({ decisionId, question, chosenOption, reviewAt }) {
  return h(
    "li",
    h("a.words", { href: `${DECISIONS}/${decisionId}` }, question),
    h(
      "span.quiet.small",
      chosenOption === null ? t("undecided") : `✓ ${chosenOption}`,
      ...reviewAt === null ? [] : [" · ", ...parts("reviewOn", { time: ago(reviewAt) })],
    ),
  );
}
