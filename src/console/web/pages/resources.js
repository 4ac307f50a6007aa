/** Resources, their measurements, networks and overload. */

import { askButton } from "../core/acts.js";
import { get, h, numberText, t, timeText } from "../core/base.js";
import { barPicture, linePicture } from "../core/charts.js";
import { line, lineField } from "../fields/controls.js";
import { shareText, valuesList } from "../fields/shown.js";
import { label, readModule } from "../core/names.js";
import { draftForm } from "./draft_form.js";
import { thingHistory } from "./history.js";
import {
  archiveButton,
  archivedNote,
  archivedViews,
  editableThing,
  listPage,
  rootFacts,
} from "./parts.js";

export const RESOURCES = "/console/resources";
const API = "/api/v2/resource";
const RESOURCES_API = `${API}/resources`;
const NETWORK_API = `${API}/network`;
const OVERLOAD_API = `${API}/overload-analyses`;

const FIGURES = /** @type {const} */ (["amount", "capacity", "available", "level"]);

/** @param {string | undefined} id */
function pathsOf(id) {
  return { page: `${RESOURCES}/${id}`, api: `${RESOURCES_API}/${id}` };
}

/**
 * Applies the bounds of the resource's figures.
 * @param {readonly CatalogField[]} fields
 * @returns {CatalogField[]}
 */
function snapshotFields(fields) {
  const figures = fields.filter(({ name }) => FIGURES.some((figure) => figure === name));
  const rest = { sensitive: false };
  return [
    { ...rest, name: "observedAt", edit: "datetime", required: true, label: t("measuredOn") },
    ...figures,
    { ...rest, name: "note", edit: "textarea", required: false, label: t("note") },
  ];
}

/** @type {Page} */
export async function resources({ query }) {
  return await listPage(query, {
    title: t("resources"),
    page: RESOURCES,
    api: RESOURCES_API,
    filter: archivedViews(),
    none: t(query.get("archived") === "only" ? "noneArchived" : "noneYet"),
    beside: [
      h("a.main", { href: `${RESOURCES}/new` }, t("newResource")),
    ],
    after: [
      h("a", { href: `${RESOURCES}/overload` }, t("overload")),
      h("a", { href: `${RESOURCES}/network` }, t("network")),
      h("a", { href: "/console/print/resource" }, t("printView")),
    ],
    line: resourceLine,
  });
}

/** @param {any} resource */
function resourceLine({ resourceId, resourceType, name, ...figures }) {
  return line(
    h("a.words", { href: `${RESOURCES}/${resourceId}` }, name),
    [label(resourceType), ...figuresOf(figures)],
  );
}

/** @param {any} figures */
function figuresOf({ amount, unit, capacity, available, level }) {
  const withUnit = (/** @type {number} */ value) =>
    [numberText(value), unit].filter((part) => part !== null).join(" ");
  return [
    amount !== null && withUnit(amount),
    available !== null && capacity !== null &&
    t("availableOf", { available: numberText(available), capacity: withUnit(capacity) }),
    level !== null && t("levelOf", { level: numberText(level) }),
  ].filter((text) => text !== false);
}

/** @type {Page} */
export async function snapshots({ params, query }) {
  const { page, api } = pathsOf(params.id);
  return await listPage(query, {
    title: t("measured"),
    page: `${page}/snapshots`,
    api: `${api}/snapshots`,
    beside: [
      h("a.main", { href: `${page}/snapshots/new` }, t("newSnapshot")),
      h("a", { href: page }, t("resource")),
    ],
    line: snapshotLine,
  });
}

/** @param {any} snapshot */
function snapshotLine({ observedAt, note, ...figures }) {
  return h(
    "li",
    h("time.quiet.small", { datetime: observedAt }, timeText(observedAt)),
    h("span", availableText(figures)),
    note !== null && h("span.words", note),
  );
}

/** @param {any} figures Available may be known without the capacity. */
function availableText({ available, capacity, ...figures }) {
  const both = figuresOf({ available, capacity, ...figures });
  const alone = [["available", available], ["capacity", capacity]]
    .filter(([, value]) => value !== null && (available === null || capacity === null))
    .map(([name, value]) =>
      t(name === "available" ? "availableIs" : "capacityIs", { value: numberText(value) })
    );
  return [...both, ...alone].join(" · ");
}

const MAX_DRAWN = 100;
const MAX_LISTED = 5;

