/** Analyses and simulations, as they are read. */

import { h } from "../../core/base/elements.js";
import { numberText, t } from "../../core/base/language.js";
import { notLoaded } from "../../core/base/visits.js";
import { label } from "../../core/names.js";
import { loaded } from "../../fields/controls/forms.js";
import { shareText } from "../../fields/shown/figures.js";
import { toNumber } from "../../fields/shown/texts.js";

/** Options by criteria, the winner first. @param {Analysis} analysis */
export function analysisView({ criteria, scores, ranking, sensitivity }) {
  const weighed = criteria.map(({ name, weight, normalisedWeight }) => {
    const values = { weight: numberText(weight), share: shareText(normalisedWeight) };
    return [name, h("div.small", t("weightOf", values))];
  });
  const heads = [[t("option")], [t("total")], ...weighed].map((name, index) =>
    h("th", { scope: "col", class: index > 0 && "number" }, name)
  );
  const rows = ranking.map(({ rank, option, total }) => {
    const figures = [total, ...criteria.map(({ name }) => scores[option]?.[name] ?? NaN)];
    return h(
      "tr",
      { class: rank === 1 && "winner" },
      h("th", { scope: "row" }, `${rank}. ${option}`),
      figures.map((figure) => h("td.number", numberText(figure))),
    );
  });
  const about = { "aria-label": t("ranking") };
  const grid = h("table", about, h("thead", h("tr", heads)), h("tbody", rows));
  return [
    h("div.scrolls", { role: "region", "aria-label": t("scores"), tabindex: 0 }, grid),
    h("p", sensitivityText(sensitivity)),
  ];
}

/**
 * @param {Analysis["sensitivity"]} sensitivity Null if no change of one weight changes the winner.
 */
function sensitivityText(sensitivity) {
  if (sensitivity === null) return t("notSensitive");
  const { weight, criticalWeight } = sensitivity;
  return t("sensitive", {
    ...sensitivity,
    from: numberText(weight),
    to: numberText(criticalWeight),
  });
}

/** By distribution. @type {Readonly<Record<string, readonly string[]>>} */
export const PARAMETERS = {
  NORMAL: ["mean", "standardDeviation"],
  UNIFORM: ["minimum", "maximum"],
  TRIANGULAR: ["minimum", "mode", "maximum"],
};

/**
 * The simulation of a form's groups, one per factor, in the order of the decision's options.
 * Null if a value is missing or invalid.
 * @param {readonly GroupTexts[]} groups
 * @param {readonly string[]} options
 */
export function simulationOptions(groups, options) {
  const factors = groups.map(({ option = "", name = "", weight, distribution = "", ...texts }) => {
    const numbers = PARAMETERS[distribution]?.map((each) => [each, toNumber(texts[each])]) ?? [];
    const known = { name, weight: toNumber(weight), distribution };
    return { option, factor: { ...known, ...Object.fromEntries(numbers) } };
  });
  const isWhole = factors.every(({ option, factor }) =>
    options.includes(option) && factor.distribution in PARAMETERS &&
    !Object.values(factor).includes(NaN)
  );
  if (!isWhole) return null;
  return options.map((option) => ({
    option,
    factors: factors.filter((each) => each.option === option).map(({ factor }) => factor),
  })).filter(({ factors }) => factors.length > 0);
}

/** The options most often best first. @param {Simulation} simulation */
export function rankedResults({ results }) {
  return results.toSorted((a, b) => b.probabilityBest - a.probabilityBest);
}

/** As sentences and distributions. @param {Simulation} simulation */
export function simulationSummary(simulation) {
  const ranked = rankedResults(simulation);
  const sentences = ranked.map(({ option, probabilityBest, p5, p50, p95 }) => {
    const best = t("bestOf", { option, count: Math.round(probabilityBest * 100) });
    const range = { low: readable(p5), middle: readable(p50), high: readable(p95) };
    return h("li", h("strong", best), ` ${t("rangeOf", range)}`);
  });
  const spans = ranked.map(({ option, p5, p50, p95 }) => ({
    name: option,
    low: p5,
    middle: p50,
    high: p95,
  }));
  return [
    h("ul", { "aria-label": t("results") }, sentences),
    loaded(async () => {
      const { spreadPicture } = await import("../../core/charts/pictures.js").catch(notLoaded);
      return [spreadPicture(t("spread"), spans, [t("option"), t("low"), t("middle"), t("high")])];
    }),
    h("p.quiet.small", t("spreadText")),
  ];
}

/** More digits of a random result have no meaning. @param {number} value */
function readable(value) {
  return numberText(Number(value.toPrecision(3)));
}

/** @param {Simulation} simulation */
export function simulationView(simulation) {
  const { options, runs, seed, algorithm } = simulation;
  return [
    ...simulationSummary(simulation),
    h("h2", t("factors")),
    ...options.flatMap(({ option, factors }) => [
      h("h3.words", option),
      h("ul.lines", factors.map(factorLine)),
    ]),
    h(
      "p.quiet.small",
      t("simulationFacts", { runs: numberText(runs), seed: String(seed), algorithm }),
    ),
  ];
}

/** @param {Factor} factor */
function factorLine({ name, weight, distribution, ...parameters }) {
  const values = PARAMETERS[distribution]
    ?.map((each) => `${label(each)} ${numberText(parameters[each])}`).join(", ");
  const facts = `${t("weight")} ${numberText(weight)} · ${label(distribution)}: ${values}`;
  return h("li", h("span.words", name), h("span.quiet.small", facts));
}
