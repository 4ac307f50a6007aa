/** The page of a person. */

import { actButton, askButton } from "../../core/acts.js";
import { fill, h, send, t, timeText } from "../../core/base.js";
import { label, readModule } from "../../core/names.js";
import { lineField } from "../../fields/controls.js";
import { ago, parts, sinceDayText, valuesList } from "../../fields/shown.js";
import { detailParts, readDetails } from "./details.js";
import { entryLine, timelineLine } from "./entries.js";
import { evaluationSection, readEvaluation } from "./evaluation.js";
import { ledgers, thisMinute } from "./ledger_kinds.js";
import { isOpen, pathsOf } from "./person_paths.js";
import { tagsSection } from "../record_tags.js";
import { listSection, rootFacts } from "../root_parts.js";

const TONES = 6;

/** Initials on a colour that stays with the person. @param {any} person */
export function disc({ personId, personName }) {
  const words = String(personName).trim().split(/\s+/);
  const initials = [...new Set([words[0], words.at(-1)])]
    .map((word) => [...word ?? ""][0] ?? "").join("").toUpperCase();
  const tone = [...String(personId)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % TONES;
  return h("span", {
    class: `disc tone-${tone}`,
    "data-initials": initials,
    "aria-hidden": "true",
  });
}

/** @param {any} person */
export function contactParts({ lastContactAt, desiredContactIntervalDays: days, status }) {
  const isWanted = days !== null && status === "ACTIVE";
  return [
    ...lastContactAt === null
      ? [t("noContactYet")]
      : parts("lastContact", { time: ago(lastContactAt, sinceDayText) }),
    isWanted && `, ${days === 1 ? t("wantedDaily") : t("wantedEvery", { days })}`,
  ];
}

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
 * @param {Session} session
 * @param {any} person
 * @param {{ page: string, api: string }} paths
 */
function moveButtons(session, { status: present, revision }, { page, api }) {
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

/** In the column of what happened. */
const MAX_HAPPENED = 20;
const MAX_EVIDENCE = 5;
/** Shown in the head of the page. */
const APART = ["personName", "relationshipType", "lastContactAt", "desiredContactIntervalDays"];

/** The person whose further parts are open, also after an action in them. */
let openedFor = "";

/** @type {Page} */
export default async function personPage({ params, session }) {
  const paths = pathsOf(params.id);
  const { page, api } = paths;
  const read = (/** @type {string} */ name) =>
    send("GET", `${api}/${name}?limit=${MAX_HAPPENED}`).then(({ data }) => data);
  const [module, { data: person }, details, contacts, experiences, timeline] = await Promise.all([
    readModule("relationship"),
    send("GET", api),
    readDetails(api),
    read("contacts"),
    read("experiences"),
    read("timeline"),
  ]);
  const open = isOpen(person);
  const kinds = ledgers();
  const placeOf = (/** @type {LedgerName} */ name) => ({
    name,
    api: `${api}/${name}`,
    page,
    isOpen: open,
  });
  // The contact itself tells that it was retracted.
  const moments = timeline.items.filter((/** @type {any} */ { kind }) =>
    kind !== "CONTACT_RETRACTED"
  );
  const addLink = (/** @type {LedgerName} */ name) =>
    open && h("a", { href: `${page}/ledger/${name}/new` }, kinds[name].add);
  const allLink = (/** @type {string} */ path, /** @type {string} */ name) =>
    h("a", { href: `${page}/${path}` }, t("allOf", { name }));
  const happened = (/** @type {any} */ moment, /** @type {number} */ index) => {
    const isContact = moment.kind === "CONTACT_RECORDED";
    const name = isContact ? "contacts" : "experiences";
    const entry = (isContact ? contacts : experiences).items.find((/** @type {any} */ each) =>
      each[kinds[name].idName] === moment.sourceId
    );
    const isNamed = true;
    return entry === undefined
      ? timelineLine(moment)
      : entryLine(session, kinds[name], entry, { ...placeOf(name), isNamed }, index);
  };
  return {
    title: t("person"),
    heading: person.personName,
    body: [
      h("div.bar.head", disc(person), headLine(person)),
      person.status !== "ACTIVE" && h("p.note", statusText(person)),
      h(
        "div.bar",
        open && spokeButton(session, paths),
        open && h("a", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        h("a", { href: `${api}/vcard?version=3.0`, download: "" }, t("saveCard")),
      ),
      ...detailParts(session, details, paths, open),
      valuesList((module?.fields ?? []).filter(({ name }) => !APART.includes(name)), person),
      h("h2", t("timeline")),
      h("div.bar", addLink("contacts"), addLink("experiences")),
      moments.length === 0
        ? h("p.quiet", t("noneYet"))
        : h("ol.lines.entries.column", moments.map(happened)),
      h(
        "div.bar",
        allLink("timeline", t("timeline")),
        allLink("ledger/contacts", kinds.contacts.title),
        allLink("ledger/experiences", kinds.experiences.title),
      ),
      furtherParts(session, person, paths, {
        title: kinds.evidence.title,
        add: addLink("evidence"),
        line: (entry, index) =>
          entryLine(session, kinds.evidence, entry, placeOf("evidence"), index),
      }),
    ],
  };
}

/**
 * Evaluation, evidence, status and tags, read when they are opened.
 * @param {Session} session
 * @param {any} person
 * @param {{ page: string, api: string }} paths
 * @param {{
 *   title: string,
 *   add: Element | false,
 *   line: (entry: any, index: number) => Element,
 * }} evidence
 */
function furtherParts(session, person, paths, { title, add, line }) {
  const { page, api } = paths;
  const box = h("div");
  const show = async () => {
    const [found, { data: evidence }] = await Promise.all([
      readEvaluation(api),
      send("GET", `${api}/evidence?limit=${MAX_EVIDENCE}`),
    ]);
    fill(
      box,
      evaluationSection(session, person, paths, found),
      listSection(title, evidence, `${page}/ledger/evidence`, { add, isLong: true, line }),
      h("div.bar", moveButtons(session, person, paths)),
      tagsSection(session, "relationship", person.personId, page),
      rootFacts(person),
    );
  };
  const ontoggle = (/** @type {Event} */ { currentTarget }) => {
    const { open } = /** @type {HTMLDetailsElement} */ (currentTarget);
    openedFor = open ? person.personId : "";
    if (open && box.childElementCount === 0) void show();
  };
  const open = openedFor === person.personId;
  return h("details", { open, ontoggle }, h("summary", t("moreParts")), box);
}

/** @param {any} person */
function headLine(person) {
  return h("p", label(person.relationshipType), " · ", ...contactParts(person));
}

/**
 * Adds a contact of this minute.
 * @param {Session} session
 * @param {{ page: string, api: string }} paths
 */
function spokeButton(session, { page, api }) {
  return actButton(session, {
    path: `${api}/contacts`,
    page,
    name: t("spoke"),
    done: t("spokeDone"),
    isMain: true,
    body: () => ({
      contactedAt: thisMinute(),
      channel: "OTHER",
      direction: "MUTUAL",
      privacy: "NORMAL",
    }),
  });
}

/** @param {any} person */
function statusText({ status, archivedAt }) {
  switch (status) {
    case "PAUSED":
      return t("isPaused");
    case "ARCHIVED":
      return t("isArchived", { time: timeText(archivedAt) });
    default:
      return t("isSealed");
  }
}
