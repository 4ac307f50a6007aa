/** The features of a record's kind, and what was run on the record. */

import { actButton } from "../core/acts.js";
import { generalPath, label, notFound, readModule } from "../core/names.js";
import { h, t, timeText } from "../core/base.js";
import { line } from "../fields/controls.js";
import { listPage } from "./list_page.js";

/** @type {Page} */
export default async function executions({ params, query, session }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const record = generalPath(module.code, params.id);
  const page = `${record}/executions`;
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const named = new Map(module.features.map(({ id, title }) => [id, title]));
  const feature = (/** @type {CatalogFeature} */ { id, title, ...rest }) => {
    const { status, plannedVersion } = rest;
    const isReady = status === "implemented_local";
    const run = isReady && actButton(session, {
      path: `${api}/features/${id}`,
      body: {},
      name: t("runFeature"),
      label: t("runFeatureOf", { name: title }),
      done: t("featureRan"),
      page,
    });
    return line(nameOf(title), [
      t(isReady ? "featureReady" : "featurePlanned"),
      h("span.exact", `${id}, ${plannedVersion}`),
    ], run);
  };
  return await listPage(query, {
    title: t("executions"),
    page,
    api: `${api}/executions`,
    none: t("noExecutions"),
    beside: [h("a", { href: record }, label(module.code))],
    above: () =>
      h(
        "div",
        h("p", t("featuresText")),
        h("ul.lines", module.features.map(feature)),
        h("h2", t("executionRuns")),
      ),
    isLong: true,
    line: ({ featureId, strategy, status, revision, output, createdAt, redacted }) =>
      line(nameOf(named.get(featureId) ?? featureId), [
        h("time", { datetime: createdAt }, timeText(createdAt)),
        label(status),
        h("span.exact", strategy),
        revision !== null && t("ofRevision", { revision }),
      ], redacted ? h("p.quiet", t("hidden")) : outputPart(createdAt, output)),
  });
}

/** The catalog's titles are English. @param {string} title */
function nameOf(title) {
  return h("span", { lang: "en" }, title);
}

/** @param {string} time @param {unknown} output */
function outputPart(time, output) {
  return h(
    "details",
    h("summary.quiet.small", `${t("executionOutput")}: ${timeText(time)}`),
    h("pre.exact", JSON.stringify(output, null, 2)),
  );
}
