/** The profile and its parts. */

import { h, link } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { notLoaded } from "../core/base/visits.js";
import { label, notFound } from "../core/names.js";
import { row } from "../fields/controls/forms.js";
import { dateBlock } from "../fields/shown/anchors.js";
import { needed, optional } from "../fields/shown/texts.js";
import { dayText, timeText } from "../fields/shown/times.js";
import { valuesList } from "../fields/shown/values.js";
import { instantOf, localOf } from "../logic/local_time.js";
import { emptyPlace } from "./parts/empty.js";
import { listPage } from "./parts/lists.js";
import {
  actLink,
  archiveButton,
  archivedNote,
  archivedViews,
  listSection,
  objectActs,
  rootFacts,
} from "./parts/objects.js";

export const PROFILE = "/console/profile";
export const IDENTITY_API = "/api/v2/identity";
export const PROFILE_API = `${IDENTITY_API}/profile`;

/** As in the catalog, which a test compares, so that the page need not request it. */
export const FIELDS = [
  optional("displayName", "text"),
  optional("currentRole", "text"),
  optional("lifeStage", "select"),
  optional("startedAt", "datetime"),
  optional("endedAt", "datetime"),
  optional("biography", "textarea"),
  optional("publicSummary", "textarea"),
  optional("tags", "tags"),
];

/** @returns {Readonly<Record<string, ProfilePart>>} */
function partsOf() {
  return { stages: stagesPart(), roles: rolesPart(), snapshots: snapshotsPart() };
}

/** @returns {ProfilePart} */
function stagesPart() {
  return {
    title: t("stages"),
    one: t("stage"),
    add: t("addStage"),
    idName: "stageId",
    fields: [
      needed("title", "text", { maximumLength: 200 }),
      needed("lifeStage", "select"),
      needed("startedAt", "datetime"),
      optional("endedAt", "datetime", { hint: t("openStageHint") }),
      optional("note", "textarea"),
    ],
    isArchivable: true,
    line: ({ stageId, title, lifeStage, startedAt, endedAt }) => {
      const end = endedAt === null ? t("today") : dayText(endedAt);
      const facts = [`${dayText(startedAt)} – ${end}`, label(lifeStage)];
      return linkLine(`stages/${stageId}`, title, facts, dateBlock(dayOf(startedAt), "year"));
    },
  };
}

/** @returns {ProfilePart} */
function rolesPart() {
  return {
    title: t("roles"),
    one: t("oneRole"),
    add: t("addRole"),
    idName: "roleId",
    fields: [
      needed("role", "text", { hint: t("roleHint") }),
      needed("changedAt", "datetime"),
      optional("reason", "textarea"),
    ],
    line: ({ role, changedAt, reason }) =>
      row({
        anchor: dateBlock(dayOf(changedAt), "year"),
        name: h("span.words", role),
        facts: [
          t("since", { time: dayText(changedAt) }),
          reason,
        ].filter(Boolean),
      }),
  };
}

/** @returns {ProfilePart} */
function snapshotsPart() {
  return {
    title: t("selfSnapshots"),
    one: t("selfSnapshot"),
    add: t("addSnapshot"),
    idName: "snapshotId",
    fields: [
      needed("label", "text", {
        label: t("nameOf"),
        hint: t("snapshotHint"),
        maximumLength: 200,
      }),
      optional("asOf", "datetime", { label: t("dateOfIt"), hint: t("asOfHint") }),
    ],
    line: ({ snapshotId, label: name, asOf, createdAt }) =>
      linkLine(`snapshots/${snapshotId}`, name, [dayText(asOf ?? createdAt)]),
  };
}

/** The day of a time on its own clock, in UTC. @param {string} time */
function dayOf(time) {
  return new Date(localOf(time).slice(0, 10));
}

/** Undefined for none. @param {string} [name] */
export function partOf(name = "") {
  return partsOf()[name];
}

/** @type {(path: string, words: string, facts: readonly string[], anchor?: Element) => Element} */
function linkLine(path, words, facts, anchor) {
  return row({ anchor, name: link(`${PROFILE}/${path}`, words, "words"), facts });
}

/** Asks the counts, because browsers log each 404 as an error. */
export async function hasProfile() {
  const { items } = await get("/api/v2/record-counts");
  return items.some(({ moduleCode, count }) => moduleCode === "identity" && count > 0);
}

export async function readProfile() {
  return await hasProfile() ? await get(PROFILE_API) : null;
}

/** Null for none. */
export function readPublication() {
  return get(`${IDENTITY_API}/public?orNull=true`);
}

const MAX_SHOWN = 20;

