/** The parts of a decision: predictions, analyses and others. */

import { h, link } from "../../core/base/elements.js";
import { t, textOf } from "../../core/base/language.js";
import { notFound } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { counted, shareText } from "../../fields/shown/figures.js";
import { ago, parts } from "../../fields/shown/files.js";
import { needed, optional } from "../../fields/shown/texts.js";
import { listPage } from "../parts/lists.js";
import { rankedResults } from "./computed.js";
import { pathsOf } from "./list.js";

/** By the sentence that names the list. @returns {Readonly<Record<string, ThingKind>>} */
export const kinds = () => ({
  analyses: {
    one: "analysis",
    add: "newAnalysis",
    fields: [],
    computed: [
      optional("criteria", "json", { label: t("criteria") }),
      optional("scores", "json", { label: t("scores") }),
    ],
    nameOf: (/** @type {Analysis} */ { criteria }) => criteria.map(({ name }) => name).join(", "),
    fact: ({ ranking }) => [t("leadingOption", { option: ranking[0].option })],
  },
  predictions: {
    one: "prediction",
    add: "newPrediction",
    fields: [
      needed("statement", "textarea"),
      needed("probability", "number", { ...SHARE, label: t("probability") }),
      needed("dueAt", "datetime", { label: t("due") }),
    ],
    nameOf: ({ statement }) => statement,
    fact: ({ probability, dueAt, outcome }) => [
      shareText(probability),
      outcome === undefined
        ? h("span", parts("dueOn", { time: ago(dueAt) }))
        : occurredText(outcome),
    ],
  },
  outcomes: {
    one: "outcome",
    add: "newOutcome",
    fields: [
      needed("occurred", "boolean", { label: t("occurred") }),
      needed("description", "textarea", { label: t("outcomeText") }),
      needed("observedAt", "datetime", { label: t("observedAt") }),
      optional("satisfaction", "number", { minimum: 1, maximum: 5, label: t("satisfaction") }),
    ],
    nameOf: ({ description }) => description,
    fact: (outcome) => [occurredText(outcome)],
  },
  counterfactuals: {
    one: "counterfactual",
    add: "newCounterfactual",
    fields: [
      needed("option", "text", { label: t("option") }),
      needed("narrative", "textarea", { label: t("narrative") }),
      optional("expectedValue", "number", { label: t("expectedValue") }),
      needed("confidence", "number", SHARE),
    ],
    nameOf: ({ narrative }) => narrative,
    fact: ({ option }) => [option],
  },
  simulations: {
    one: "simulation",
    add: "newSimulation",
    fields: [],
    computed: [
      optional("options", "json", { label: t("factors") }),
      optional("results", "json", { label: t("results") }),
    ],
    nameOf: ({ runs }) => counted(runs, "runsOf"),
    fact: (simulation) => [t("bestOption", { option: rankedResults(simulation)[0]?.option ?? "" })],
  },
});

const SHARE = { minimum: 0, maximum: 1 };

/** @param {string} [name] */
export function readKind(name = "") {
  return kinds()[name] ?? null;
}

/** @param {{ occurred: boolean }} outcome */
function occurredText({ occurred }) {
  return t(occurred ? "didOccur" : "didNotOccur");
}

/** @type {Page} */
export async function things({ params, query }) {
  const kind = readKind(params.kind);
  if (kind === null) return notFound();
  const { page, api } = pathsOf(params.id);
  const list = `${page}/${params.kind}`;
  return await listPage(query, {
    title: textOf(`${params.kind}`),
    api: `${api}/${params.kind}`,
    beside: [link(`${list}/new`, t(kind.add), "main"), link(page, t("decision"))],
    line: (thing) => thingLine(kind, list, thing),
  });
}

/** @param {ThingKind} kind @param {string} list @param {any} thing */
export function thingLine(kind, list, thing) {
  const name = link(`${list}/${thing[`${kind.one}Id`]}`, kind.nameOf(thing), "words");
  return row({ name, facts: kind.fact(thing) });
}
