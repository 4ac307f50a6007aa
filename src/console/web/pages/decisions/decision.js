import { actButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { t, textOf } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label, notFound } from "../../core/names.js";
import { ago, lazyDetails } from "../../fields/shown/files.js";
import { optional } from "../../fields/shown/texts.js";
import { pair, valuesList } from "../../fields/shown/values.js";
import {
  actLink,
  archiveButton,
  archivedNote,
  listSection,
  objectActs,
  refersHere,
  rootFacts,
} from "../parts/objects.js";
import { tagsSection } from "../parts/tags.js";
import { analysisView, simulationSummary, simulationView } from "./computed.js";
import { kinds, readKind, thingLine } from "./kinds.js";
import { pathsOf, stateOf } from "./list.js";

const MAX_SHOWN = 5;

/** Outcomes are also shown with their predictions, if they are among the newest ones. */
const MAX_OUTCOMES = 100;

/** As in the catalog, which a test compares, so that the page need not request it. */
export const TEXTS = ["rationale", "prediction", "actualOutcome"];

/** The kind that is read when it is opened. */
const FOLDED = "counterfactuals";

/** Kinds whose first one is added from the menu. */
const RARE = [FOLDED, "simulations"];

/** The newest one is shown whole. @type {Readonly<Record<string, (thing: any) => Element[]>>} */
const NEWEST = { analyses: analysisView, simulations: simulationSummary };

/** @type {Page} */
export async function decisionPage({ params }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const names = Object.keys(kinds()).filter((name) => name !== FOLDED);
  const read = (/** @type {string} */ kind) =>
    get(`${api}/${kind}?limit=${kind === "outcomes" ? MAX_OUTCOMES : MAX_SHOWN}`);
  const reading = /** @type {Promise<Decision>} */ (get(api));
  const [decision, ...lists] = await Promise.all([reading, ...names.map(read)]);
  const found = Object.fromEntries(names.map((name, index) => [name, lists[index]]));
  for (const prediction of found.predictions?.items ?? []) {
    prediction.outcome = outcomeOf(prediction.predictionId, found.outcomes);
  }
  const adding = (/** @type {boolean} */ isRare) =>
    Object.entries(kinds())
      .filter(([name]) => RARE.includes(name) === isRare && !found[name]?.items.length)
      .map(([name, { add }]) => actLink("add", `${page}/${name}/new`, t(add)));
  return {
    title: t("decision"),
    heading: decision.question,
    body: [
      archivedNote(decision),
      h(
        "div.two",
        stateCard(decision, place, adding(true)),
        optionList(decision, place),
        h(
          "div",
          valuesList(TEXTS.map((name) => optional(name, "textarea")), decision),
          ...names.map((name) => section(page, name, found[name])),
        ),
        lazyDetails(h("summary", t(FOLDED)), async () => {
          const found = await read(FOLDED);
          return [section(page, FOLDED, found) ?? h("p.quiet", t("noneYet"))];
        }),
        h("div.bar", adding(false)),
        h(
          "div.aside",
          tagsSection("decision", decision.decisionId),
          refersHere("decision", decision.decisionId),
          rootFacts(decision),
        ),
      ),
    ],
  };
}

/** @param {Decision} decision @param {Paths} place @param {readonly HTMLElement[]} adding */
function stateCard(decision, place, adding) {
  const { question: title, decidedAt, reviewAt } = decision;
  const { page } = place;
  const { name, symbol } = stateOf(decision);
  return h(
    "div.aside",
    objectActs({
      title,
      edit: `${page}/edit`,
      more: [...adding, link(`${page}/history`, t("history")), archiveButton(decision, place)],
      of: [symbol, h("strong", name)],
    }),
    h(
      "dl.values",
      decidedAt !== null && pair(label("decidedAt"), ago(decidedAt)),
      reviewAt !== null && pair(label("reviewAt").replace(/ (on|am)$/, ""), ago(reviewAt)),
    ),
  );
}

/** @param {Decision} decision @param {Paths} place */
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
        symbol: "open",
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
    add: actLink("add", `${all}/new`, t(kind.add)),
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
      h(
        "div.bar",
        link(page, t("decision")),
        predictionId !== null && link(`${page}/predictions/${predictionId}`, t("prediction")),
        outcome !== undefined && link(`${page}/outcomes/${outcome.outcomeId}`, t("outcome")),
        isOpen && isPrediction && actLink(
          "add",
          `${page}/outcomes/new?prediction=${params.thing}`,
          t("outcomeOfPrediction"),
        ),
      ),
      ...(views[params.kind ?? ""]?.(thing) ?? [valuesList(kind.fields, thing)]),
      objectActs({
        title: t(kind.one),
        edit: isOpen && `${own}/edit`,
        more: [link(`${own}/history`, t("history"))],
      }),
      rootFacts(thing),
    ],
  };
}

/** @param {string | undefined} prediction @param {any} outcomes */
function outcomeOf(prediction, outcomes) {
  return outcomes?.items.find((/** @type {any} */ each) => each.predictionId === prediction);
}