/** @type {Page} */
export async function profilePage() {
  const parts = Object.entries(partsOf());
  const [profile, publication, { timelinePicture }, ...lists] = await Promise.all([
    readProfile(),
    readPublication(),
    import("../core/charts/pictures.js").catch(notLoaded),
    ...parts.map(([name]) => get(`${IDENTITY_API}/${name}?limit=${MAX_SHOWN}`)),
  ]);
  const title = t("profile");
  if (profile === null) {
    const edit = link(`${PROFILE}/edit`, t("describeYourself"), "main");
    return { title, body: [emptyPlace("portrait", t("noProfile"), edit)] };
  }
  const [stages = [], roles = []] = lists.map(({ items }) => items);
  stages.sort((a, b) => instantOf(b.startedAt) - instantOf(a.startedAt));
  const events = lifeEvents(stages, roles);
  const sections = parts.map(([name, part], index) =>
    listSection(part.title, lists[index], `${PROFILE}/${name}`, {
      add: actLink("add", `${PROFILE}/${name}/new`, part.add),
      line: part.line,
    })
  );
  return {
    title,
    heading: profile.displayName,
    body: [
      h(
        "div.two",
        h(
          "div.aside",
          profileActs(profile),
          valuesList(FIELDS.filter(isShort), profile),
          publication?.state === "PUBLISHED" && h("p.note", t("isPublished")),
        ),
        h(
          "div",
          valuesList(FIELDS.filter(({ edit }) => edit === "textarea"), profile),
          events.length > 1 && timelinePicture(t("lifePicture"), events),
          sections.slice(0, 2),
        ),
        h("div.aside", sections[2], rootFacts(profile)),
      ),
    ],
  };
}

/** The name is the heading. @param {CatalogField} field */
function isShort({ name, edit }) {
  return name !== "displayName" && edit !== "textarea";
}

/** @param {any} profile */
function profileActs({ displayName }) {
  return objectActs({
    title: displayName,
    edit: `${PROFILE}/edit`,
    more: [
      link(`${PROFILE}/history`, t("history")),
      link(`${PROFILE}/compare`, t("compare")),
      link(`${PROFILE}/public`, t("publicView")),
      link(`${PROFILE}/legacy`, t("legacyRelease")),
    ],
  });
}

/** @param {readonly Stage[]} stages @param {readonly Role[]} roles */
function lifeEvents(stages, roles) {
  return [
    ...stages.map(({ title, startedAt, endedAt }) => ({
      lane: t("stages"),
      begin: startedAt,
      end: endedAt ?? new Date(Math.max(Date.now(), instantOf(startedAt))).toISOString(),
      name: title,
    })),
    ...roles.map(({ role, changedAt }) => ({
      lane: t("roles"),
      begin: changedAt,
      name: role,
    })),
  ];
}

/** @type {Page} */
export async function partList({ params, query }) {
  const name = params.part;
  const part = partOf(name);
  if (part === undefined) return notFound();
  const page = `${PROFILE}/${name}`;
  return await listPage(query, {
    title: part.title,
    api: `${IDENTITY_API}/${name}`,
    ...(part.isArchivable && { filter: archivedViews() }),
    beside: [link(`${page}/new`, part.add, "main"), link(PROFILE, t("profile"))],
    line: part.line,
  });
}

/** @type {Page} */
export async function stagePage({ params: { id } }) {
  const api = `${IDENTITY_API}/stages/${id}`;
  const page = `${PROFILE}/stages/${id}`;
  const stage = await get(api);
  const fields = partOf("stages")?.fields.slice(1) ?? [];
  return {
    title: stage.title,
    body: [
      archivedNote(stage),
      valuesList(fields, stage),
      objectActs({
        title: stage.title,
        edit: `${page}/edit`,
        more: [archiveButton(stage, { api }), link(PROFILE, t("profile"))],
      }),
      rootFacts(stage),
    ],
  };
}

/** @type {Page} */
export async function snapshotPage({ params: { id } }) {
  const snapshot = await get(`${IDENTITY_API}/snapshots/${id}`);
  const { label, asOf, fields, profileRevision, createdAt } = snapshot;
  const made = profileRevision === null
    ? t("createdAt", { time: timeText(createdAt) })
    : t("snapshotOf", { time: timeText(createdAt), revision: profileRevision });
  return {
    title: label,
    body: [
      asOf !== null && h("p", t("selfAsOf", { time: dayText(asOf) })),
      valuesList(FIELDS, fields),
      h(
        "div.bar",
        link(`${PROFILE}/compare?left=${id}`, t("compare")),
        link(PROFILE, t("profile")),
      ),
      h("p.quiet.small", made),
    ],
  };
}
