import { h, send, t } from "../../core/base.js";
import { valuesList } from "../../fields/shown.js";
import { notFound } from "../../core/names.js";
import { rootFacts } from "../root_parts.js";
import { analysisView } from "./analysis_view.js";
import { pathsOf } from "./decision_paths.js";
import { readKind } from "./kinds.js";
import { simulationView } from "./simulation_view.js";

/** The outcome is searched among the newest ones. */
const MAX_OUTCOMES = 100;

/** @type {Page} */
export default async function thingPage({ params }) {
  const kind = readKind(params.kind);
  if (kind === null) return notFound();
  const { page, api } = pathsOf(params.id);
  const own = `${page}/${params.kind}/${params.thing}`;
  const isPrediction = params.kind === "predictions";
  const [{ data: thing }, outcome] = await Promise.all([
    send("GET", `${api}/${params.kind}/${params.thing}`),
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
      h("p", h("a", { href: `${page}/predictions/${predictionId}` }, t("outcomeOf"))),
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
  const { data } = await send("GET", `${api}/outcomes?limit=${MAX_OUTCOMES}`);
  return data.items.find((/** @type {any} */ { predictionId }) => predictionId === prediction) ??
    null;
}
