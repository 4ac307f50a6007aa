import { spreadPicture } from "../../core/charts.js";
import { h, numberText, t } from "../../core/base.js";
import { label } from "../../core/names.js";
import { PARAMETERS } from "../../logic/simulation_form.js";

/**
 * The options most often best first, as sentences and distributions.
 * @param {any} simulation
 * @returns {readonly Element[]}
 */
export function simulationSummary({ results }) {
  const ranked = results.toSorted((/** @type {any} */ a, /** @type {any} */ b) =>
    b.probabilityBest - a.probabilityBest
  );
  const sentences = ranked.map((/** @type {any} */ result) =>
    h("li", h("strong", bestText(result)), ` ${rangeText(result)}`)
  );
  const spans = ranked.map((/** @type {any} */ { option, p5, p50, p95 }) => ({
    name: option,
    low: p5,
    middle: p50,
    high: p95,
  }));
  return [
    h("ul", { "aria-label": t("results") }, sentences),
    spreadPicture(t("spread"), spans, [t("option"), t("low"), t("middle"), t("high")]),
    h("p.quiet.small", t("spreadText")),
  ];
}

/** @param {any} result */
function bestText({ option, probabilityBest }) {
  return t("bestOf", { option, count: Math.round(probabilityBest * 100) });
}

/** @param {any} result */
function rangeText({ p5, p50, p95 }) {
  const [low, middle, high] = [p5, p50, p95].map(readable);
  return t("rangeOf", { low: low ?? "", middle: middle ?? "", high: high ?? "" });
}

/** More digits of a random result have no meaning. @param {number} value */
function readable(value) {
  return numberText(Number(value.toPrecision(3)));
}

/** @type {(simulation: any) => readonly Element[]} */
export function simulationView(simulation) {
  const { options, runs, seed, algorithm } = simulation;
  return [
    ...simulationSummary(simulation),
    h("h2", t("factors")),
    ...options.flatMap(factorLines),
    h(
      "p.quiet.small",
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
    return h("li", h("span.words", name), h("span.quiet.small", facts));
  };
  return [h("h3.words", option), h("ul.lines", factors.map(line))];
}
