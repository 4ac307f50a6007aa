import { askButton } from "../../core/act.js";
import { t } from "../../core/text.js";
import { lineField } from "../../fields/text.js";

/** @typedef {import("../../core/text.js").Sentence} Sentence */

/**
 * @typedef {object} Move
 * @property {readonly string[]} from
 * @property {"status" | "archive" | "restore"} path
 * @property {string} [status] Named in the body.
 * @property {Sentence} name
 * @property {Sentence} title
 * @property {Sentence} text
 * @property {Sentence} done
 */

/** @type {readonly Move[]} */
const MOVES = [
  {
    from: ["ACTIVE"],
    path: "status",
    status: "PAUSED",
    name: "pause",
    title: "pauseQuestion",
    text: "pauseText",
    done: "paused",
  },
  {
    from: ["PAUSED"],
    path: "status",
    status: "ACTIVE",
    name: "resume",
    title: "resumeQuestion",
    text: "resumeText",
    done: "resumed",
  },
  {
    from: ["ACTIVE", "PAUSED"],
    path: "archive",
    name: "archive",
    title: "archiveQuestion",
    text: "archiveText",
    done: "archived",
  },
  {
    from: ["ARCHIVED"],
    path: "restore",
    name: "restore",
    title: "restoreQuestion",
    text: "restoreText",
    done: "restored",
  },
  {
    from: ["ACTIVE", "PAUSED", "ARCHIVED"],
    path: "status",
    status: "SEALED",
    name: "seal",
    title: "sealQuestion",
    text: "sealPersonText",
    done: "personSealed",
  },
];

/**
 * The moves that the status and the account allow. Each asks, also for the reason.
 *
 * @param {import("../../core/session.js").Session} session
 * @param {any} person
 * @param {{ page: string, api: string }} paths
 */
export function moveButtons(session, { status: present, revision }, { page, api }) {
  if (!session.permissions.includes("relationship.status.control")) return [];
  return MOVES.filter(({ from }) => from.includes(present)).map(({ path, status, ...words }) => {
    const act = {
      path: `${api}/${path}`,
      page,
      isGrave: status === "SEALED",
      name: t(words.name),
      title: t(words.title),
      text: t(words.text),
      done: t(words.done),
    };
    return askButton(
      session,
      act,
      () => [lineField({ name: "reason", label: t("reason"), sensitive: true, words: true })],
      ({ reason }) => ({
        ...(status !== undefined && { status }),
        ...(reason && { reason }),
        expectedRevision: revision,
      }),
    );
  });
}
