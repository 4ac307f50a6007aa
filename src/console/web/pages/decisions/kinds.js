/** Kinds of objects of a decision: analyses, predictions, outcomes, counterfactuals, simulations. */

import { ago, parts, shareText } from "../../fields/shown.js";
import { numberText, t } from "../../core/base.js";

const KINDS = /** @type {Readonly<Record<string, () => ThingKind>>} */ ({
  analyses: () => ({
    idName: "analysisId",
    title: "analyses",
    one: "analysis",
    add: "newAnalysis",
    fields: [],
    compared: [exact("criteria", t("criteria")), exact("scores", t("scores"))],
    isFixed: true,
    nameOf: ({ criteria }) => criteria.map((/** @type {any} */ { name }) => name).join(", "),
    fact: ({ ranking }) => [t("leadingOption", { option: ranking[0].option })],
  }),
  predictions: () => ({
    idName: "predictionId",
    title: "predictions",
    one: "prediction",
    add: "newPrediction",
    ...simple([
      { ...base("statement", "textarea"), required: true, label: t("statement") },
      { ...share("probability"), label: t("probability") },
      { ...base("dueAt", "datetime"), required: true, label: t("dueAt") },
    ]),
    nameOf: ({ statement }) => statement,
    fact: ({ probability, dueAt, outcome }) => [
      shareText(probability),
      " · ",
      ...outcome === undefined
        ? parts("dueOn", { time: ago(dueAt) })
        : [t(outcome.occurred ? "didOccur" : "didNotOccur")],
    ],
  }),
  outcomes: () => ({
    idName: "outcomeId",
    title: "outcomes",
    one: "outcome",
    add: "newOutcome",
    ...simple([
      { ...base("occurred", "boolean"), required: true, label: t("occurred") },
      { ...base("description", "textarea"), required: true, label: t("outcomeText") },
      { ...base("observedAt", "datetime"), required: true, label: t("observedAt") },
      {
        ...base("satisfaction", "number"),
        minimum: 1,
        maximum: 5,
        integer: true,
        label: t("satisfaction"),
      },
    ]),
    nameOf: ({ description }) => description,
    fact: ({ occurred }) => [t(occurred ? "didOccur" : "didNotOccur")],
  }),
  counterfactuals: () => ({
    idName: "counterfactualId",
    title: "counterfactuals",
    one: "counterfactual",
    add: "newCounterfactual",
    ...simple([
      { ...base("option", "text"), required: true, label: t("option") },
      { ...base("narrative", "textarea"), required: true, label: t("narrative") },
      { ...base("expectedValue", "number"), label: t("expectedValue") },
      { ...share("confidence"), label: t("confidence") },
    ]),
    nameOf: ({ narrative }) => narrative,
    fact: ({ option }) => [option],
  }),
  simulations: () => ({
    idName: "simulationId",
    title: "simulations",
    one: "simulation",
    add: "newSimulation",
    fields: [],
    compared: [exact("options", t("factors")), exact("results", t("results"))],
    isFixed: true,
    nameOf: ({ runs }) => t("runsOf", { count: numberText(runs) }),
    fact: ({ results }) => [t("bestOption", { option: mostOften(results) })],
  }),
});

export const KIND_NAMES = Object.keys(KINDS);

/** @param {string | undefined} name */
export function readKind(name) {
  return Object.hasOwn(KINDS, name ?? "") ? KINDS[name ?? ""]?.() ?? null : null;
}

/** @param {readonly CatalogField[]} fields */
function simple(fields) {
  return { fields, compared: fields, isFixed: false };
}

/** @param {string} name @param {CatalogField["edit"]} edit */
function base(name, edit) {
  return { name, edit, required: false, sensitive: false };
}

/** @param {string} name */
function share(name) {
  return { ...base(name, "number"), required: true, minimum: 0, maximum: 1 };
}

/** @param {string} name @param {string} label */
function exact(name, label) {
  return { ...base(name, "json"), label };
}

/** @param {readonly { option: string, probabilityBest: number }[]} results */
function mostOften(results) {
  return results.toSorted((a, b) => b.probabilityBest - a.probabilityBest)[0]?.option ?? "";
}
