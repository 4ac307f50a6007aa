import { h, send, t } from "../../core/base.js";
import { label, readModule } from "../../core/names.js";
import { linePicture } from "../../core/charts.js";
import { valuesList } from "../../fields/shown.js";
import { archiveButton, archivedNote, rootFacts } from "../root_parts.js";
import { FIGURES, pathsOf } from "./resource_paths.js";
import { snapshotLine } from "./snapshots.js";

/** Drawn, and listed. */
const MAX_DRAWN = 100;
const MAX_LISTED = 5;

/** @type {Page} */
export default async function resourcePage({ params, session }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const [module, { data: resource }, { data: snapshots }] = await Promise.all([
    readModule("resource"),
    send("GET", api),
    send("GET", `${api}/snapshots?limit=${MAX_DRAWN}`),
  ]);
  const fields = (module?.fields ?? []).filter(({ name }) => name !== "name");
  const listed = snapshots.items.slice(0, MAX_LISTED);
  return {
    title: resource.name,
    body: [
      rootFacts(resource),
      archivedNote(resource),
      valuesList(fields, resource),
      h(
        "div.bar",
        h("a.main", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        archiveButton(session, resource, place),
      ),
      h("h2", t("measured")),
      ...picturesOf(snapshots.items),
      listed.length > 0 && h("ul.lines", listed.map(snapshotLine)),
      h(
        "div.bar",
        h("a", { href: `${page}/snapshots/new` }, t("newSnapshot")),
        snapshots.items.length > MAX_LISTED &&
          h("a", { href: `${page}/snapshots` }, t("allOf", { name: t("measured") })),
      ),
    ],
  };
}

/** One per figure measured more than once in one unit. @param {readonly any[]} snapshots */
function picturesOf(snapshots) {
  return FIGURES.flatMap((figure) => {
    const measured = snapshots.filter((snapshot) => snapshot[figure] !== null).map((snapshot) => ({
      time: Date.parse(snapshot.observedAt),
      value: snapshot[figure],
      // A level is a percentage.
      unit: figure === "level" ? null : snapshot.unit,
    }));
    return [...Map.groupBy(measured, ({ unit }) => unit)].flatMap(([unit, points]) => {
      if (points.length < 2) return [];
      const name = label(figure);
      return [linePicture(unit === null ? name : t("measuredIn", { name, unit }), points)];
    });
  });
}