/** @type {Page} */
export async function resourcePage({ params }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const [module, resource, snapshots] = await Promise.all([
    readModule("resource"),
    get(api),
    get(`${api}/snapshots?limit=${MAX_DRAWN}`),
  ]);
  const fields = (module?.fields ?? []).filter(({ name }) => name !== "name");
  const listed = snapshots.items.slice(0, MAX_LISTED);
  return {
    title: resource.name,
    body: [
      archivedNote(resource),
      valuesList(fields, resource),
      h(
        "div.bar",
        h("a.main", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        archiveButton(resource, place),
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
      rootFacts(resource),
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

/** @type {Page} */
export async function resourceForm({ params }) {
  const isNew = params.id === undefined;
  const { page, api } = pathsOf(params.id);
  const fields = (await readModule("resource"))?.fields ?? [];
  const place = { list: RESOURCES_API, one: isNew ? null : api, idName: "resourceId" };
  return await draftForm(editableThing(fields, place), {
    page: isNew ? `${RESOURCES}/new` : `${page}/edit`,
    kept: (id) => pathsOf(id).page,
    left: isNew ? RESOURCES : page,
    name: (stored) => stored?.name ?? t("resource"),
  });
}

/** @type {Page} */
export async function snapshotForm({ params }) {
  const { page, api } = pathsOf(params.id);
  const fields = snapshotFields((await readModule("resource"))?.fields ?? []);
  const place = { list: `${api}/snapshots`, one: null, idName: "snapshotId" };
  return await draftForm(editableThing(fields, place), {
    page: `${page}/snapshots/new`,
    kept: () => page,
    left: page,
    name: () => t("resourceSnapshot"),
    about: t("snapshotText"),
  });
}

/** @type {Page} */
export async function resourceHistory(visit) {
  const fields = (await readModule("resource"))?.fields ?? [];
  return await thingHistory(visit, {
    ...pathsOf(visit.params.id),
    fields,
    nameOf: ({ name }) => name,
  });
}

/** @type {Page} */
export async function network({ query }) {
  return await listPage(query, {
    title: t("network"),
    page: `${RESOURCES}/network`,
    api: NETWORK_API,
    beside: [h("a", { href: RESOURCES }, t("resources"))],
    line: networkLine,
  });
}

/** @param {any} item */
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

const PAGE = `${RESOURCES}/overload`;
const THRESHOLDS = /** @type {const} */ ({ warningFrom: "0.8", overloadedFrom: "1" });

/** @type {Page} */
export async function overload({ query }) {
  const act = {
    path: OVERLOAD_API,
    page: PAGE,
    name: t("analyse"),
    done: t("analysed"),
    title: t("analyse"),
    text: t("overloadText"),
  };
  const labels = { warningFrom: t("warningFrom"), overloadedFrom: t("overloadedFrom") };
  const makeFields = () =>
    Object.entries(THRESHOLDS).map(([name, value]) => {
      const named = labels[/** @type {keyof typeof labels} */ (name)];
      const field = lineField({ name, label: named, required: true, inputmode: "decimal" });
      field.setText(value);
      return field;
    });
  const toBody = (/** @type {Readonly<Record<string, string>>} */ texts) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]));
  return await listPage(query, {
    title: t("overload"),
    page: PAGE,
    api: OVERLOAD_API,
    beside: [askButton(act, makeFields, toBody), h("a", { href: RESOURCES }, t("resources"))],
    line: lineOfOverload,
  });
}

/** @param {any} analysis */
function lineOfOverload({ executionId, counts, warningFrom, overloadedFrom, createdAt }) {
  return h(
    "li",
    h("a", { href: `${PAGE}/${executionId}` }, timeText(createdAt)),
    h(
      "span.quiet.small",
      t("overloadCounts", { ...counts }),
      " · ",
      t("overloadFrom", { warning: shareText(warningFrom), overloaded: shareText(overloadedFrom) }),
    ),
  );
}

/** One request each, for the most used resources. */
const MAX_NAMED = 20;

/** @type {Page} */
export async function overloadAnalysis({ params }) {
  const data = await get(`${OVERLOAD_API}/${params.execution}`);
  const shown = await Promise.all(
    data.items.slice(0, MAX_NAMED).map(async (
      item,
    ) => ({ ...item, name: (await get(`${RESOURCES_API}/${item.resourceId}`)).name })),
  );
  const bars = shown.filter(({ utilisation }) => utilisation !== null)
    .map(({ name, utilisation }) => ({ name, value: utilisation }));
  const thresholds = {
    warning: shareText(data.warningFrom),
    overloaded: shareText(data.overloadedFrom),
  };
  return {
    title: t("overload"),
    body: [
      h("p", h("a", { href: `${RESOURCES}/overload` }, t("allOverloads"))),
      h("p", `${timeText(data.createdAt)}: ${t("overloadCounts", data.counts)}`),
      h("p.quiet.small", t("overloadFrom", thresholds)),
      bars.length > 0 && barPicture(t("utilisation"), bars, {
        columns: [t("resource"), t("utilisation")],
        valueText: shareText,
      }),
      h("ul.lines", shown.map(lineOfOverloadAnalysis)),
      data.items.length > MAX_NAMED &&
      h("p", t("moreResources", { count: data.items.length - MAX_NAMED })),
    ],
  };
}

/** @param {any} item */
function lineOfOverloadAnalysis({ resourceId, name, state, utilisation }) {
  const facts = [label(state), utilisation !== null && shareText(utilisation)];
  return h(
    "li",
    h("a.words", { href: `${RESOURCES}/${resourceId}` }, name),
    h("span.quiet.small", facts.filter(Boolean).join(" · ")),
  );
}
