/** Stages of life, roles, and snapshots. */

import { h, t } from "../../core/base.js";
import { dayText, needed, optional } from "../../fields/shown.js";
import { label } from "../../core/names.js";

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
        needed("label", "text", { label: t("snapshotLabel"), hint: t("snapshotHint") }),
        optional("asOf", "datetime", { label: t("asOf"), hint: t("asOfHint") }),
      ],
      isArchivable: false,
      line: ({ snapshotId, label: name, asOf, createdAt }) =>
        linkLine(`snapshots/${snapshotId}`, name, [dayText(asOf ?? createdAt)]),
    },
  };
}

/**
 * @param {string} path Below the profile's.
 * @param {string} words
 * @param {readonly string[]} facts
 */
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
