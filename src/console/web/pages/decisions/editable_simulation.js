import { t } from "../../core/base.js";
import { choiceField, lineField } from "../../fields/controls.js";
import { groupsField } from "../../fields/groups.js";
import { label } from "../../core/names.js";
import { PARAMETERS, simulationOptions } from "../../logic/simulation_form.js";
import { common, group, numberField, whole } from "./computed_parts.js";

const MAX_FACTORS = 100;
const NAMES = [...new Set(Object.values(PARAMETERS).flat())];
const FIRST_RUNS = "10000";

/** @param {PartPaths} place @param {readonly string[]} options */
export function editableSimulation(place, options) {
  const choices = options.map((value) => ({ value, label: value }));
  const kinds = Object.keys(PARAMETERS).map((value) => ({ value, label: label(value) }));
  const make = (/** @type {FieldRow} */ row) =>
    groupsField(row, {
      max: MAX_FACTORS,
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

/** Shows only the parameters of the chosen distribution. @param {readonly Field[]} fields */
function showParameters(fields) {
  const chosen = fields.find(({ name }) => name === "distribution")?.text() ?? "";
  /** @type {readonly string[]} */
  const needed = PARAMETERS[/** @type {keyof typeof PARAMETERS} */ (chosen)] ?? [];
  for (const { name, element } of fields) {
    if (NAMES.some((each) => each === name)) element.hidden = !needed.includes(name);
  }
}
