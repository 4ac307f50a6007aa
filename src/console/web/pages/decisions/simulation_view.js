import { h } from "../../core/dom.js";
import { roundedText, shareText } from "../../core/numbers.js";
import { table } from "../../core/picture.js";
import { barPicture, spanPicture } from "../../core/charts.js";
import { numberText, t } from "../../core/text.js";
import { label } from "../../logic/labels.js";
import { PARAMETERS } from "../../logic/simulation_form.js";

/**
 * @param {any} simulation
 * @returns {readonly Element[]}
 */
export function simulationView({ results, options, runs, seed, algorithm }) {
  const spans = results.map((/** @type {any} */ { option, p5, p50, p95 }) => ({
    name: option,
    low: p5,
    middle: p50,
    high: p95,
  }));
  const best = results.map((/** @type {any} */ { option, probabilityBest }) => ({
    name: option,
    value: probabilityBest,
  }));
  const rows = results.map((/** @type {any} */ { option, mean, standardDeviation }) => [
    option,
    roundedText(mean),
    roundedText(standardDeviation),
  ]);
  return [
    spanPicture(t("spread"), spans, [t("option"), t("low"), t("middle"), t("high")]),
    barPicture(t("bestShare"), best, {
      columns: /** @type {const} */ ([t("option"), t("bestShare")]),
      valueText: shareText,
    }),
    table(t("results"), [t("option"), t("mean"), t("deviation")], rows),
    h("h2", {}, t("factors")),
    ...options.flatMap(factorLines),
    h(
      "p",
      { class: "quiet small" },
      t("simulationFacts", { runs: numberText(runs), seed: String(seed), algorithm }),
    ),
  ];
}

/** @param {any} option */
function factorLines({ option, factors }) {
  const line = (/** @type {any} */ { name, weight, distribution, ...parameters }) => {
    const names = PARAMETERS[/** @type {keyof typeof PARAMETERS} */ (distribution)];
    const values = names.map((each) => `${label(each)} ${numberText(parameters[each])}`).join(", ");
    const facts = `${t("weight")} ${numberText(weight)} · ${label(distribution)}: ${values}`;
    return h(
      "li",
      {},
      h("span", { class: "words" }, name),
      h("span", { class: "quiet small" }, facts),
    );
  };
  return [h("h3", { class: "words" }, option), h("ul", { class: "lines" }, factors.map(line))];
}
