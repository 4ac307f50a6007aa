import { actButton } from "../../core/act.js";
import { send } from "../../core/api.js";
import { readModule } from "../../core/catalog.js";
import { fill, h } from "../../core/dom.js";
import { t, timeText } from "../../core/text.js";
import { valuesList } from "../../fields/values_list.js";
import { label } from "../../logic/labels.js";
import { tagsSection } from "../record_tags.js";
import { listSection, rootFacts } from "../root_parts.js";
import { detailParts, readDetails } from "./details.js";
import { contactParts, disc } from "./disc.js";
import { entryLine } from "./entry_line.js";
import { evaluationSection, readEvaluation } from "./evaluation.js";
import { ledgers, thisMinute } from "./ledger_kinds.js";
import { moveButtons } from "./moves.js";
import { isOpen, pathsOf } from "./person_paths.js";
import { timelineLine } from "./timeline.js";

/** @typedef {import("./ledger_kinds.js").LedgerName} LedgerName */

/** In the column of what happened. */
const MAX_HAPPENED = 20;
const MAX_EVIDENCE = 5;
/** Shown in the head of the page. */
const APART = ["personName", "relationshipType", "lastContactAt", "desiredContactIntervalDays"];

/** The person whose further parts are open, also after an action in them. */
let openedFor = "";

/** @type {import("../../pages.js").Page} */
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
      h("div", { class: "bar head" }, disc(person), headLine(person)),
      person.status !== "ACTIVE" && h("p", { class: "note" }, statusText(person)),
      h(
        "div",
        { class: "bar" },
        open && spokeButton(session, paths),
        open && h("a", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        h("a", { href: `${api}/vcard?version=3.0`, download: "" }, t("saveCard")),
      ),
      ...detailParts(session, details, paths, open),
      valuesList((module?.fields ?? []).filter(({ name }) => !APART.includes(name)), person),
      h("h2", {}, t("timeline")),
      h("div", { class: "bar" }, addLink("contacts"), addLink("experiences")),
      moments.length === 0
        ? h("p", { class: "quiet" }, t("noneYet"))
        : h("ol", { class: "lines entries column" }, moments.map(happened)),
      h(
        "div",
        { class: "bar" },
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
 *
 * @param {import("../../core/session.js").Session} session
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
  const box = h("div", {});
  const show = async () => {
    const [found, { data: evidence }] = await Promise.all([
      readEvaluation(api),
      send("GET", `${api}/evidence?limit=${MAX_EVIDENCE}`),
    ]);
    fill(
      box,
      evaluationSection(session, person, paths, found),
      listSection(title, evidence, `${page}/ledger/evidence`, { add, isLong: true, line }),
      h("div", { class: "bar" }, moveButtons(session, person, paths)),
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
  return h("details", { open, ontoggle }, h("summary", {}, t("moreParts")), box);
}

/** @param {any} person */
function headLine(person) {
  return h("p", {}, label(person.relationshipType), " · ", ...contactParts(person));
}

/**
 * Adds a contact of this minute.
 *
 * @param {import("../../core/session.js").Session} session
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
