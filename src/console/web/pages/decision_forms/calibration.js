/** The history of a decision, and the calibration of all. */

import { h, link } from "../../core/base/elements.js";
import { numberText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { notLoaded } from "../../core/base/visits.js";
import { notFound } from "../../core/names.js";
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
  const [data, { reliabilityPicture }] = await Promise.all([
    get("/api/v2/decision/calibration"),
    import("../../core/charts/pictures.js").catch(notLoaded),
  ]);
  const back = h("p", link(DECISIONS, t("decisions")));
  const title = t("calibration");
  if (data.count === 0) return { title, body: [back, h("p.quiet", t("noScoredPredictions"))] };
  /** @type {Calibration["reliability"]} */
  const reliability = data.reliability;
  const groups = reliability.filter(({ count }) => count > 0)
    .map(({ count, meanProbability, observedFrequency }) => ({
      count,
      expected: meanProbability ?? 0,
      observed: observedFrequency ?? 0,
    }));
  return {
    title,
    body: [
      back,
      h("p", t("calibrationText")),
      reliabilityPicture(t("reliability"), groups, [
        t("expected"),
        t("observed"),
        t("predictions"),
      ]),
      h(
        "dl.values",
        pair(t("scoredPredictions"), numberText(data.count)),
        pair(t("brierScore"), numberText(data.brierScore), h("p.hint", t("brierText"))),
        pair(t("logScore"), numberText(data.logScore), h("p.hint", t("logText"))),
      ),
    ],
  };
}
