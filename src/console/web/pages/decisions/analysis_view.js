import { h, numberText, t } from "../../core/base.js";
import { shareText } from "../../fields/shown.js";

/** Options by criteria, the winner first. @param {any} analysis @returns {readonly Element[]} */
export function analysisView({ criteria, scores, ranking, sensitivity }) {
  const heads = criteria.map((/** @type {any} */ { name, weight, normalisedWeight }) =>
    h(
      "th",
      { scope: "col" },
      name,
      h(
        "span.quiet.small",
        ` ${t("weightOf", { weight: numberText(weight), share: shareText(normalisedWeight) })}`,
      ),
    )
  );
  const rows = ranking.map((/** @type {any} */ { rank, option, total }) =>
    h(
      "tr",
      { class: rank === 1 && "winner" },
      h("th", { scope: "row" }, `${rank}. ${option}`),
      h("td.number", numberText(total)),
      criteria.map((/** @type {any} */ { name }) =>
        h("td.number", numberText(scores[option][name]))
      ),
    )
  );
  const grid = h(
    "table",
    { "aria-label": t("ranking") },
    h(
      "thead",
      h("tr", ...[t("option"), t("total")].map((name) => h("th", { scope: "col" }, name)), heads),
    ),
    h("tbody", rows),
  );
  return [
    h("div.scrolls", { role: "region", "aria-label": t("scores"), tabindex: 0 }, grid),
    h("p", sensitivityText(sensitivity)),
  ];
}

/** @param {any} sensitivity Null if no change of one weight makes another option the best. */
function sensitivityText(sensitivity) {
  if (sensitivity === null) return t("notSensitive");
  const { criterion, weight, criticalWeight, challenger } = sensitivity;
  return t("sensitive", {
    criterion,
    challenger,
    from: numberText(weight),
    to: numberText(criticalWeight),
  });
}
