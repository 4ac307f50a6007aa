/** Decisions, and what is added to them. */

import { actButton } from "../core/acts.js";
import { get, h, numberText, send, t } from "../core/base.js";
import { spreadPicture } from "../core/charts.js";
import { line } from "../fields/controls.js";
import {
  ago,
  counted,
  nearDayText,
  parts,
  shareText,
  toNumber,
  valuesList,
} from "../fields/shown.js";
import { label, notFound, readModule } from "../core/names.js";
import {
  archiveButton,
  archivedNote,
  archivedViews,
  listPage,
  listSection,
  rootFacts,
  tagsSection,
} from "./parts.js";

export const DECISIONS = "/console/decisions";
export const DECISIONS_API = "/api/v2/decision/decisions";

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${DECISIONS}/${id}`, api: `${DECISIONS_API}/${id}` };
}

/**
 * Options, JSON in the catalog, become a list of words.
 * @returns {Promise<readonly CatalogField[]>}
 */
export async function decisionFields() {
  const fields = (await readModule("decision"))?.fields ?? [];
  return fields.map((field) => {
    if (field.name === "options") return { ...field, edit: "tags", hint: t("optionsHint") };
    return field.name === "chosenOption" ? { ...field, hint: t("chosenHint") } : field;
  });
}

/** @type {Page} */
export async function decisions({ query }) {
  return await listPage(query, {
    title: t("decisions"),
    page: DECISIONS,
    api: DECISIONS_API,
    filter: archivedViews(),
    none: t(query.get("archived") === "only" ? "noneArchived" : "noneYet"),
    beside: [
      h("a.main", { href: `${DECISIONS}/new` }, t("newDecision")),
    ],
    after: [
      h("a", { href: `${DECISIONS}/calibration` }, t("calibration")),
      h("a", { href: "/console/print/decision" }, t("printView")),
    ],
    line: decisionLine,
  });
}

/** @param {any} decision */
function decisionLine({ decisionId, question, chosenOption, reviewAt }) {
  return line(
    h("a.words", { href: `${DECISIONS}/${decisionId}` }, question),
    [
      chosenOption === null ? t("openOnes") : `✓ ${chosenOption}`,
      reviewAt !== null && h("span", parts("reviewOn", { time: ago(reviewAt, nearDayText) })),
    ],
  );
}

/** Options by criteria, the winner first. @param {any} analysis @returns {readonly Element[]} */
function analysisView({ criteria, scores, ranking, sensitivity }) {
  const heads = criteria.map((/** @type {any} */ { name, weight, normalisedWeight }) =>
    h(
      "th",
      { scope: "col" },
      name,
      h(
        "span.quiet.small",
        ` ${t("weightOf", { weight: numberText(weight), share: shareText(normalisedWeight) })}`,
      ),
    )
  );
  const rows = ranking.map((/** @type {any} */ { rank, option, total }) =>
    h(
      "tr",
      { class: rank === 1 && "winner" },
      h("th", { scope: "row" }, `${rank}. ${option}`),
      h("td.number", numberText(total)),
      criteria.map((/** @type {any} */ { name }) =>
        h("td.number", numberText(scores[option][name]))
      ),
    )
  );
  const grid = h(
    "table",
    { "aria-label": t("ranking") },
    h(
      "thead",
      h("tr", ...[t("option"), t("total")].map((name) => h("th", { scope: "col" }, name)), heads),
    ),
    h("tbody", rows),
  );
  return [
    h("div.scrolls", { role: "region", "aria-label": t("scores"), tabindex: 0 }, grid),
    h("p", sensitivityText(sensitivity)),
  ];
}

/** @param {any} sensitivity Null if no change of one weight makes another option the best. */
function sensitivityText(sensitivity) {
  if (sensitivity === null) return t("notSensitive");
  const { criterion, weight, criticalWeight, challenger } = sensitivity;
  return t("sensitive", {
    criterion,
    challenger,
    from: numberText(weight),
    to: numberText(criticalWeight),
  });
}

/** Converts simulation options to and from form groups, one per factor. */

export const PARAMETERS = /** @type {const} */ ({
  NORMAL: ["mean", "standardDeviation"],
  UNIFORM: ["minimum", "maximum"],
  TRIANGULAR: ["minimum", "mode", "maximum"],
});

/** @typedef {keyof typeof PARAMETERS} Distribution */

/**
 * Follows the decision's order of options.
 * @param {readonly Record<string, string>[]} groups
 * @param {readonly string[]} options
 * @returns {{ option: string, factors: Record<string, string | number>[] }[] | null} Null if a value is
 *   missing or invalid.
 */
export function simulationOptions(groups, options) {
  const factors = groups.map(({ option, name = "", weight, distribution, ...parameters }) => {
    const needed = PARAMETERS[/** @type {Distribution} */ (distribution)] ?? [];
    const numbers = needed.map((each) => /** @type {const} */ ([each, toNumber(parameters[each])]));
    return { option, name, weight: toNumber(weight), distribution, numbers };
  });
  const isWhole = factors.every(({ option, weight, numbers }) =>
    option !== undefined && options.includes(option) && numbers.length > 0 &&
    ![weight, ...numbers.map(([, number]) => number)].includes(NaN)
  );
  if (!isWhole) return null;
  return options.map((option) => ({
    option,
    factors: factors.filter((factor) => factor.option === option)
      .map(({ name, weight, distribution = "", numbers }) => ({
        name,
        weight,
        distribution,
        ...Object.fromEntries(numbers),
      })),
  })).filter(({ factors }) => factors.length > 0);
}

/**
 * The options most often best first, as sentences and distributions.
 * @param {any} simulation
 * @returns {readonly Element[]}
 */
function simulationSummary({ results }) {
  const ranked = results.toSorted((/** @type {any} */ a, /** @type {any} */ b) =>
    b.probabilityBest - a.probabilityBest
  );
  const sentences = ranked.map((/** @type {any} */ result) =>
    h("li", h("strong", bestText(result)), ` ${rangeText(result)}`)
  );
  const spans = ranked.map((/** @type {any} */ { option, p5, p50, p95 }) => ({
    name: option,
    low: p5,
    middle: p50,
    high: p95,
  }));
  return [
    h("ul", { "aria-label": t("results") }, sentences),
    spreadPicture(t("spread"), spans, [t("option"), t("low"), t("middle"), t("high")]),
    h("p.quiet.small", t("spreadText")),
  ];
}

/** @param {any} result */
function bestText({ option, probabilityBest }) {
  return t("bestOf", { option, count: Math.round(probabilityBest * 100) });
}

/** @param {any} result */
function rangeText({ p5, p50, p95 }) {
  const [low, middle, high] = [p5, p50, p95].map(readable);
  return t("rangeOf", { low: low ?? "", middle: middle ?? "", high: high ?? "" });
}

/** More digits of a random result have no meaning. @param {number} value */
function readable(value) {
  return numberText(Number(value.toPrecision(3)));
}

/** @type {(simulation: any) => readonly Element[]} */
function simulationView(simulation) {
  const { options, runs, seed, algorithm } = simulation;
  return [
    ...simulationSummary(simulation),
    h("h2", t("factors")),
    ...options.flatMap(factorLines),
    h(
      "p.quiet.small",
      t("simulationFacts", { runs: numberText(runs), seed: String(seed), algorithm }),
    ),
  ];
}

/** @param {any} option */
function factorLines({ option, factors }) {
  const line = (/** @type {any} */ { name, weight, distribution, ...parameters }) => {
    const names = PARAMETERS[/** @type {keyof typeof PARAMETERS} */ (distribution)];
    const values = names.map((each) => `${label(each)} ${numberText(parameters[each])}`).join(", ");
    const facts = `${t("weight")} ${numberText(weight)} · ${label(distribution)}: ${values}`;
    return h("li", h("span.words", name), h("span.quiet.small", facts));
  };
  return [h("h3.words", option), h("ul.lines", factors.map(line))];
}

const KINDS = /** @type {Readonly<Record<string, () => ThingKind>>} */ ({
  analyses: () => ({
    idName: "analysisId",
    title: "analyses",
    one: "analysis",
    add: "newAnalysis",
    fields: [],
    compared: [exact("criteria", t("criteria")), exact("scores", t("scores"))],
    isFixed: true,
    nameOf: ({ criteria }) => criteria.map((/** @type {any} */ { name }) => name).join(", "),
    fact: ({ ranking }) => [t("leadingOption", { option: ranking[0].option })],
  }),
  predictions: () => ({
    idName: "predictionId",
    title: "predictions",
    one: "prediction",
    add: "newPrediction",
    ...simple([
      { ...base("statement", "textarea"), required: true, label: t("statement") },
      { ...share("probability"), label: t("probability") },
      { ...base("dueAt", "datetime"), required: true, label: t("due") },
    ]),
    nameOf: ({ statement }) => statement,
    fact: ({ probability, dueAt, outcome }) => [
      shareText(probability),
      " · ",
      ...outcome === undefined
        ? parts("dueOn", { time: ago(dueAt) })
        : [t(outcome.occurred ? "didOccur" : "didNotOccur")],
    ],
  }),
  outcomes: () => ({
    idName: "outcomeId",
    title: "outcomes",
    one: "outcome",
    add: "newOutcome",
    ...simple([
      { ...base("occurred", "boolean"), required: true, label: t("occurred") },
      { ...base("description", "textarea"), required: true, label: t("outcomeText") },
      { ...base("observedAt", "datetime"), required: true, label: t("observedAt") },
      {
        ...base("satisfaction", "number"),
        minimum: 1,
        maximum: 5,
        integer: true,
        label: t("satisfaction"),
      },
    ]),
    nameOf: ({ description }) => description,
    fact: ({ occurred }) => [t(occurred ? "didOccur" : "didNotOccur")],
  }),
  counterfactuals: () => ({
    idName: "counterfactualId",
    title: "counterfactuals",
    one: "counterfactual",
    add: "newCounterfactual",
    ...simple([
      { ...base("option", "text"), required: true, label: t("option") },
      { ...base("narrative", "textarea"), required: true, label: t("narrative") },
      { ...base("expectedValue", "number"), label: t("expectedValue") },
      { ...share("confidence"), label: t("confidence") },
    ]),
    nameOf: ({ narrative }) => narrative,
    fact: ({ option }) => [option],
  }),
  simulations: () => ({
    idName: "simulationId",
    title: "simulations",
    one: "simulation",
    add: "newSimulation",
    fields: [],
    compared: [exact("options", t("factors")), exact("results", t("results"))],
    isFixed: true,
    nameOf: ({ runs }) => counted(runs, "runsOf"),
    fact: ({ results }) => [t("bestOption", { option: mostOften(results) })],
  }),
});

const KIND_NAMES = Object.keys(KINDS);

/** @param {string | undefined} name */
export function readKind(name) {
  return Object.hasOwn(KINDS, name ?? "") ? KINDS[name ?? ""]?.() ?? null : null;
}

/** @param {readonly CatalogField[]} fields */
function simple(fields) {
  return { fields, compared: fields, isFixed: false };
}

/** @param {string} name @param {CatalogField["edit"]} edit */
function base(name, edit) {
  return { name, edit, required: false, sensitive: false };
}

/** @param {string} name */
function share(name) {
  return { ...base(name, "number"), required: true, minimum: 0, maximum: 1 };
}

/** @param {string} name @param {string} label */
function exact(name, label) {
  return { ...base(name, "json"), label };
}

/** @param {readonly { option: string, probabilityBest: number }[]} results */
function mostOften(results) {
  return results.toSorted((a, b) => b.probabilityBest - a.probabilityBest)[0]?.option ?? "";
}

/** @type {Page} */
export async function things({ params, query }) {
  const kind = readKind(params.kind);
  if (kind === null) return notFound();
  const { page, api } = pathsOf(params.id);
  const list = `${page}/${params.kind}`;
  return await listPage(query, {
    title: t(kind.title),
    page: list,
    api: `${api}/${params.kind}`,
    beside: [
      h("a.main", { href: `${list}/new` }, t(kind.add)),
      h("a", { href: page }, t("decision")),
    ],
    line: (thing) => thingLine(kind, list, thing),
  });
}

/** @param {ThingKind} kind @param {string} list @param {any} thing */
function thingLine(kind, list, thing) {
  return h(
    "li",
    h("a.words", { href: `${list}/${thing[kind.idName]}` }, kind.nameOf(thing)),
    h("span.quiet.small", kind.fact(thing)),
  );
}

const MAX_SHOWN = 5;
/** Outcomes are also shown with their predictions. */
const MAX_OUTCOMES = 100;
const APART = ["question", "options", "chosenOption", "decidedAt", "reviewAt"];
/** The newest one is shown whole. */
const NEWEST = /** @type {Readonly<Record<string, (thing: any) => readonly Element[]>>} */ ({
  analyses: analysisView,
  simulations: simulationSummary,
});

/** @type {Page} */
export async function decisionPage({ params }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const limitOf = (/** @type {string} */ kind) => kind === "outcomes" ? MAX_OUTCOMES : MAX_SHOWN;
  const [fields, decision, ...lists] = await Promise.all([
    decisionFields(),
    get(api),
    ...KIND_NAMES.map((kind) => send("GET", `${api}/${kind}?limit=${limitOf(kind)}`)),
  ]);
  const found = Object.fromEntries(KIND_NAMES.map((name, index) => [name, lists[index]?.data]));
  const outcomes = new Map(
    found.outcomes.items.map((/** @type {any} */ outcome) => [outcome.predictionId, outcome]),
  );
  for (const prediction of found.predictions.items) {
    prediction.outcome = outcomes.get(prediction.predictionId);
  }
  return {
    title: t("decision"),
    heading: decision.question,
    body: [
      stateLine(decision),
      archivedNote(decision),
      optionList(decision, place),
      valuesList(fields.filter(({ name }) => !APART.includes(name)), decision),
      h(
        "div.bar",
        h("a.main", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        archiveButton(decision, place),
      ),
      ...KIND_NAMES.map((name) => section(page, name, found[name])),
      h("div.bar", KIND_NAMES.map((name) => addLink(page, name, found[name]))),
      tagsSection("decision", decision.decisionId, page),
      rootFacts(decision),
    ],
  };
}

/** @param {any} decision */
function stateLine({ chosenOption, decidedAt, reviewAt }) {
  return h(
    "p.key-values",
    ...decidedAt === null
      ? [t(chosenOption === null ? "openOnes" : "decided")]
      : parts("decidedOn", { time: ago(decidedAt) }),
    ...reviewAt === null ? [] : [" · ", ...parts("reviewOn", { time: ago(reviewAt) })],
  );
}

/** @param {any} decision @param {Paths} place */
function optionList({ options, chosenOption, revision }, { page, api }) {
  const choose = (/** @type {string} */ option) =>
    actButton({
      path: api,
      method: "PATCH",
      page,
      done: t("chosen"),
      name: t("pickOption"),
      label: t("chooseOption", { option }),
      body: { expectedRevision: revision, set: { chosenOption: option } },
    });
  const line = (/** @type {string} */ option) =>
    h(
      "li",
      { class: option === chosenOption && "chosen" },
      h("p.words", option),
      option === chosenOption ? h("strong", `✓ ${t("isChosen")}`) : choose(option),
    );
  return h("ul.groups.cards", { "aria-label": t("options") }, options.items.map(line));
}

/**
 * Nothing for a kind without objects, which `addLink` offers.
 * @param {string} page
 * @param {string} name
 * @param {any} found
 */
function section(page, name, { items, nextCursor }) {
  const kind = readKind(name);
  if (kind === null || items.length === 0) return null;
  const all = `${page}/${name}`;
  const shown = {
    items: items.slice(0, MAX_SHOWN),
    nextCursor: items[MAX_SHOWN] ?? nextCursor,
  };
  return listSection(t(kind.title), shown, all, {
    add: h("a", { href: `${all}/new` }, t(kind.add)),
    line(thing, index) {
      const line = thingLine(kind, all, thing);
      const whole = index === 0 && NEWEST[name]?.(thing);
      if (whole) line.append(h("div.whole", whole));
      return line;
    },
  });
}

/** @param {string} page @param {string} name @param {any} found */
function addLink(page, name, { items }) {
  const kind = readKind(name);
  return kind !== null && items.length === 0 &&
    h("a", { href: `${page}/${name}/new` }, t(kind.add));
}

/** The outcome is searched among the newest ones. */
const THING_MAX_OUTCOMES = 100;

/** @type {Page} */
export async function thingPage({ params }) {
  const kind = readKind(params.kind);
  if (kind === null) return notFound();
  const { page, api } = pathsOf(params.id);
  const own = `${page}/${params.kind}/${params.thing}`;
  const isPrediction = params.kind === "predictions";
  const [thing, outcome] = await Promise.all([
    get(`${api}/${params.kind}/${params.thing}`),
    isPrediction ? findOutcome(api, params.thing) : null,
  ]);
  const views = { analyses: analysisView, simulations: simulationView };
  const view = views[/** @type {keyof typeof views} */ (params.kind)];
  const predictionId = isPrediction ? null : thing.predictionId ?? null;
  // A prediction with an outcome cannot change.
  const isOpen = params.kind !== "simulations" && outcome === null;
  return {
    title: t(kind.one),
    body: [
      h("p", h("a", { href: page }, t("decision"))),
      ...(view === undefined ? [valuesList(kind.fields, thing)] : view(thing)),
      predictionId !== null &&
      h("p", h("a", { href: `${page}/predictions/${predictionId}` }, t("prediction"))),
      outcome !== null &&
      h("p", h("a", { href: `${page}/outcomes/${outcome.outcomeId}` }, t("outcome"))),
      h(
        "div.bar",
        isOpen && h("a.main", { href: `${own}/edit` }, t("edit")),
        isOpen && isPrediction && h(
          "a",
          { href: `${page}/outcomes/new?prediction=${params.thing}` },
          t("outcomeOfPrediction"),
        ),
        h("a", { href: `${own}/history` }, t("history")),
      ),
      rootFacts(thing),
    ],
  };
}

/** @param {string} api @param {string | undefined} prediction */
async function findOutcome(api, prediction) {
  const data = await get(`${api}/outcomes?limit=${THING_MAX_OUTCOMES}`);
  return data.items.find(({ predictionId }) => predictionId === prediction) ??
    null;
}
