/** Decisions and their analyses, predictions, outcomes and other entries. */

import { actButton } from "../core/acts.js";
import { get, h, link, notLoaded, numberText, t, textOf } from "../core/base.js";
import { line, loaded } from "../fields/controls.js";
import {
  ago,
  counted,
  lazyDetails,
  nearDayText,
  needed,
  optional,
  parts,
  shareText,
  toNumber,
  valuesList,
} from "../fields/shown.js";
import { label, notFound, readFields } from "../core/names.js";
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
  const fields = await readFields("decision");
  return fields.map((field) => {
    if (field.name === "options") return { ...field, edit: "tags", hint: t("optionsHint") };
    return field.name === "chosenOption" ? { ...field, hint: t("chosenHint") } : field;
  });
}

/** @type {Page} */
export function decisions({ query }) {
  return listPage(query, {
    title: t("decisions"),
    api: DECISIONS_API,
    filter: archivedViews(),
    beside: [link(`${DECISIONS}/new`, t("newDecision"), "main")],
    after: [
      link(`${DECISIONS}/calibration`, t("calibration")),
      link("/console/print/decision", t("printView")),
    ],
    line: decisionLine,
  });
}

/** @param {any} decision */
function decisionLine({ decisionId, question, chosenOption, reviewAt }) {
  return line(
    link(`${DECISIONS}/${decisionId}`, question, "words"),
    [
      chosenOption === null ? t("openOnes") : `✓ ${chosenOption}`,
      reviewAt !== null && h("span", parts("reviewOn", { time: ago(reviewAt, nearDayText) })),
    ],
  );
}

/** Options by criteria, the winner first. @param {Analysis} analysis */
function analysisView({ criteria, scores, ranking, sensitivity }) {
  const weighed = criteria.map(({ name, weight, normalisedWeight }) => {
    const values = { weight: numberText(weight), share: shareText(normalisedWeight) };
    return [name, h("span.quiet.small", ` ${t("weightOf", values)}`)];
  });
  const heads = [[t("option")], [t("total")], ...weighed].map((name) =>
    h("th", { scope: "col" }, name)
  );
  const rows = ranking.map(({ rank, option, total }) => {
    const figures = [total, ...criteria.map(({ name }) => scores[option]?.[name] ?? NaN)];
    return h(
      "tr",
      { class: rank === 1 && "winner" },
      h("th", { scope: "row" }, `${rank}. ${option}`),
      figures.map((figure) => h("td.number", numberText(figure))),
    );
  });
  const about = { "aria-label": t("ranking") };
  const grid = h("table", about, h("thead", h("tr", heads)), h("tbody", rows));
  return [
    h("div.scrolls", { role: "region", "aria-label": t("scores"), tabindex: 0 }, grid),
    h("p", sensitivityText(sensitivity)),
  ];
}

/**
 * @param {Analysis["sensitivity"]} sensitivity Null if no change of one weight changes the winner.
 */
function sensitivityText(sensitivity) {
  if (sensitivity === null) return t("notSensitive");
  const { weight, criticalWeight } = sensitivity;
  return t("sensitive", {
    ...sensitivity,
    from: numberText(weight),
    to: numberText(criticalWeight),
  });
}

/** By distribution. @type {Readonly<Record<string, readonly string[]>>} */
export const PARAMETERS = {
  NORMAL: ["mean", "standardDeviation"],
  UNIFORM: ["minimum", "maximum"],
  TRIANGULAR: ["minimum", "mode", "maximum"],
};

/**
 * The simulation of a form's groups, one per factor, in the order of the decision's options.
 * Null if a value is missing or invalid.
 * @param {readonly GroupTexts[]} groups
 * @param {readonly string[]} options
 */
