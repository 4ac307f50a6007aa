/** The history of a decision, and the calibration of all. */

import { h, link } from "../../core/base/elements.js";
import { numberText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { notLoaded } from "../../core/base/visits.js";
import { notFound } from "../../core/names.js";
import { counted, shareText } from "../../fields/shown/figures.js";
import { pair } from "../../fields/shown/values.js";
import { readKind } from "../decisions/kinds.js";
import { decisionFields, DECISIONS, pathsOf } from "../decisions/list.js";
import { thingHistory } from "../history/revisions.js";

/** @type {Page} */
export async function decisionHistory(visit) {
  const { id, kind: kindName, thing } = visit.params;
  const { page, api } = pathsOf(id);
  if (kindName === undefined) {
    const fields = (await decisionFields()).map((field) =>
      field.name === "options" ? { ...field, text: optionLines } : field
    );
    return await thingHistory(visit, { page, api, fields, nameOf: ({ question }) => question });
  }
  const kind = readKind(kindName);
  if (kind === null) return notFound();
  const below = `${kindName}/${thing}`;
  return await thingHistory(visit, {
    page: `${page}/${below}`,
    api: `${api}/${below}`,
    fields: kind.computed ?? kind.fields,
    isFixed: kind.computed !== undefined,
    nameOf: (state) => kind.nameOf(state) || t(kind.one),
  });
}

/** @param {any} decision */
function optionLines({ options }) {
  return options.items.join("\n");
}

/** @type {Page} */
export async function calibration() {
  const [{ readFigure }, { drawingOf, tableOf }, { calibrationLayout }] = await Promise.all([
    import("../../core/charts/figure.js"),
    import("../../core/charts/pictures.js"),
    import("../../core/life_charts/calibration.js"),
  ]).catch(notLoaded);
  const title = t("calibration");
  const names = { expected: t("expected"), observed: t("observed") };
  const { element, show } = readFigure({
    title,
    kind: "decision",
    read: readCalibration,
    content(data) {
      const counts = h(
        "p",
        counted(data.count, data.count < FEW ? "scoredFew" : "scored", {
          occurred: numberText(data.occurred),
        }),
      );
      if (data.count === 0) return [counts];
      const groups = groupsOf(data.reliability);
      return [
        drawingOf(title, (width) => calibrationLayout(groups, width, shareText, names)),
        counts,
        tableOf(title, ...tableParts(groups, names)),
        scores(data),
      ];
    },
  });
  await show(undefined);
  const back = h("div.bar", link(DECISIONS, t("decisions")));
  const about = h("div.aside.quiet", h("p", t("calibrationText")), back);
  return { title, body: [h("div.two", element, about)] };
}

/** @returns {Promise<CalibrationIntervals>} */
async function readCalibration() {
  return await get("/api/v2/insight/calibration");
}

/** With fewer predictions, an interval would say nothing. */
const FEW = 5;

/** @param {CalibrationIntervals["reliability"]} reliability @returns {CalibrationGroup[]} */
function groupsOf(reliability) {
  return reliability.filter(({ count }) => count > 0).map((group) => {
    const { count, meanProbability, observedFrequency, low, high } = group;
    const [expected, observed] = [meanProbability ?? 0, observedFrequency ?? 0];
    return {
      expected,
      observed,
      count,
      interval: count < FEW ? null : [low ?? 0, high ?? 1],
      text: [shareText(expected), shareText(observed), numberText(count)].join(" · "),
    };
  });
}

/**
 * Columns and rows; the interval only if there is one.
 * @param {readonly CalibrationGroup[]} groups
 * @param {Record<"expected" | "observed", string>} names
 * @returns {[columns: string[], rows: Cells[]]}
 */
function tableParts(groups, { expected, observed }) {
  const hasIntervals = groups.some(({ interval }) => interval !== null);
  const rows = groups.map(({ expected, observed, count, interval }) => [
    shareText(expected),
    shareText(observed),
    numberText(count),
    ...hasIntervals ? [interval?.map(shareText).join(" – ") ?? t("tooFewToSay")] : [],
  ]);
  return [[expected, observed, t("predictions"), ...hasIntervals ? [t("likelyRange")] : []], rows];
}

/** @param {CalibrationIntervals} data */
function scores({ count, brierScore, logScore }) {
  return h(
    "dl.values",
    pair(t("scoredPredictions"), numberText(count)),
    pair(t("brierScore"), numberText(brierScore ?? NaN), h("p.hint", t("brierText"))),
    pair(t("logScore"), numberText(logScore ?? NaN), h("p.hint", t("logText"))),
  );
}
