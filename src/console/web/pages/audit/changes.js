/** Changes, and executions of a record's features. */

import { actButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import {
  generalPath,
  label,
  labelOfOne,
  modulePath,
  notFound,
  readModule,
} from "../../core/names.js";
import { pageLink } from "../../core/names.js";
import { line, row } from "../../fields/controls/forms.js";
import { ago } from "../../fields/shown/files.js";
import { roundedFigure } from "../../fields/shown/texts.js";
import { clockText, timeTag, timeText } from "../../fields/shown/times.js";
import { listPage } from "../parts/lists.js";
import { API, auditText, byDay, operationSymbol, recordLink } from "./trail.js";

/** @type {Page} */
export function changes({ query }) {
  return listPage(query, {
    title: t("changesTitle"),
    api: API,
    alsoAsked: { titles: "true" },
    fits: ({ moduleCode, revision }) => moduleCode !== null && revision !== null,
    beside: [pageLink("audit")],
    above: () => h("p", t("changesText")),
    orders: [byDay()],
    line: changeLine,
  });
}

/** @param {any} entry */
function changeLine(entry) {
  const { moduleCode, subjectId, revision, title, createdAt } = entry;
  const isGeneral = modulePath(moduleCode) === generalPath(moduleCode);
  const sentence = auditText(entry);
  const what = t("whatChanged");
  const attributes = {
    href: `${generalPath(moduleCode, subjectId)}/history?from=${revision - 1}&to=${revision}`,
    title: what,
    "aria-label": `${what}: ${title ?? sentence}, ${t("ofRevision", { revision })}`,
  };
  return row({
    anchor: operationSymbol(entry),
    name: recordLink(entry, title ?? sentence, "words"),
    facts: [title !== null && sentence, ago(createdAt, clockText)],
    acts: [isGeneral && revision > 1 && h("a.act", attributes, icon("history"))],
  });
}

/** @type {Page} */
export async function executions({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const record = generalPath(module.code, params.id);
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const named = await featureTitles(module);
  const titleOf = (/** @type {string} */ id) => capital(named.get(id) ?? id);
  return listPage(query, {
    title: t("executions"),
    api: `${api}/executions`,
    none: t("noExecutions"),
    beside: [link(record, labelOfOne(module.code))],
    above: () =>
      h(
        "div",
        h("p", t("featuresText")),
        h(
          "ul.lines",
          module.features.map((each) => featureLine(each, named.get(each.id) ?? each.id, api)),
        ),
        h("h2", t("executionRuns")),
      ),
    isLong: true,
    line: ({ featureId, status, revision, output, createdAt, redacted }) =>
      line(titleOf(featureId), [
        timeTag(createdAt),
        label(status),
        revision !== null && t("ofRevision", { revision }),
      ], redacted ? h("p.quiet", t("hidden")) : outputPart(createdAt, output)),
  });
}

/** @type {(feature: CatalogFeature, name: string, api: string) => Element} */
function featureLine({ id, status, plannedVersion }, name, api) {
  const isReady = status === "implemented_local";
  const run = isReady && actButton({
    path: `${api}/features/${id}`,
    body: {},
    name: t("runFeature"),
    label: t("runFeatureOf", { name }),
    done: t("done"),
  });
  const state = label(isReady ? "READY" : "PLANNED");
  return line(capital(name), [state, h("span.exact", plannedVersion)], run);
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** By id. The catalog's titles are English. @param {CatalogModule} module */
async function featureTitles({ code, features }) {
  const { lang } = document.documentElement;
  /** @type {Readonly<Record<string, readonly string[]>>} */
  const titles = lang === "en" ? {} : (await import(`../../lang/${lang}/features.js`)).default;
  return new Map(features.map(({ id, title }, index) => [id, titles[code]?.[index] ?? title]));
}

/** @param {string} time @param {unknown} output */
function outputPart(time, output) {
  return h(
    "details",
    h("summary.quiet.small", `${t("executionOutput")}: ${timeText(time)}`),
    h("pre.exact", JSON.stringify(output, roundedFigure, 2)),
  );
}
