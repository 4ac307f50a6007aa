/** The page of a person. */

import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { notLoaded } from "../../core/base/visits.js";
import { lazyDetails } from "../../fields/shown/files.js";
import { needed, optional } from "../../fields/shown/texts.js";
import { timeText } from "../../fields/shown/times.js";
import { valuesList } from "../../fields/shown/values.js";
import { menuButton } from "../parts/menu.js";
import { entryLine, timelineLine } from "../people_entries/entries.js";
import { isOpen, ledgers, pathsOf } from "../people_entries/ledgers.js";
import { ownNotes, personCard } from "./card.js";
import { detailParts, detailsSection, readDetails } from "./sections.js";
import { togetherRegion } from "./together.js";
import { waysOf } from "./ways.js";

const MAX_HAPPENED = 20;

/** The fields that the card does not show. Reading the catalog would take a request. */
const FIELDS = [
  needed("importance", "number"),
  ...["opinion", "evidence", "counterEvidence"].map((name) =>
    optional(name, "textarea", { sensitive: true })
  ),
];

/** The person whose further parts are open, also after an action in them. */
let openedFor = "";

/** @type {Page} */
export async function personPage({ params }) {
  const paths = pathsOf(params.id);
  const { api } = paths;
  const read = (/** @type {string} */ name) => get(`${api}/${name}?limit=${MAX_HAPPENED}`);
  const [person, details, contacts, experiences, timeline] = await Promise.all([
    get(api),
    readDetails(api),
    read("contacts"),
    read("experiences"),
    read("timeline"),
  ]);
  const open = isOpen(person);
  const ways = waysOf(details.details);
  const { lineOf, parts } = detailParts(details, person, ways);
  return {
    title: t("person"),
    heading: person.personName,
    body: [h(
      "div.two",
      personCard(person, details.details, paths, { ways, lineOf }),
      h(
        "div.aside",
        person.status !== "ACTIVE" && h("p.note", statusText(person)),
        togetherRegion(person),
        detailsSection(person, [valuesList(FIELDS, person), ...parts]),
        ...happenedParts(paths, open, { contacts, experiences, timeline }),
        furtherParts(person, paths),
      ),
    )],
  };
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
    const isFresh = ownNotes.has(moment.sourceId);
    const place = { api: `${api}/${name}`, isOpen: open, isNamed: true, isFresh };
    return entryLine(kinds[name], entry, place, index);
  });
  const adds = /** @type {const} */ (["contacts", "experiences"]).map((name) =>
    link(`${page}/ledger/${name}/new`, kinds[name].add)
  );
  const allLink = (/** @type {string} */ path, /** @type {string} */ name) =>
    link(`${page}/${path}`, t("allOf", { name }));
  return [
    h(
      "div.bar.heading",
      h("h2", t("timeline")),
      open && menuButton(icon("add"), t("addTo", { name: t("timeline") }), adds),
    ),
    lines.length === 0 ? h("p.quiet", t("noneYet")) : h("ol.lines", lines),
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
    const { readFurther } = await import("../people_more/moves.js").catch(notLoaded);
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
