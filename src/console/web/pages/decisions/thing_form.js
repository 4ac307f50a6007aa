import { send, t } from "../../core/base.js";
import { editableThing } from "../root_parts.js";
import { notFound } from "../../core/names.js";
import { draftForm } from "../draft_form.js";
import { pathsOf } from "./decision_paths.js";
import { readKind } from "./kinds.js";
import { editableAnalysis } from "./editable_analysis.js";
import { editableSimulation } from "./editable_simulation.js";

/** @type {Page} */
export default async function thingForm({ params, query, session }) {
  const kind = readKind(params.kind);
  const isNew = params.thing === undefined;
  if (kind === null || (params.kind === "simulations" && !isNew)) return notFound();
  const { page, api } = pathsOf(params.id);
  const { data: decision } = await send("GET", api);
  const list = `${page}/${params.kind}`;
  const place = {
    list: `${api}/${params.kind}`,
    one: isNew ? null : `${api}/${params.kind}/${params.thing}`,
    idName: kind.idName,
  };
  const editable = await makeEditable(params.kind, kind, place, {
    options: decision.options.items,
    prediction: query.get("prediction"),
  });
  return await draftForm(session, editable, {
    page: isNew ? `${list}/new` : `${list}/${params.thing}/edit`,
    kept: (id) => `${list}/${id}`,
    left: isNew ? page : `${list}/${params.thing}`,
    name: () => t(kind.one),
    ...(params.kind === "simulations" && {
      about: t("simulationText"),
      underWay: t("simulationRuns"),
    }),
  });
}

/**
 * @param {string | undefined} name
 * @param {ThingKind} kind
 * @param {{ list: string, one: string | null, idName: string }} place
 * @param {{ options: readonly string[], prediction: string | null }} given The decision's options, and the
 *   prediction of an outcome.
 * @returns {Promise<Editable>}
 */
async function makeEditable(name, kind, place, { options, prediction }) {
  switch (name) {
    case "analyses":
      return editableAnalysis(place, options);
    case "simulations":
      return editableSimulation(place, options);
    case "counterfactuals": {
      // The option may have been removed from the decision.
      const present = place.one === null ? [] : [(await send("GET", place.one)).data.option];
      const choices = [...new Set([...options, ...present])]
        .map((value) => ({ value, label: value }));
      const fields = kind.fields.map((field) =>
        field.name === "option"
          ? { ...field, edit: /** @type {const} */ ("select"), choices }
          : field
      );
      return editableThing(fields, place);
    }
    case "outcomes":
      // An outcome's prediction is fixed at creation.
      return place.one === null
        ? editableThing([await predictionField(place.list, prediction), ...kind.fields], place, {
          predictionId: prediction ?? "",
        })
        : editableThing(kind.fields, place);
    default:
      return editableThing(kind.fields, place);
  }
}

/** Only the newest predictions can be chosen. */
const MAX_CHOICES = 100;

/** @type {(outcomes: string, prediction: string | null) => Promise<CatalogField>} */
async function predictionField(outcomes, prediction) {
  const predictions = outcomes.replace(/outcomes$/, "predictions");
  const { data } = await send("GET", `${predictions}?limit=${MAX_CHOICES}`);
  const choices = data.items.map((/** @type {any} */ { predictionId, statement }) => ({
    value: predictionId,
    label: statement,
  }));
  const isKnown = prediction === null ||
    choices.some((/** @type {{ value: string }} */ { value }) => value === prediction);
  return {
    name: "predictionId",
    edit: "select",
    required: false,
    sensitive: false,
    label: t("outcomeOf"),
    choices: isKnown ? choices : [...choices, { value: prediction, label: prediction }],
  };
}
