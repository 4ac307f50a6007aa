import { t } from "../../core/base.js";
import { groupsField } from "../../fields/groups.js";
import { lineField } from "../../fields/controls.js";
import {
  analysableOptions,
  analysisBody,
  analysisGroups,
  scoreName,
} from "../../logic/analysis_form.js";
import { common, group, numberField, whole } from "./computed_parts.js";

/** @typedef {import("./computed_parts.js").Place} Place */
/** @typedef {import("../draft_form.js").Editable} Editable */
/** @typedef {import("../../fields/controls.js").Row} Row */

const MAX_CRITERIA = 20;

/**
 * @param {Place} place
 * @param {readonly string[]} all
 * @returns {Editable}
 */
export function editableAnalysis(place, all) {
  const options = analysableOptions(all);
  const make = (/** @type {Row} */ row) =>
    groupsField(row, {
      max: MAX_CRITERIA,
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
