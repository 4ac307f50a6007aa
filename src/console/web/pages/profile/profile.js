import { h, send, t } from "../../core/base.js";
import { readModule } from "../../core/names.js";
import { timelinePicture } from "../../core/charts.js";
import { valuesList } from "../../fields/shown.js";
import { listSection, rootFacts } from "../root_parts.js";
import { IDENTITY_API, partsOf, PROFILE } from "./parts.js";
import { readIfThere, readProfile } from "./reading.js";

/** Per kind, with a link to all. */
const MAX_SHOWN = 20;

/** @type {Page} */
export default async function profilePage() {
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
        h("a", { href: `${PROFILE}/compare` }, t("compareSelves")),
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