export function simulationOptions(groups, options) {
  const factors = groups.map(({ option = "", name = "", weight, distribution = "", ...texts }) => {
    const numbers = PARAMETERS[distribution]?.map((each) => [each, toNumber(texts[each])]) ?? [];
    const known = { name, weight: toNumber(weight), distribution };
    return { option, factor: { ...known, ...Object.fromEntries(numbers) } };
  });
  const isWhole = factors.every(({ option, factor }) =>
    options.includes(option) && factor.distribution in PARAMETERS &&
    !Object.values(factor).includes(NaN)
  );
  if (!isWhole) return null;
  return options.map((option) => ({
    option,
    factors: factors.filter((each) => each.option === option).map(({ factor }) => factor),
  })).filter(({ factors }) => factors.length > 0);
}

/** The options most often best first. @param {Simulation} simulation */
function rankedResults({ results }) {
  return results.toSorted((a, b) => b.probabilityBest - a.probabilityBest);
}

/** As sentences and distributions. @param {Simulation} simulation */
function simulationSummary(simulation) {
  const ranked = rankedResults(simulation);
  const sentences = ranked.map(({ option, probabilityBest, p5, p50, p95 }) => {
    const best = t("bestOf", { option, count: Math.round(probabilityBest * 100) });
    const range = { low: readable(p5), middle: readable(p50), high: readable(p95) };
    return h("li", h("strong", best), ` ${t("rangeOf", range)}`);
  });
  const spans = ranked.map(({ option, p5, p50, p95 }) => ({
    name: option,
    low: p5,
    middle: p50,
    high: p95,
  }));
  return [
    h("ul", { "aria-label": t("results") }, sentences),
    loaded(async () => {
      const { spreadPicture } = await import("../core/charts.js").catch(notLoaded);
      return [spreadPicture(t("spread"), spans, [t("option"), t("low"), t("middle"), t("high")])];
    }),
    h("p.quiet.small", t("spreadText")),
  ];
}

/** More digits of a random result have no meaning. @param {number} value */
function readable(value) {
  return numberText(Number(value.toPrecision(3)));
}

/** @param {Simulation} simulation */
function simulationView(simulation) {
  const { options, runs, seed, algorithm } = simulation;
  return [
    ...simulationSummary(simulation),
    h("h2", t("factors")),
    ...options.flatMap(({ option, factors }) => [
      h("h3.words", option),
      h("ul.lines", factors.map(factorLine)),
    ]),
    h(
      "p.quiet.small",
      t("simulationFacts", { runs: numberText(runs), seed: String(seed), algorithm }),
    ),
  ];
}

/** @param {Factor} factor */
function factorLine({ name, weight, distribution, ...parameters }) {
  const values = PARAMETERS[distribution]
    ?.map((each) => `${label(each)} ${numberText(parameters[each])}`).join(", ");
  const facts = `${t("weight")} ${numberText(weight)} · ${label(distribution)}: ${values}`;
  return h("li", h("span.words", name), h("span.quiet.small", facts));
}

