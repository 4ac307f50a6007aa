/** The card of a person: who they are, and how to reach them now. */

import { actButton } from "../../core/acts/buttons.js";
import { quietForm } from "../../core/acts/line_forms.js";
import { repeatable } from "../../core/acts/texts.js";
import { announceChange } from "../../core/base/changes.js";
import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { label } from "../../core/names.js";
import { linesField } from "../../fields/controls/lines.js";
import { isVeiling, parts, veiled } from "../../fields/shown/files.js";
import { contactNow, sinceDayText, thisMinute } from "../../fields/shown/times.js";
import { menuButton } from "../parts/menu.js";
import { contactParts, detailDay, isHidden } from "../people_entries/details.js";
import { isOpen, NOTE_TITLE, PRIVACY } from "../people_entries/ledgers.js";
import { nextDay } from "./next_day.js";
import { portrait } from "./photo.js";
import { waysBar } from "./ways.js";

/** Notes that were written since the page was loaded: their words are shown without a press. */
export const ownNotes = new Set();

/**
 * @param {any} person
 * @param {readonly any[]} details Live ones, newest first.
 * @param {Paths} paths
 * @param {CardParts} parts
 */
export function personCard(person, details, paths, { ways, lineOf }) {
  const open = isOpen(person);
  const bar = () => ways.length > 0 && waysBar(ways);
  const list = () =>
    ways.length > 0 && h("ul.lines.details", ways.map((way) => lineOf(way.detail, way)));
  return h(
    "section.card",
    { "aria-label": t("card") },
    h("div.corner", cardActs(person, paths, open)),
    portrait(person, details.filter((detail) => !isHidden(detail)), open && paths),
    // The page's heading, visible here.
    h("p.name", { "aria-hidden": "true" }, person.personName),
    h("p.quiet", label(person.relationshipType)),
    isVeiling()
      ? ways.length > 0 && veiled(t("waysToReach"), () => h("div", bar(), list()))
      : bar(),
    h("div.quiet.small", h("p", ...contactParts(person)), open && nextText(details)),
    open && spokeButton(paths),
    !isVeiling() && list(),
    open && noteForm(paths),
  );
}

/** @param {readonly any[]} details */
function nextText(details) {
  const next = nextDay(details, thisMinute().slice(0, 10));
  if (next === null) return null;
  const { day, detail: { value, label: own } } = next;
  const what = value.what === "OTHER" && own ? own : t(NEXT[value.what] ?? "nextDate");
  // Noon, because a change of the clock could move midnight to another day.
  const when = sinceDayText(new Date(`${day}T12:00`).toISOString());
  const time = h("time", { datetime: day, title: detailDay(day) }, when);
  return h("p", parts("nextDay", { what, when: time }));
}

/** @type {Readonly<Record<string, Sentence>>} */
const NEXT = {
  BIRTHDAY: "nextBirthday",
  ANNIVERSARY: "nextAnniversary",
  DEATH: "nextDeath",
  MET: "nextMet",
};

/** @param {Paths} paths */
function spokeButton({ api }) {
  return actButton({
    path: `${api}/contacts`,
    name: t("spoke"),
    done: t("spokeDone"),
    isMain: true,
    body: contactNow,
  });
}

/**
 * The link to the form, and a menu of all other acts.
 * @param {any} person @param {Paths} paths @param {boolean} open
 */
function cardActs({ personName }, { page, api }, open) {
  const edit = { href: `${page}/edit`, "aria-label": t("edit"), title: t("edit") };
  const items = [
    link(`${page}/history`, t("history")),
    h("a", { href: `${api}/vcard?version=3.0`, download: "" }, t("saveCard")),
  ];
  return [
    open && h("a.act", edit, icon("edit")),
    ...menuButton(icon("actions"), t("moreOf", { value: personName }), items),
  ];
}

/** A note is an experience, as the notes of address books are. @param {Paths} paths */
function noteForm({ api }) {
  const field = linesField({ name: "note", label: t("note"), sensitive: true, required: true });
  const sendNote = repeatable();
  const path = `${api}/experiences`;
  /** Repetitions have the same one, so that the note is stored once. */
  let occurredAt = "";
  return quietForm(field, t("addNote"), async () => {
    occurredAt ||= thisMinute();
    const time = { timePrecision: "DAY", occurredAt };
    const body = {
      title: NOTE_TITLE,
      narrative: field.text().trim(),
      ...time,
      privacy: PRIVACY[1],
    };
    const { data } = await sendNote("POST", path, { body });
    ownNotes.add(data.experienceId);
    announceChange(path);
  });
}
