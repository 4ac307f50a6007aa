/** The page of a person. */

import { actButton } from "../core/acts/buttons.js";
import { h, link } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { notLoaded } from "../core/base/visits.js";
import { label, readFields } from "../core/names.js";
import { lazyDetails } from "../fields/shown/files.js";
import { contactNow, timeText } from "../fields/shown/times.js";
import { valuesList } from "../fields/shown/values.js";
import { detailParts, readDetails } from "./people_details/sections.js";
import { contactParts, disc } from "./people_entries/details.js";
import { entryLine, timelineLine } from "./people_entries/entries.js";
import { isOpen, ledgers, pathsOf } from "./people_entries/ledgers.js";

const MAX_HAPPENED = 20;

const APART = ["personName", "relationshipType", "lastContactAt", "desiredContactIntervalDays"];

/** The person whose further parts are open, also after an action in them. */
let openedFor = "";

/** @type {Page} */
export async function personPage({ params }) {
  const paths = pathsOf(params.id);
  const { api } = paths;
  const read = (/** @type {string} */ name) => get(`${api}/${name}?limit=${MAX_HAPPENED}`);
  const [fields, person, details, contacts, experiences, timeline] = await Promise.all([
    readFields("relationship"),
    get(api),
    readDetails(api),
    read("contacts"),
    read("experiences"),
    read("timeline"),
  ]);
  const open = isOpen(person);
  return {
    title: t("person"),
    heading: person.personName,
    body: [
      h(
        "div.bar.head",
        disc(person),
        h("p", label(person.relationshipType), " · ", ...contactParts(person)),
      ),
      person.status !== "ACTIVE" && h("p.note", statusText(person)),
      actsBar(paths, open),
      ...detailParts(details, person, open),
      valuesList(fields.filter(({ name }) => !APART.includes(name)), person),
      ...happenedParts(paths, open, { contacts, experiences, timeline }),
      lazyDetails(h("summary", t("refersHere")), async () => {
        const { referringTo } = await import("./refers.js").catch(notLoaded);
        return await referringTo("relationship", person.personId, person.personName);
      }),
      furtherParts(person, paths),
    ],
  };
}

/** @param {Paths} paths @param {boolean} open */
function actsBar({ page, api }, open) {
  const spoke = () =>
    actButton({
      path: `${api}/contacts`,
      name: t("spoke"),
      done: t("spokeDone"),
      isMain: true,
      body: contactNow,
    });
  return h(
    "div.bar",
    open && spoke(),
    open && link(`${page}/edit`, t("edit")),
    link(`${page}/history`, t("history")),
    h("a", { href: `${api}/vcard?version=3.0`, download: "" }, t("saveCard")),
  );
}

/**
 * The recorded events, newest first, and forms for more.
 * @param {Paths} paths
 * @param {boolean} open
 * @param {Happened} happened
 */
function happenedParts({ page, api }, open, happened) {
  const kinds = ledgers();
  // The contact itself shows its retraction.
  const moments = happened.timeline.items.filter(({ kind }) => kind !== "CONTACT_RETRACTED");
  const lines = moments.map((moment, index) => {
    /** @type {LedgerName} */
    const name = moment.kind === "CONTACT_RECORDED" ? "contacts" : "experiences";
    const { idName } = kinds[name];
    const entry = happened[name].items.find((each) => each[idName] === moment.sourceId);
    if (entry === undefined) return timelineLine(moment);
    const place = { api: `${api}/${name}`, isOpen: open, isNamed: true };
    return entryLine(kinds[name], entry, place, index);
  });
  const addLink = (/** @type {LedgerName} */ name) =>
    open && link(`${page}/ledger/${name}/new`, kinds[name].add);
  const allLink = (/** @type {string} */ path, /** @type {string} */ name) =>
    link(`${page}/${path}`, t("allOf", { name }));
  return [
    h("h2", t("timeline")),
    h("div.bar", addLink("contacts"), addLink("experiences")),
    lines.length === 0 ? h("p.quiet", t("noneYet")) : h("ol.lines.entries.column", lines),
    h(
      "div.bar",
      allLink("timeline", t("timeline")),
      allLink("ledger/contacts", kinds.contacts.title),
      allLink("ledger/experiences", kinds.experiences.title),
    ),
  ];
}

/**
 * Evaluation, evidence, status and tags, read when they are opened.
 * @param {any} person
 * @param {Paths} paths
 */
function furtherParts(person, paths) {
  const read = async () => {
    const { readFurther } = await import("./people_more/moves.js").catch(notLoaded);
    return await readFurther(person, paths);
  };
  const further = lazyDetails(h("summary", t("more")), read, openedFor === person.personId);
  further.addEventListener("toggle", () => openedFor = further.open ? person.personId : "");
  return further;
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
