import { h } from "../../core/dom.js";
import { roundedText, shareText } from "../../core/numbers.js";
import { table } from "../../core/picture.js";
import { barPicture } from "../../core/charts.js";
import { numberText, t } from "../../core/text.js";

/**
 * @param {any} analysis
 * @returns {readonly Element[]}
 */
export function analysisView({ criteria, scores, totals, ranking, sensitivity }) {
  const named = ranking.map((/** @type {any} */ { rank, option, total }) => ({
    name: `${rank}. ${option}`,
    value: total,
  }));
  const weights = criteria.map((/** @type {any} */ { name, weight, normalisedWeight }) => [
    name,
    numberText(weight),
    shareText(normalisedWeight),
  ]);
  const rows = criteria.flatMap((/** @type {any} */ { name }) =>
    totals.map((/** @type {any} */ { option }) => [name, option, roundedText(scores[option][name])])
  );
  return [
    barPicture(t("ranking"), named, { columns: [t("option"), t("total")] }),
    h("p", {}, sensitivityText(sensitivity)),
    h("h2", {}, t("scores")),
    table(t("scores"), [t("criterion"), t("option"), t("score")], rows),
    h("h2", {}, t("criteria")),
    table(t("criteria"), [t("criterion"), t("weight"), t("share")], weights),
  ];
}

/** @param {any} sensitivity Null if no change of one weight makes another option the best. */
function sensitivityText(sensitivity) {
  if (sensitivity === null) return t("notSensitive");
  const { criterion, weight, criticalWeight, challenger } = sensitivity;
  return t("sensitive", {
    criterion,
    challenger,
    from: roundedText(weight),
    to: roundedText(criticalWeight),
  });
}
