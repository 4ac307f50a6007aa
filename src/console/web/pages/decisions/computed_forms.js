/** What the service computes with: the criteria and scores of an analysis, the factors of a simulation. */

import { ApiError } from "../../core/api.js";
import { t } from "../../core/text.js";
import { choiceField } from "../../fields/choice.js";
import { groupsField } from "../../fields/groups.js";
import { lineField } from "../../fields/text.js";
import { analysisBody, analysisGroups, scoreName } from "../../logic/analysis_form.js";
import { label } from "../../logic/labels.js";
import { PARAMETERS, simulationOptions } from "../../logic/simulation_form.js";

/** @typedef {{ list: string, one: string | null, idName: string }} Place */
/** @typedef {import("../../core/writing.js").Written} Written */
/** @typedef {import("../../fields/field.js").Row} Row */

const MOST = { criteria: 20, factors: 100 };
const NAMES = [...new Set(Object.values(PARAMETERS).flat())];
const FIRST_RUNS = "10000";

/**
 * @param {Place} place
 * @param {readonly string[]} options
 * @returns {Written}
 */
export function writtenAnalysis(place, options) {
  const make = (/** @type {Row} */ row) =>
    groupsField(row, {
      most: MOST.criteria,
      name: (number) => t("criterionNumber", { number }),
      add: t("addCriterion"),
      makeFields: () => [
        lineField({ name: "name", label: t("nameOf"), required: true, words: true }),
        numberField("weight", t("weight"), t("weightHint")),
        ...options.map((option) =>
          lineField({ name: scoreName(option), label: option, inputmode: "decimal" })
        ),
      ],
    });
  const body = (/** @type {{ set: any }} */ { set }) =>
    whole(analysisBody(set.criteria, options), "criteria");
  return {
    ...common(place),
    fields: [{ ...group("criteria", t("criteria"), t("criteriaHint")), make }],
    valuesOf: (shown) => ({ criteria: analysisGroups(shown, options) }),
    creation: body,
    patch: body,
    ...(place.one !== null && { changes: `${place.one}/revisions` }),
  };
}

/**
 * @param {Place} place
 * @param {readonly string[]} options
 * @returns {Written}
 */
export function writtenSimulation(place, options) {
  const choices = options.map((value) => ({ value, label: value }));
  const kinds = Object.keys(PARAMETERS).map((value) => ({ value, label: label(value) }));
  const make = (/** @type {Row} */ row) =>
    groupsField(row, {
      most: MOST.factors,
      name: (number) => t("factorNumber", { number }),
      add: t("addFactor"),
      makeFields: () => [
        choiceField({ name: "option", label: t("option"), required: true }, choices),
        lineField({ name: "name", label: t("nameOf"), required: true, words: true }),
        numberField("weight", t("weight"), t("factorWeightHint")),
        choiceField({ name: "distribution", label: t("distribution"), required: true }, kinds),
        ...NAMES.map((name) => numberField(name, label(name))),
      ],
      arrange: showParameters,
    });
  const creation = (/** @type {{ set: any }} */ { set }) => ({
    ...set,
    options: whole(simulationOptions(set.options, options), "options"),
  });
  const number = { edit: /** @type {const} */ ("number"), required: true, sensitive: false };
  return {
    ...common(place),
    fields: [
      { ...group("options", t("factors"), t("factorsHint")), make },
      { ...number, name: "runs", label: t("runs"), minimum: 1, maximum: 100_000 },
      { ...number, name: "seed", label: t("seed"), hint: t("seedHint") },
    ],
    first: { runs: FIRST_RUNS, seed: "1" },
    valuesOf: () => ({}),
    creation,
    patch: creation,
  };
}

/** @param {Place} place */
function common({ list, one, idName }) {
  return { list, one, idOf: (/** @type {any} */ shown) => shown[idName] };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} hint
 */
function group(name, label, hint) {
  return {
    name,
    label,
    hint,
    edit: /** @type {const} */ ("json"),
    required: true,
    sensitive: false,
  };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} [hint]
 */
function numberField(name, label, hint) {
  return lineField({ name, label, hint, inputmode: "decimal", required: true });
}

/**
 * Shows what the chosen distribution takes, and nothing of another.
 *
 * @param {readonly import("../../fields/field.js").Field[]} fields
 */
function showParameters(fields) {
  const chosen = fields.find(({ name }) => name === "distribution")?.text() ?? "";
  /** @type {readonly string[]} */
  const needed = PARAMETERS[/** @type {keyof typeof PARAMETERS} */ (chosen)] ?? [];
  for (const { name, element } of fields) {
    if (NAMES.some((each) => each === name)) element.hidden = !needed.includes(name);
  }
}

/**
 * @template Body
 * @param {Body | null} body
 * @param {string} field
 * @returns {Body}
 * @throws {ApiError} where it is not whole.
 */
function whole(body, field) {
  if (body === null) throw new ApiError("PAYLOAD_INVALID", { details: { fields: [field] } });
  return body;
}
