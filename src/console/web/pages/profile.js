/** The profile and its parts. */

import { get, h, hasCode, send, t, timeText } from "../core/base.js";
import { timelinePicture } from "../core/charts.js";
import { label, notFound, readModule } from "../core/names.js";
import { dayText, needed, optional, valuesList } from "../fields/shown.js";
import {
  archiveButton,
  archivedNote,
  archivedViews,
  listPage,
  listSection,
  rootFacts,
} from "./parts.js";

export const PROFILE = "/console/profile";

export const IDENTITY_API = "/api/v2/identity";

/** @type {(fields: readonly CatalogField[]) => Readonly<Record<ProfilePartName, ProfilePart>>} */
export function partsOf(fields) {
  const lifeStage = fields.find(({ name }) => name === "lifeStage");
  return {
    stages: {
      title: t("stages"),
      one: t("stage"),
      add: t("addStage"),
      idName: "stageId",
      fields: [
        needed("title", "text"),
        needed("lifeStage", "select", { options: lifeStage?.options ?? [] }),
        needed("startedAt", "datetime"),
        optional("endedAt", "datetime", { hint: t("openStageHint") }),
        optional("note", "textarea"),
      ],
      isArchivable: true,
      line: ({ stageId, title, lifeStage, startedAt, endedAt }) =>
        linkLine(`stages/${stageId}`, title, [periodText(startedAt, endedAt), label(lifeStage)]),
    },
    roles: {
      title: t("roles"),
      one: t("oneRole"),
      add: t("addRole"),
      idName: "roleId",
      fields: [
        needed("role", "text", { hint: t("roleHint") }),
        needed("changedAt", "datetime"),
        optional("reason", "textarea"),
      ],
      isArchivable: false,
      line: ({ role, changedAt, reason }) =>
        h(
          "li",
          h("span.words", role),
          h("span.quiet.small", t("since", { time: dayText(changedAt) })),
          reason !== null && h("p.words.small", reason),
        ),
    },
    snapshots: {
      title: t("selfSnapshots"),
      one: t("selfSnapshot"),
      add: t("addSnapshot"),
      idName: "snapshotId",
      fields: [
        needed("label", "text", { label: t("nameOf"), hint: t("snapshotHint") }),
        optional("asOf", "datetime", { label: t("dateOfIt"), hint: t("asOfHint") }),
      ],
      isArchivable: false,
      line: ({ snapshotId, label: name, asOf, createdAt }) =>
        linkLine(`snapshots/${snapshotId}`, name, [dayText(asOf ?? createdAt)]),
    },
  };
}

/** @param {string} path @param {string} words @param {readonly string[]} facts */
function linkLine(path, words, facts) {
  return h(
    "li",
    h("a.words", { href: `${PROFILE}/${path}` }, words),
    h("span.quiet.small", facts.join(" · ")),
  );
}

/** @param {string} from @param {string | null} to Null while open. */
function periodText(from, to) {
  return `${dayText(from)} – ${to === null ? t("today") : dayText(to)}`;
}

export const PROFILE_API = `${IDENTITY_API}/profile`;

export async function readProfile() {
  return await readIfThere(PROFILE_API);
}

/** Null for 404. @param {string} path */
export async function readIfThere(path) {
  try {
    return await get(path);
  } catch (error) {
    if (hasCode(error, "RECORD_NOT_FOUND")) return null;
    throw error;
  }
}

const MAX_SHOWN = 20;