/** By the sentence that names the list. @returns {Readonly<Record<string, ThingKind>>} */
const kinds = () => ({
  analyses: {
    one: "analysis",
    add: "newAnalysis",
    fields: [],
    computed: [
      optional("criteria", "json", { label: t("criteria") }),
      optional("scores", "json", { label: t("scores") }),
    ],
    nameOf: (/** @type {Analysis} */ { criteria }) => criteria.map(({ name }) => name).join(", "),
    fact: ({ ranking }) => [t("leadingOption", { option: ranking[0].option })],
  },
  predictions: {
    one: "prediction",
    add: "newPrediction",
    fields: [
      needed("statement", "textarea"),
      needed("probability", "number", { ...SHARE, label: t("probability") }),
      needed("dueAt", "datetime", { label: t("due") }),
    ],
    nameOf: ({ statement }) => statement,
    fact: ({ probability, dueAt, outcome }) => [
      shareText(probability),
      " · ",
      ...outcome === undefined ? parts("dueOn", { time: ago(dueAt) }) : [occurredText(outcome)],
    ],
  },
  outcomes: {
    one: "outcome",
    add: "newOutcome",
    fields: [
      needed("occurred", "boolean", { label: t("occurred") }),
      needed("description", "textarea", { label: t("outcomeText") }),
      needed("observedAt", "datetime", { label: t("observedAt") }),
      optional("satisfaction", "number", { minimum: 1, maximum: 5, label: t("satisfaction") }),
    ],
    nameOf: ({ description }) => description,
    fact: (outcome) => [occurredText(outcome)],
  },
  counterfactuals: {
    one: "counterfactual",
    add: "newCounterfactual",
    fields: [
      needed("option", "text", { label: t("option") }),
      needed("narrative", "textarea", { label: t("narrative") }),
      optional("expectedValue", "number", { label: t("expectedValue") }),
      needed("confidence", "number", SHARE),
    ],
    nameOf: ({ narrative }) => narrative,
    fact: ({ option }) => [option],
  },
  simulations: {
    one: "simulation",
    add: "newSimulation",
    fields: [],
    computed: [
      optional("options", "json", { label: t("factors") }),
      optional("results", "json", { label: t("results") }),
    ],
    nameOf: ({ runs }) => counted(runs, "runsOf"),
    fact: (simulation) => [t("bestOption", { option: rankedResults(simulation)[0]?.option ?? "" })],
  },
});

const SHARE = { minimum: 0, maximum: 1 };

/** @param {string} [name] */
export function readKind(name = "") {
  return kinds()[name] ?? null;
}

/** @param {{ occurred: boolean }} outcome */
function occurredText({ occurred }) {
  return t(occurred ? "didOccur" : "didNotOccur");
}

/** @type {Page} */
export async function things({ params, query }) {
  const kind = readKind(params.kind);
  if (kind === null) return notFound();
  const { page, api } = pathsOf(params.id);
  const list = `${page}/${params.kind}`;
  return await listPage(query, {
    title: textOf(`${params.kind}`),
    api: `${api}/${params.kind}`,
    beside: [link(`${list}/new`, t(kind.add), "main"), link(page, t("decision"))],
    line: (thing) => thingLine(kind, list, thing),
  });
}

/** @param {ThingKind} kind @param {string} list @param {any} thing */
function thingLine(kind, list, thing) {
  return h(
    "li",
    link(`${list}/${thing[`${kind.one}Id`]}`, kind.nameOf(thing), "words"),
    h("span.quiet.small", kind.fact(thing)),
  );
}

const MAX_SHOWN = 5;
/** Outcomes are also shown with their predictions, if they are among the newest ones. */
const MAX_OUTCOMES = 100;
/** As in the catalog, which a test compares, so that the page need not request it. */
export const TEXTS = ["rationale", "prediction", "actualOutcome"];
/** The kind that is read when it is opened. */
const FOLDED = "counterfactuals";
/** The newest one is shown whole. @type {Readonly<Record<string, (thing: any) => Element[]>>} */
const NEWEST = { analyses: analysisView, simulations: simulationSummary };

