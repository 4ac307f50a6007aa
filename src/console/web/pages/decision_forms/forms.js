/** Forms of a decision and its parts. */

import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { labelled, notFound } from "../../core/names.js";
import { tagsField } from "../../fields/controls/tags.js";
import { needed, optional } from "../../fields/shown/texts.js";
import { thisMinute } from "../../fields/shown/times.js";
import { readKind } from "../decisions/kinds.js";
import { decisionFields, DECISIONS, DECISIONS_API, pathsOf } from "../decisions/list.js";
import { pickAmong } from "../draft_form/catalog_fields.js";
import { draftForm, placesOf } from "../draft_form/form.js";
import { editableThing } from "../parts/objects.js";
import { editableAnalysis, editableSimulation } from "./analysis.js";

/** @type {Page} */
export async function decisionForm({ params: { id } }) {
  const one = id === undefined ? null : pathsOf(id).api;
  const place = { list: DECISIONS_API, one, idName: "decisionId" };
  const fields = withChosenOption(await decisionFields());
  const editable = withOptions(editableThing(fields, place));
  return await draftForm(editable, placesOf(DECISIONS, id, () => t("decision")));
}

/**
 * The option is chosen among those that the form holds.
 * @param {readonly CatalogField[]} fields
 */
function withChosenOption(fields) {
  /** @type {Field | undefined} */
  let options;
  /** @returns {readonly string[]} */
  const items = () => JSON.parse(options?.text() || "[]");
  /** @type {Record<string, NonNullable<CatalogField["make"]>>} */
  const makers = {
    options: (row) => options = tagsField(row),
    chosenOption: pickAmong(() => labelled(items(), String)),
  };
  return fields.map((field) => {
    const make = makers[field.name];
    return make === undefined ? field : { ...field, make };
  });
}

/**
 * The API has options as `{ items }`; the form as a list.
 * @type {(editable: Editable) => Editable}
 */
function withOptions({ valuesOf, creation, patch, ...editable }) {
  const wrapped = (/** @type {FieldChange} */ { set, remove }) => ({
    remove,
    set: { ...set, ...(set.options !== undefined && { options: { items: set.options } }) },
  });
  return {
    ...editable,
    valuesOf: (shown) => valuesOf({ ...shown, options: shown.options.items }),
    creation: (change) => creation(wrapped(change)),
    patch: (change, shown) => patch(wrapped(change), shown),
  };
}

/** @type {Page} */
export async function thingForm({ params, query }) {
  const kind = readKind(params.kind);
  const isNew = params.thing === undefined;
  if (kind === null || (params.kind === "simulations" && !isNew)) return notFound();
  const { page, api } = pathsOf(params.id);
  const decision = await get(api);
  const list = `${api}/${params.kind}`;
  const place = { list, one: isNew ? null : `${list}/${params.thing}`, idName: `${kind.one}Id` };
  const editable = await makeEditable(params.kind, kind, place, {
    options: decision.options.items,
    prediction: query.get("prediction"),
  });
  const places = placesOf(`${page}/${params.kind}`, params.thing, () => t(kind.one));
  return await draftForm(editable, {
    ...places,
    ...(isNew && { left: page }),
    ...(params.kind === "simulations" && {
      about: t("simulationText"),
      underWay: t("simulationRuns"),
    }),
  });
}

/**
 * @param {string | undefined} name
 * @param {ThingKind} kind
 * @param {PartPaths} place
 * @param {{ options: readonly string[], prediction: string | null }} given The decision's options,
 *   and the prediction of an outcome.
 * @returns {Promise<Editable>}
 */
async function makeEditable(name, kind, place, { options, prediction }) {
  switch (name) {
    case "analyses":
      return await editableAnalysis(place, options);
    case "simulations":
      return await editableSimulation(place, options);
    case "counterfactuals": {
      // The option may have been removed from the decision.
      const present = place.one === null ? [] : [(await get(place.one)).option];
      const choices = labelled([...new Set([...options, ...present])], String);
      const [option, ...rest] = kind.fields;
      return editableThing([
        needed("option", "select", { ...option, edit: "select", choices }),
        ...rest,
      ], place);
    }
    case "outcomes":
      // An outcome's prediction is fixed at creation.
      return place.one === null
        ? editableThing([await predictionField(place.list, prediction), ...kind.fields], place, {
          predictionId: prediction ?? "",
          observedAt: thisMinute(),
        })
        : editableThing(kind.fields, place);
    default:
      return editableThing(kind.fields, place);
  }
}

/** Only the newest predictions can be chosen. */
const MAX_CHOICES = 100;

/** @param {string} outcomes @param {string | null} prediction */
async function predictionField(outcomes, prediction) {
  const predictions = outcomes.replace(/outcomes$/, "predictions");
  const data = await get(`${predictions}?limit=${MAX_CHOICES}`);
  const choices = data.items.map(({ predictionId, statement }) => ({
    value: predictionId,
    label: statement,
  }));
  const isKnown = prediction === null || choices.some(({ value }) => value === prediction);
  return optional("predictionId", "text", {
    label: t("prediction"),
    make: pickAmong(isKnown ? choices : [...choices, { value: prediction, label: prediction }]),
  });
}