/** @type {Page} */
export async function profilePage() {
  const [module, profile] = await Promise.all([readModule("identity"), readProfile()]);
  if (profile === null) {
    return {
      title: t("profile"),
      body: [
        h("p", t("noProfile")),
        h("a.main", { href: `${PROFILE}/edit` }, t("describeYourself")),
      ],
    };
  }
  const parts = Object.entries(partsOf(module?.fields ?? []));
  const [publication, ...lists] = await Promise.all([
    readIfThere(`${IDENTITY_API}/public`),
    ...parts.map(([name]) => send("GET", `${IDENTITY_API}/${name}?limit=${MAX_SHOWN}`)),
  ]);
  const [stages = [], roles = []] = lists.map(({ data }) => data.items);
  stages.sort((/** @type {any} */ a, /** @type {any} */ b) =>
    b.startedAt.localeCompare(a.startedAt)
  );
  const sections = parts.map(([name, part], index) =>
    listSection(part.title, lists[index]?.data, `${PROFILE}/${name}`, {
      add: h("a", { href: `${PROFILE}/${name}/new` }, part.add),
      isLong: name === "roles",
      line: part.line,
    })
  );
  const fields = (module?.fields ?? []).filter(({ name }) => name !== "displayName");
  return {
    title: t("profile"),
    heading: profile.displayName,
    body: [
      valuesList(fields, profile),
      h(
        "div.bar",
        h("a.main", { href: `${PROFILE}/edit` }, t("edit")),
        h("a", { href: `${PROFILE}/history` }, t("history")),
        h("a", { href: `${PROFILE}/compare` }, t("compare")),
        h("a", { href: `${PROFILE}/public` }, t("publicView")),
        h("a", { href: `${PROFILE}/legacy` }, t("legacyRelease")),
      ),
      publication?.state === "PUBLISHED" && h("p.note", t("isPublished")),
      lifeFigure(stages, roles),
      ...sections,
      rootFacts(profile),
    ],
  };
}

/** None for a single one. @param {readonly any[]} stages @param {readonly any[]} roles */
function lifeFigure(stages, roles) {
  const events = [
    ...stages.map(({ title, startedAt, endedAt }) => ({
      lane: t("stages"),
      from: Date.parse(startedAt),
      to: endedAt === null ? Math.max(Date.now(), Date.parse(startedAt)) : Date.parse(endedAt),
      name: title,
    })),
    ...roles.map(({ role, changedAt }) => ({
      lane: t("roles"),
      from: Date.parse(changedAt),
      name: role,
    })),
  ];
  return events.length > 1 && timelinePicture(t("lifePicture"), events);
}

/** @type {Page} */
export async function partList({ params, query }) {
  const name = /** @type {ProfilePartName} */ (params.part);
  const part = partsOf((await readModule("identity"))?.fields ?? [])[name];
  if (part === undefined) return notFound();
  const page = `${PROFILE}/${name}`;
  return await listPage(query, {
    title: part.title,
    page,
    api: `${IDENTITY_API}/${name}`,
    ...(part.isArchivable && { filter: archivedViews() }),
    none: t(query.get("archived") === "only" ? "noneArchived" : "noneYet"),
    beside: [
      h("a.main", { href: `${page}/new` }, part.add),
      h("a", { href: PROFILE }, t("profile")),
    ],
    isLong: name === "roles",
    line: part.line,
  });
}

/** @type {Page} */
export async function stagePage({ params: { id } }) {
  const api = `${IDENTITY_API}/stages/${id}`;
  const page = `${PROFILE}/stages/${id}`;
  const [module, stage] = await Promise.all([readModule("identity"), get(api)]);
  const fields = partsOf(module?.fields ?? []).stages.fields.filter(({ name }) => name !== "title");
  return {
    title: stage.title,
    body: [
      rootFacts(stage),
      archivedNote(stage),
      valuesList(fields, stage),
      h(
        "div.bar",
        h("a.main", { href: `${page}/edit` }, t("edit")),
        archiveButton(stage, { page, api }),
        h("a", { href: PROFILE }, t("profile")),
      ),
    ],
  };
}

/** @type {Page} */
export async function snapshotPage({ params: { id } }) {
  const [module, snapshot] = await Promise.all([
    readModule("identity"),
    get(`${IDENTITY_API}/snapshots/${id}`),
  ]);
  const { label, asOf, fields, profileRevision, createdAt } = snapshot;
  const made = profileRevision === null
    ? t("createdAt", { time: timeText(createdAt) })
    : t("snapshotOf", { time: timeText(createdAt), revision: profileRevision });
  return {
    title: label,
    body: [
      asOf !== null && h("p", t("selfAsOf", { time: dayText(asOf) })),
      valuesList(module?.fields ?? [], fields),
      h(
        "div.bar",
        h("a.main", { href: `${PROFILE}/compare?left=${id}` }, t("compare")),
        h("a", { href: PROFILE }, t("profile")),
      ),
      h("p.quiet.small", made),
    ],
  };
}
