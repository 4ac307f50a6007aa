import { actButton } from "../../core/acts.js";
import { h, send, t } from "../../core/base.js";
import { ago, parts, valuesList } from "../../fields/shown.js";
import { tagsSection } from "../record_tags.js";
import { archiveButton, archivedNote, listSection, rootFacts } from "../root_parts.js";
import { analysisView } from "./analysis_view.js";
import { decisionFields, pathsOf } from "./decision_paths.js";
import { KIND_NAMES, readKind } from "./kinds.js";
import { simulationSummary } from "./simulation_view.js";
import { thingLine } from "./thing_list.js";

/** Per kind, with a link to all. */
const MAX_SHOWN = 5;
/** Outcomes are also shown with their predictions. */
const MAX_OUTCOMES = 100;
/** Shown in their own parts. */
const APART = ["question", "options", "chosenOption", "decidedAt", "reviewAt"];
/** The newest one is shown whole. */
const NEWEST = /** @type {Readonly<Record<string, (thing: any) => readonly Element[]>>} */ ({
  analyses: analysisView,
  simulations: simulationSummary,
});

/** @type {Page} */
export default async function decisionPage({ params, session }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const limitOf = (/** @type {string} */ kind) => kind === "outcomes" ? MAX_OUTCOMES : MAX_SHOWN;
  const [fields, { data: decision }, ...lists] = await Promise.all([
    decisionFields(),
    send("GET", api),
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
      optionList(session, decision, place),
      valuesList(fields.filter(({ name }) => !APART.includes(name)), decision),
      h(
        "div.bar",
        h("a.main", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        archiveButton(session, decision, place),
      ),
      ...KIND_NAMES.map((name) => section(page, name, found[name])),
      h("div.bar", KIND_NAMES.map((name) => addLink(page, name, found[name]))),
      tagsSection(session, "decision", decision.decisionId, page),
      rootFacts(decision),
    ],
  };
}

/** @param {any} decision */
function stateLine({ chosenOption, decidedAt, reviewAt }) {
  return h(
    "p.key-values",
    ...decidedAt === null
      ? [t(chosenOption === null ? "undecided" : "decided")]
      : parts("decidedOn", { time: ago(decidedAt) }),
    ...reviewAt === null ? [] : [" · ", ...parts("reviewOn", { time: ago(reviewAt) })],
  );
}

/** @param {Session} session @param {any} decision @param {Paths} place */
function optionList(session, { options, chosenOption, revision }, { page, api }) {
  const choose = (/** @type {string} */ option) =>
    actButton(session, {
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
