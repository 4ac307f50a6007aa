import { h, numberText, send, t } from "../../core/base.js";
import { reliabilityPicture } from "../../core/charts.js";
import { DECISIONS } from "./decision_paths.js";

/** @type {Page} */
export default async function calibration() {
  const { data } = await send("GET", "/api/v2/decision/calibration");
  const back = h("p", h("a", { href: DECISIONS }, t("decisions")));
  if (data.count === 0) {
    return {
      title: t("calibration"),
      body: [back, h("p.quiet", t("noScoredPredictions"))],
    };
  }
  const groups = data.reliability.filter((/** @type {any} */ { count }) => count > 0)
    .map((/** @type {any} */ { count, meanProbability, observedFrequency }) => ({
      count,
      expected: meanProbability,
      observed: observedFrequency,
    }));
  const figures = /** @type {const} */ ([
    [t("scoredPredictions"), numberText(data.count), ""],
    [t("brierScore"), numberText(data.brierScore), t("brierText")],
    [t("logScore"), numberText(data.logScore), t("logText")],
  ]);
  return {
    title: t("calibration"),
    body: [
      back,
      h("p", t("calibrationText")),
      reliabilityPicture(t("reliability"), groups, [t("expected"), t("observed"), t("count")]),
      h(
        "dl.values",
        figures.flatMap(([name, value, text]) => [
          h("dt", name),
          h("dd", value, text !== "" && h("p.hint", text)),
        ]),
      ),
    ],
  };
}