/** @type {Page} */
export async function decisionPage({ params }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const names = Object.keys(kinds()).filter((name) => name !== FOLDED);
  const read = (/** @type {string} */ kind) =>
    get(`${api}/${kind}?limit=${kind === "outcomes" ? MAX_OUTCOMES : MAX_SHOWN}`);
  const [decision, ...lists] = await Promise.all([get(api), ...names.map(read)]);
  const found = Object.fromEntries(names.map((name, index) => [name, lists[index]]));
  for (const prediction of found.predictions?.items ?? []) {
    prediction.outcome = outcomeOf(prediction.predictionId, found.outcomes);
  }
  return {
    title: t("decision"),
    heading: decision.question,
    body: [
      stateLine(decision),
      archivedNote(decision),
      optionList(decision, place),
      valuesList(TEXTS.map((name) => optional(name, "textarea")), decision),
      h(
        "div.bar",
        link(`${page}/edit`, t("edit"), "main"),
        link(`${page}/history`, t("history")),
        archiveButton(decision, place),
      ),
      ...names.map((name) => section(page, name, found[name])),
      lazyDetails(h("summary", t(FOLDED)), async () => {
        const found = await read(FOLDED);
        return [section(page, FOLDED, found) ?? h("p.quiet", t("noneYet"))];
      }),
      h(
        "div.bar",
        Object.entries(kinds()).map(([name, { add }]) =>
          !found[name]?.items.length && link(`${page}/${name}/new`, t(add))
        ),
      ),
      tagsSection("decision", decision.decisionId),
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
function optionList({ options, chosenOption, revision }, { api }) {
  const lines = options.items.map((/** @type {string} */ option) => {
    const isChosen = option === chosenOption;
    return h(
      "li",
      { class: isChosen && "chosen" },
      h("p.words", option),
      isChosen ? h("strong", `✓ ${t("isChosen")}`) : actButton({
        path: api,
        method: "PATCH",
        done: t("chosen"),
        name: t("pickOption"),
        label: t("chooseOption", { option }),
        body: { expectedRevision: revision, set: { chosenOption: option } },
      }),
    );
  });
  return h("ul.groups.cards", { "aria-label": t("options") }, lines);
}

/** @param {string} page @param {string} name @param {any} found */
function section(page, name, { items, nextCursor }) {
  const kind = readKind(name);
  if (kind === null || items.length === 0) return null;
  const all = `${page}/${name}`;
  const shown = { items: items.slice(0, MAX_SHOWN), nextCursor: items[MAX_SHOWN] ?? nextCursor };
  return listSection(textOf(name), shown, all, {
    add: link(`${all}/new`, t(kind.add)),
    line(thing, index) {
      const line = thingLine(kind, all, thing);
      const whole = index === 0 && NEWEST[name]?.(thing);
      if (whole) line.append(h("div.whole", whole));
      return line;
    },
  });
}

/** @type {Page} */
export async function thingPage({ params }) {
  const kind = readKind(params.kind);
  if (kind === null) return notFound();
  const { page, api } = pathsOf(params.id);
  const own = `${page}/${params.kind}/${params.thing}`;
  const isPrediction = params.kind === "predictions";
  const isSimulation = params.kind === "simulations";
  const [thing, outcomes] = await Promise.all([
    get(`${api}/${params.kind}/${params.thing}`),
    isPrediction ? get(`${api}/outcomes?limit=${MAX_OUTCOMES}`) : null,
  ]);
  const outcome = outcomeOf(params.thing, outcomes);
  /** @type {typeof NEWEST} */
  const views = { ...NEWEST, simulations: simulationView };
  const predictionId = isPrediction ? null : thing.predictionId ?? null;
  // A prediction with an outcome cannot change.
  const isOpen = !isSimulation && outcome === undefined;
  return {
    title: t(kind.one),
    body: [
      h("p", link(page, t("decision"))),
      ...(views[params.kind ?? ""]?.(thing) ?? [valuesList(kind.fields, thing)]),
      predictionId !== null &&
      h("p", link(`${page}/predictions/${predictionId}`, t("prediction"))),
      outcome !== undefined &&
      h("p", link(`${page}/outcomes/${outcome.outcomeId}`, t("outcome"))),
      h(
        "div.bar",
        isOpen && link(`${own}/edit`, t("edit"), "main"),
        isOpen && isPrediction &&
          link(`${page}/outcomes/new?prediction=${params.thing}`, t("outcomeOfPrediction")),
        link(`${own}/history`, t("history")),
      ),
      rootFacts(thing),
    ],
  };
}

/** @param {string | undefined} prediction @param {any} outcomes */
function outcomeOf(prediction, outcomes) {
  return outcomes?.items.find((/** @type {any} */ each) => each.predictionId === prediction);
}
