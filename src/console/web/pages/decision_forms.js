/** Forms and histories of decisions, and the calibration. */

import { ApiError, fill, get, h, numberText, t } from "../core/base.js";
import { reliabilityPicture } from "../core/charts.js";
import { choiceField, field, lineField, newId } from "../fields/controls.js";
import { toNumber } from "../fields/shown.js";
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
import { draftForm } from "./draft_form.js";
import { thingHistory } from "./history.js";
import { editableThing } from "./parts.js";

/** A repeatable group of fields; its text is a JSON list with one object per group. */

/**
 * @param {FieldRow} row
 * @param {GroupsOptions} groups `name` labels a group by its number; `arrange` shows the fields that match the current values.
 */
function groupsField(row, { max, name, add, makeFields, arrange = () => {} }) {
  /** @type {(readonly Field[])[]} */
  let groups = [];
  const list = h("div");
  const adding = h("button", add);
  const whole = h("fieldset.field", { id: newId(), "data-name": row.name }, list, adding);
  const changed = () => list.dispatchEvent(new Event("input", { bubbles: true }));
  const draw = () => {
    adding.hidden = groups.length >= max;
    fill(
      list,
      groups.map((fields, index) => groupOf(fields, name(index + 1), () => remove(fields))),
    );
  };
  const groupOf = (
    /** @type {readonly Field[]} */ fields,
    /** @type {string} */ called,
    /** @type {() => void} */ leave,
  ) =>
    h(
      "fieldset.field.group",
      { oninput: () => arrange(fields) },
      h("legend", called),
      fields.map(({ element }) => element),
      groups.length > 1 &&
        h("button.plain", { onclick: leave }, t("removeTag", { tag: called })),
    );
  const make = (/** @type {Readonly<Record<string, string>>} */ texts) => {
    const fields = makeFields();
    for (const { name: each, setText } of fields) setText(texts[each] ?? "");
    arrange(fields);
    return fields;
  };
  const remove = (/** @type {readonly Field[]} */ fields) => {
    groups = groups.filter((group) => group !== fields);
    draw();
    changed();
    adding.focus();
  };
  adding.addEventListener("click", () => {
    groups = [...groups, make({})];
    draw();
    changed();
    groups.at(-1)?.[0]?.focus();
  });
  return field(row, {
    element: whole,
    target: whole,
    text() {
      const texts = groups.map((fields) =>
        Object.fromEntries(
          fields.map((each) => [each.name, each.text()]).filter(([, text]) => text !== ""),
        )
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

/** Converts an analysis to and from form groups, one per criterion. */

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

/** @param {any} analysis @param {readonly string[]} options In the decision's order. */
export function analysisGroups({ criteria, scores }, options) {
  const scored = options.filter((option) => Object.hasOwn(scores, option));
  return criteria.map((/** @type {{ name: string, weight: number }} */ { name, weight }) => ({
    name,
    weight: String(weight),
    ...Object.fromEntries(
      scored.map((option) => [scoreName(option), String(scores[option][name])]),
    ),
  }));
}

/**
 * Omits options without scores.
 * @param {readonly GroupTexts[]} groups
 * @param {readonly string[]} options
 * @returns {{ criteria: { name: string, weight: number }[], scores: Record<string, Record<string, number>>
 * }
 * | null} Null if a number is missing or invalid.
 */
export function analysisBody(groups, options) {
  const criteria = groups.map(({ name = "", weight }) => ({ name, weight: toNumber(weight) }));
  const scored = options.filter((option) => groups.some((group) => scoreName(option) in group));
  const scores = scored.map((option) => /** @type {const} */ ([
    option,
    groups.map((
      group,
    ) => /** @type {const} */ ([group.name ?? "", toNumber(group[scoreName(option)])])),
  ]));
  const numbers = [
    criteria.map(({ weight }) => weight),
    scores.map(([, row]) => row.map(([, score]) => score)),
  ];
  if (numbers.flat(2).includes(NaN)) return null;
  return {
    criteria,
    scores: Object.fromEntries(scores.map(([option, row]) => [option, Object.fromEntries(row)])),
  };
}

/** @param {PartPaths} place */
export function common({ list, one, idName }) {
  return { list, one, idOf: (/** @type {any} */ shown) => shown[idName] };
}

/** @param {string} name @param {string} label @param {string} hint */
export function group(name, label, hint) {
  return {
    name,
    label,
    hint,
    edit: /** @type {const} */ ("json"),
    required: true,
    sensitive: false,
  };
}

/** @param {string} name @param {string} label @param {string} [hint] */
function numberField(name, label, hint) {
  return lineField({ name, label, hint, inputmode: "decimal", required: true });
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

/** @type {(place: PartPaths, all: readonly string[]) => Editable} */
function editableAnalysis(place, all) {
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

const MAX_FACTORS = 100;
const NAMES = [...new Set(Object.values(PARAMETERS).flat())];
const FIRST_RUNS = "10000";

/** @param {PartPaths} place @param {readonly string[]} options */
function editableSimulation(place, options) {
  const choices = options.map((value) => ({ value, label: value }));
  const kinds = labelled(Object.keys(PARAMETERS));
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

/** @type {Page} */
export async function decisionForm({ params }) {
  const isNew = params.id === undefined;
  const { page, api } = pathsOf(params.id);
  const place = { list: DECISIONS_API, one: isNew ? null : api, idName: "decisionId" };
  const editable = editableThing(await decisionFields(), place);
  return await draftForm(withOptions(editable), {
    page: isNew ? `${DECISIONS}/new` : `${page}/edit`,
    kept: (id) => pathsOf(id).page,
    left: isNew ? DECISIONS : page,
    name: () => t("decision"),
  });
}

/**
 * The API has options as `{ items }`; the form as a list.
 * @param {Editable} editable
 * @returns {Editable}
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
  return await draftForm(editable, {
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
 * @param {PartPaths} place
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
      const present = place.one === null ? [] : [(await get(place.one)).option];
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
  const data = await get(`${predictions}?limit=${MAX_CHOICES}`);
  const choices = data.items.map(({ predictionId, statement }) => ({
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
    label: t("prediction"),
    choices: isKnown ? choices : [...choices, { value: prediction, label: prediction }],
  };
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
    fields: kind.compared,
    isFixed: kind.isFixed,
    nameOf: (state) => kind.nameOf(state) || t(kind.one),
  });
}

/** @param {any} decision */
function optionLines({ options }) {
  return options.items.join("\n");
}

/** @type {Page} */
export async function calibration() {
  const data = await get("/api/v2/decision/calibration");
  const back = h("p", h("a", { href: DECISIONS }, t("decisions")));
  if (data.count === 0) {
    return {
      title: t("calibration"),
      body: [back, h("p.quiet", t("noScoredPredictions"))],
    };
  }
  const groups = data.reliability.filter((/** @type {any} */ { count }) => count > 0)
    .map((/** @type {any} */ { count, meanProbability, observedFrequency }) => ({
      count,
      expected: meanProbability,
      observed: observedFrequency,
    }));
  const figures = /** @type {const} */ ([
    [t("scoredPredictions"), numberText(data.count), ""],
    [t("brierScore"), numberText(data.brierScore), t("brierText")],
    [t("logScore"), numberText(data.logScore), t("logText")],
  ]);
  return {
    title: t("calibration"),
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
        figures.flatMap(([name, value, text]) => [
          h("dt", name),
          h("dd", value, text !== "" && h("p.hint", text)),
        ]),
      ),
    ],
  };
}
