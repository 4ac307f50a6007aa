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

const MAX_CRITERIA = 20;

/** @type {(place: PartPaths, all: readonly string[]) => Editable} */
export function editableAnalysis(place, all) {
  const options = analysableOptions(all);
  const make = (/** @type {FieldRow} */ row) =>
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
