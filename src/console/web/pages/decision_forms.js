/** Forms and histories of decisions, and the calibration. */

import { showTexts, textsOf } from "../core/acts.js";
import { ApiError, fill, get, h, link, notLoaded, numberText, t } from "../core/base.js";
import { choiceField, field, lineField, newId } from "../fields/controls.js";
import { needed, optional, pair, toNumber } from "../fields/shown.js";
import { label, labelled, notFound } from "../core/names.js";
import {
  decisionFields,
  DECISIONS,
  DECISIONS_API,
  PARAMETERS,
  pathsOf,
  readKind,
  simulationOptions,
} from "./decisions.js";
import { draftForm, placesOf } from "./draft_form.js";
import { thingHistory } from "./history.js";
import { editableThing } from "./parts.js";

/**
 * A repeatable group of fields; its text is a JSON list with one object per group.
 * @param {FieldRow} row
 * @param {GroupsOptions} options
 */
function groupsField(row, { max, name, add, makeFields, arrange = () => {} }) {
  /** @type {(readonly Field[])[]} */
  let groups = [];
  const list = h("div");
  const adding = h("button", add);
  const whole = h("fieldset.field", { id: newId(), "data-name": row.name }, list, adding);
  const draw = () => {
    adding.hidden = groups.length >= max;
    fill(list, groups.map((fields, index) => groupOf(fields, name(index + 1))));
  };
  const groupOf = (/** @type {readonly Field[]} */ fields, /** @type {string} */ called) => {
    const onclick = () => {
      change(groups.filter((group) => group !== fields));
      adding.focus();
    };
    return h(
      "fieldset.field.group",
      { oninput: () => arrange(fields) },
      h("legend", called),
      fields.map(({ element }) => element),
      groups.length > 1 && h("button.plain", { onclick }, t("removeTag", { tag: called })),
    );
  };
  const make = (/** @type {GroupTexts} */ texts) => {
    const fields = makeFields();
    showTexts(fields, texts);
    arrange(fields);
    return fields;
  };
  const change = (/** @type {typeof groups} */ changed) => {
    groups = changed;
    draw();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  };
  adding.addEventListener("click", () => {
    change([...groups, make({})]);
    groups.at(-1)?.[0]?.focus();
  });
  return field(row, {
    element: whole,
    target: whole,
    text() {
      const texts = groups.map((fields) =>
        Object.fromEntries(Object.entries(textsOf(fields)).filter(([, text]) => text !== ""))
      );
      const isEmpty = texts.every((group) => Object.keys(group).length === 0);
      return isEmpty ? "" : JSON.stringify(texts, null, 2);
    },
    setText(text) {
      groups = (text === "" ? [{}] : JSON.parse(text)).map(make);
      draw();
    },
  });
}

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

/** @type {(name: string, label: string, more?: Partial<FieldRow>) => Field} */
function numberField(name, label, more) {
  return lineField({ name, label, inputmode: "decimal", required: true, ...more });
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
function whole(body, field) {
  if (body === null) throw new ApiError("PAYLOAD_INVALID", { details: { fields: [field] } });
  return body;
}

const MAX_CRITERIA = 20;

/** @type {(place: PartPaths, all: readonly string[]) => Editable} */
function editableAnalysis(place, all) {
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
          numberField("weight", t("weight"), { hint: t("weightHint") }),
          ...options.map((option) => numberField(scoreName(option), option, { required: false })),
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
function editableSimulation(place, options) {
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
          numberField("weight", t("weight"), { hint: t("factorWeightHint") }),
          choiceField({ name: "distribution", label: t("distribution"), required: true }, kinds),
          ...NAMES.map((name) => numberField(name, label(name))),
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

/** @type {Page} */
export async function decisionForm({ params: { id } }) {
  const one = id === undefined ? null : pathsOf(id).api;
  const place = { list: DECISIONS_API, one, idName: "decisionId" };
  const editable = withOptions(editableThing(await decisionFields(), place));
  return await draftForm(editable, placesOf(DECISIONS, id, () => t("decision")));
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
      return editableAnalysis(place, options);
    case "simulations":
      return editableSimulation(place, options);
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
  return optional("predictionId", "select", {
    label: t("prediction"),
    choices: isKnown ? choices : [...choices, { value: prediction, label: prediction }],
  });
}

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
    import("../core/charts.js").catch(notLoaded),
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
