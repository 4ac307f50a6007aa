/** Resources, their measurements, networks and overload. */

import { askButton } from "../core/acts/buttons.js";
import { h, link } from "../core/base/elements.js";
import { numberText, t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { barPicture, linePicture } from "../core/charts/pictures.js";
import { row } from "../fields/controls/forms.js";
import { enteredFields } from "../fields/shown/entered.js";
import { shareText } from "../fields/shown/figures.js";
import { timeTag, timeText } from "../fields/shown/times.js";
import { valuesList } from "../fields/shown/values.js";
import { label, readFields } from "../core/names.js";
import { emptyPlace } from "./parts/empty.js";
import { listPage } from "./parts/lists.js";
import {
  actLink,
  archiveButton,
  archivedNote,
  archivedViews,
  objectActs,
  rootFacts,
} from "./parts/objects.js";
import { sortedByOneOf } from "./parts/order.js";
import {
  API,
  FIGURES,
  OVERLOAD,
  OVERLOAD_API,
  pathsOf,
  RESOURCES,
  RESOURCES_API,
  resourceSymbol,
} from "./resource_parts.js";

/** @type {Page} */
export function resources({ query }) {
  return listPage(query, {
    title: t("resources"),
    // As RESOURCES_API, which has one order.
    api: "/api/v2/records/resource",
    orders: sortedByOneOf({
      "-createdAt": t("newestFirst"),
      createdAt: t("oldestFirst"),
      title: t("nameOf"),
      "-title": t("nameFromZ"),
    }),
    filter: archivedViews(),
    beside: [link(`${RESOURCES}/new`, t("newResource"), "main")],
    after: [
      link(OVERLOAD, t("overload")),
      link(`${RESOURCES}/network`, t("network")),
      link("/console/print/resource", t("printView")),
    ],
    line: recordLine,
  });
}

/** A record has only the values that are set. @param {any} record */
function recordLine({ recordId, title, redacted, payload = {} }) {
  const none = Object.fromEntries([...FIGURES, "unit"].map((name) => [name, null]));
  if (redacted) {
    return row({ name: link(`${RESOURCES}/${recordId}`, t("hidden"), "words"), facts: [] });
  }
  return resourceLine({ name: title, ...none, ...payload, resourceId: recordId });
}

/** @param {Resource} resource */
function resourceLine({ resourceId, resourceType, name, ...figures }) {
  return row({
    anchor: resourceSymbol(resourceType),
    name: link(`${RESOURCES}/${resourceId}`, name, "words"),
    facts: [label(resourceType), ...figuresOf(figures)],
  });
}

/** @param {any} figures */
function figuresOf({ amount, unit, capacity, available, level }) {
  const withUnit = (/** @type {number} */ value) => `${numberText(value)} ${unit ?? ""}`.trim();
  return [
    amount !== null && withUnit(amount),
    available !== null && capacity !== null &&
    t("availableOf", { available: numberText(available), capacity: withUnit(capacity) }),
    level !== null && t("levelOf", { level: numberText(level) }),
  ].filter(Boolean);
}

/** @type {Page} */
export function snapshots({ params, query }) {
  const { page, api } = pathsOf(params.id);
  return listPage(query, {
    title: t("measured"),
    api: `${api}/snapshots`,
    beside: [link(`${page}/snapshots/new`, t("newSnapshot"), "main"), link(page, t("resource"))],
    line: snapshotLine,
  });
}

/** @param {ResourceSnapshot} snapshot */
function snapshotLine({ observedAt, note, ...figures }) {
  return row({ name: availableText(figures), facts: [timeTag(observedAt), note].filter(Boolean) });
}

/** @param {any} figures Available may be known without the capacity. */
function availableText(figures) {
  const { available, capacity } = figures;
  return [
    ...figuresOf(figures),
    available !== null && capacity === null && t("availableIs", { value: numberText(available) }),
    available === null && capacity !== null && t("capacityIs", { value: numberText(capacity) }),
  ].filter(Boolean).join(" · ");
}

const MAX_DRAWN = 100;
const MAX_LISTED = 5;

/** Fields that the head of the page shows. */
const HEAD = ["name", "resourceType"];

/** @type {Page} */
export async function resourcePage({ params }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const [fields, resource, { items }] = await Promise.all([
    readFields("resource"),
    get(api),
    get(`${api}/snapshots?limit=${MAX_DRAWN}`),
  ]);
  return {
    title: resource.name,
    body: [
      archivedNote(resource),
      h(
        "div.two",
        h(
          "div.aside",
          objectActs({
            title: resource.name,
            edit: `${page}/edit`,
            more: [link(`${page}/history`, t("history")), archiveButton(resource, place)],
            of: [
              resourceSymbol(resource.resourceType),
              h("strong", label(resource.resourceType)),
            ],
          }),
          valuesList(fields.filter(({ name }) => !HEAD.includes(name)), resource),
        ),
        measurements(items, `${page}/snapshots`),
        h("div.aside", rootFacts(resource)),
      ),
    ],
  };
}

/** @param {readonly any[]} items @param {string} page */
function measurements(items, page) {
  const add = actLink("add", `${page}/new`, t("newSnapshot"));
  const none = emptyPlace("measure", t("noneYet"));
  return h(
    "section",
    h("div.bar", h("h2", t("measured")), add),
    ...items.length === 0 ? [none] : picturesOf(items),
    items.length > 0 && h("ul.lines", items.slice(0, MAX_LISTED).map(snapshotLine)),
    items.length > MAX_LISTED &&
      h("div.bar", link(page, t("allOf", { name: t("measured") }))),
  );
}

/** One per figure measured more than once in one unit. @param {readonly any[]} snapshots */
function picturesOf(snapshots) {
  return FIGURES.flatMap((figure) => {
    const measured = snapshots.filter((snapshot) => snapshot[figure] !== null).map((snapshot) => ({
      at: snapshot.observedAt,
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

/** @type {Page} */
export function network({ query }) {
  return listPage(query, {
    title: t("network"),
    api: `${API}/network`,
    beside: [link(RESOURCES, t("resources"))],
    line: networkLine,
  });
}

/** @param {NetworkItem} item */
function networkLine({ resource, latestSnapshot }) {
  const element = resourceLine(resource);
  if (latestSnapshot !== null) {
    const { observedAt } = latestSnapshot;
    element.firstElementChild?.append(
      h(
        "div.quiet.small",
        t("measuredLast", { time: timeText(observedAt) }),
        " ",
        figuresOf(latestSnapshot).join(" · "),
      ),
    );
  }
  return element;
}

/** @type {(name: "warningFrom" | "overloadedFrom", initial: string) => Promise<Field>} */
async function thresholdField(name, initial) {
  const { numberField } = await enteredFields();
  return numberField({ name, label: t(name), required: true, initial });
}

/** @type {Page} */
export function overload({ query }) {
  const name = t("analyse");
  const analyse = askButton(
    { path: OVERLOAD_API, name, done: t("analysed"), title: name, text: t("overloadText") },
    () =>
      Promise.all([thresholdField("warningFrom", "0.8"), thresholdField("overloadedFrom", "1")]),
    ({ warningFrom, overloadedFrom }) => {
      return { warningFrom: Number(warningFrom), overloadedFrom: Number(overloadedFrom) };
    },
  );
  return listPage(query, {
    title: t("overload"),
    api: OVERLOAD_API,
    beside: [analyse, link(RESOURCES, t("resources"))],
    line: (analysis) =>
      h(
        "li",
        link(`${OVERLOAD}/${analysis.executionId}`, timeText(analysis.createdAt)),
        h(
          "span.quiet.small",
          t("overloadCounts", analysis.counts),
          " · ",
          thresholdsText(analysis),
        ),
      ),
  });
}

/** @param {{ warningFrom: number, overloadedFrom: number }} analysis */
function thresholdsText({ warningFrom, overloadedFrom }) {
  const values = { warning: shareText(warningFrom), overloaded: shareText(overloadedFrom) };
  return t("overloadFrom", values);
}

/** One request each, for the most used resources. */
const MAX_NAMED = 20;

/** @type {Page} */
export async function overloadAnalysis({ params }) {
  /** @type {OverloadAnalysis} */
  const analysis = await get(`${OVERLOAD_API}/${params.execution}`);
  const { items, counts, createdAt } = analysis;
  const shown = await Promise.all(
    items.slice(0, MAX_NAMED).map(async (item) => {
      const { name } = await get(`${RESOURCES_API}/${item.resourceId}`);
      return { ...item, name };
    }),
  );
  const bars = shown.flatMap(({ name, utilisation }) =>
    utilisation === null ? [] : [{ name, value: utilisation }]
  );
  return {
    title: t("overload"),
    body: [
      h("p", link(OVERLOAD, t("allOverloads"))),
      h("p", `${timeText(createdAt)}: ${t("overloadCounts", counts)}`),
      h("p.quiet.small", thresholdsText(analysis)),
      bars.length > 0 && barPicture(t("utilisation"), bars, {
        columns: [t("resource"), t("utilisation")],
        valueText: shareText,
      }),
      h(
        "ul.lines",
        shown.map(({ resourceId, name, state, utilisation }) => {
          const used = utilisation === null ? "" : ` · ${shareText(utilisation)}`;
          const fact = h("span.quiet.small", `${label(state)}${used}`);
          return h("li", link(`${RESOURCES}/${resourceId}`, name, "words"), fact);
        }),
      ),
      items.length > MAX_NAMED && h("p", t("moreResources", { count: items.length - MAX_NAMED })),
    ],
  };
}
