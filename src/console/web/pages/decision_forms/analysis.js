/** Forms of an analysis and of a simulation. */

import { ApiError } from "../../core/base/api.js";
import { t } from "../../core/base/language.js";
import { label, labelled } from "../../core/names.js";
import { choiceField } from "../../fields/controls/choices.js";
import { lineField } from "../../fields/controls/lines.js";
import { enteredFields } from "../../fields/shown/entered.js";
import { needed, toNumber } from "../../fields/shown/texts.js";
import { PARAMETERS, simulationOptions } from "../decisions/computed.js";
import { editableThing } from "../parts/objects.js";
import { groupsField } from "./groups.js";

const MAX_KEY_LENGTH = 128;

const NO_KEYS = ["__proto__", "prototype", "constructor"];

/** Options that may be keys of the API's bodies. @param {readonly string[]} options */
export function analysableOptions(options) {
  return options.filter((option) =>
    [...option].length <= MAX_KEY_LENGTH && !NO_KEYS.includes(option)
  );
}

/** The prefix avoids collisions with other names. */
export const scoreName = (/** @type {string} */ option) => `score:${option}`;

/**
 * The form groups of an analysis, one per criterion.
 * @param {AnalysisParts} analysis
 * @param {readonly string[]} options In the decision's order.
 */
export function analysisGroups({ criteria, scores }, options) {
  const scored = options.filter((option) => Object.hasOwn(scores, option));
  return criteria.map(({ name, weight }) => ({
    name,
    weight: String(weight),
    ...Object.fromEntries(
      scored.map((option) => [scoreName(option), String(scores[option]?.[name])]),
    ),
  }));
}

/**
 * Omits options without scores.
 * @param {readonly GroupTexts[]} groups
 * @param {readonly string[]} options
 * @returns {AnalysisParts | null} Null if a number is missing or invalid.
 */
export function analysisBody(groups, options) {
  const criteria = groups.map(({ name = "", weight }) => ({ name, weight: toNumber(weight) }));
  const scored = options.filter((option) => groups.some((group) => scoreName(option) in group));
  const rowOf = (/** @type {string} */ option) =>
    groups.map(({ name = "", ...texts }) => [name, toNumber(texts[scoreName(option)])]);
  const scores = Object.fromEntries(
    scored.map((option) => [option, Object.fromEntries(rowOf(option))]),
  );
  const rows = Object.values(scores).map((row) => Object.values(row));
  const weights = criteria.map(({ weight }) => weight);
  return [...weights, ...rows.flat()].includes(NaN) ? null : { criteria, scores };
}

/** @returns {Promise<(name: string, label: string, more?: Partial<FieldRow>) => Field>} */
async function figureFields() {
  const { numberField } = await enteredFields();
  return (name, label, more) => numberField({ name, label, required: true, ...more });
}

function nameField() {
  return lineField({ name: "name", label: t("nameOf"), required: true, words: true });
}

/**
 * @template Body
 * @param {Body | null} body
 * @param {string} field
 * @throws {ApiError} if it is incomplete.
 */
export function whole(body, field) {
  if (body === null) throw new ApiError("PAYLOAD_INVALID", { details: { fields: [field] } });
  return body;
}

const MAX_CRITERIA = 20;

/** @type {(place: PartPaths, all: readonly string[]) => Promise<Editable>} */
export async function editableAnalysis(place, all) {
  const figureField = await figureFields();
  const options = analysableOptions(all);
  const criteria = needed("criteria", "json", {
    label: t("criteria"),
    hint: t("criteriaHint"),
    make: (row) =>
      groupsField(row, {
        max: MAX_CRITERIA,
        name: (number) => t("criterionNumber", { number }),
        add: t("addCriterion"),
        makeFields: () => [
          nameField(),
          figureField("weight", t("weight"), { hint: t("weightHint") }),
          ...options.map((option) => figureField(scoreName(option), option, { required: false })),
        ],
      }),
  });
  const body = (/** @type {FieldChange} */ { set }) =>
    whole(analysisBody(set.criteria, options), "criteria");
  return {
    ...editableThing([criteria], place),
    valuesOf: (shown) => ({ criteria: analysisGroups(shown, options) }),
    creation: body,
    patch: body,
    ...(place.one !== null && { changes: `${place.one}/revisions` }),
  };
}

const MAX_FACTORS = 100;

const NAMES = [...new Set(Object.values(PARAMETERS).flat())];

/** @param {PartPaths} place @param {readonly string[]} options */
export async function editableSimulation(place, options) {
  const figureField = await figureFields();
  const choices = labelled(options, String);
  const kinds = labelled(Object.keys(PARAMETERS));
  const factors = needed("options", "json", {
    label: t("factors"),
    hint: t("factorsHint"),
    make: (row) =>
      groupsField(row, {
        max: MAX_FACTORS,
        name: (number) => t("factorNumber", { number }),
        add: t("addFactor"),
        makeFields: () => [
          choiceField({ name: "option", label: t("option"), required: true }, choices),
          nameField(),
          figureField("weight", t("weight"), { hint: t("factorWeightHint") }),
          choiceField({ name: "distribution", label: t("distribution"), required: true }, kinds),
          ...NAMES.map((name) => figureField(name, label(name))),
        ],
        arrange: showParameters,
      }),
  });
  const fields = [
    factors,
    needed("runs", "number", { label: t("runs"), minimum: 1, maximum: 100_000 }),
    needed("seed", "number", { label: t("seed"), hint: t("seedHint") }),
  ];
  const creation = (/** @type {FieldChange} */ { set }) => ({
    ...set,
    options: whole(simulationOptions(set.options, options), "options"),
  });
  return {
    ...editableThing(fields, place, { runs: "10000", seed: "1" }),
    valuesOf: () => ({}),
    creation,
    patch: creation,
  };
}

/** Shows only the parameters of the chosen distribution. @param {readonly Field[]} fields */
function showParameters(fields) {
  const chosen = fields.find(({ name }) => name === "distribution")?.text() ?? "";
  for (const { name, element } of fields) {
    if (NAMES.includes(name)) element.hidden = PARAMETERS[chosen]?.includes(name) !== true;
  }
}
