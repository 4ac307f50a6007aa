/** How a person's state changes. */

import { askButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { label } from "../../core/names.js";
import { menuButton } from "../parts/menu.js";
import { listSection, rootFacts } from "../parts/objects.js";
import { tagsSection } from "../parts/tags.js";
import { entryLine } from "../people_entries/entries.js";
import { isOpen, ledgers } from "../people_entries/ledgers.js";
import { evaluationSection, reasonFields } from "./evaluation.js";

/** @type {readonly Move[]} */
const MOVES = [
  {
    from: ["ACTIVE"],
    status: "PAUSED",
    name: "pause",
    title: "pauseQuestion",
    text: "pauseText",
    done: "paused",
  },
  {
    from: ["PAUSED"],
    status: "ACTIVE",
    name: "resume",
    title: "resumeQuestion",
    text: "resumeText",
    done: "resumed",
  },
  {
    from: ["ACTIVE", "PAUSED"],
    name: "archive",
    title: "archiveQuestion",
    text: "archiveText",
    done: "archived",
  },
  {
    from: ["ARCHIVED"],
    name: "restore",
    title: "restoreQuestion",
    text: "restoreText",
    done: "restored",
  },
  {
    from: ["ACTIVE", "PAUSED", "ARCHIVED"],
    status: "SEALED",
    name: "seal",
    title: "sealQuestion",
    text: "sealPersonText",
    done: "personSealed",
  },
];

/**
 * The moves that the status and the account allow. Each asks, also for the reason.
 * @param {any} person
 * @param {Paths} paths
 */
function moveButtons({ status: present, revision }, { api }) {
  if (!may("relationship.status.control")) return [];
  return MOVES.filter(({ from }) => from.includes(present)).map(({ status, ...words }) => {
    const act = {
      path: `${api}/${status === undefined ? words.name : "status"}`,
      isGrave: status === "SEALED",
      name: t(words.name),
      title: t(words.title),
      text: t(words.text),
      done: t(words.done),
    };
    return askButton(
      act,
      reasonFields,
      ({ reason }) => ({ status, ...(reason && { reason }), expectedRevision: revision }),
    );
  });
}

const MAX_EVIDENCE = 5;

/** @param {any} person @param {Paths} paths */
export async function readFurther(person, paths) {
  const { page, api } = paths;
  const { evidence } = ledgers();
  const place = { api: `${api}/evidence`, isOpen: isOpen(person) };
  const [proposals, evaluations, found] = await Promise.all([
    get(`${api}/proposals?limit=1`),
    get(`${api}/evaluations?limit=1`),
    get(`${place.api}?limit=${MAX_EVIDENCE}`),
  ]);
  const moves = moveButtons(person, paths);
  return [
    evaluationSection(person, paths, proposals.items[0], evaluations.items[0]),
    listSection(evidence.title, found, `${page}/ledger/evidence`, {
      add: place.isOpen && link(`${page}/ledger/evidence/new`, evidence.add),
      line: (entry, index) => entryLine(evidence, entry, place, index),
    }),
    moves.length > 0 &&
    h(
      "div.bar.heading",
      h("h2", `${label("status")}: ${label(person.status)}`),
      menuButton(icon("actions"), t("changeStatus"), moves),
    ),
    tagsSection("relationship", person.personId),
    rootFacts(person),
  ];
}
