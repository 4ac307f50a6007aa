/** The card of a person: who they are, and how to reach them now. */

import { actButton } from "../../core/acts/buttons.js";
import { lineForm } from "../../core/acts/line_forms.js";
import { repeatable } from "../../core/acts/texts.js";
import { announceChange } from "../../core/base/changes.js";
import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { label } from "../../core/names.js";
import { linesField } from "../../fields/controls/lines.js";
import { isVeiling, parts, veiled } from "../../fields/shown/files.js";
import { dialled, mailHref, placeHref } from "../../fields/reach.js";
import { contactNow, sinceDayText, thisMinute } from "../../fields/shown/times.js";
import { contactParts, detailDay, detailText, isHidden } from "../people_entries/details.js";
import { isOpen, NOTE_TITLE, PRIVACY } from "../people_entries/ledgers.js";
import { nextDay } from "./next_day.js";
import { photoAdder, portrait } from "./photo.js";
import { shortText } from "./sections.js";

/** Notes that were written since the page was loaded: their words are shown without a press. */
export const ownNotes = new Set();

/**
 * @param {any} person
 * @param {readonly any[]} details Live ones, newest first.
 * @param {Paths} paths
 */
export function personCard(person, details, paths) {
  const shown = details.filter((detail) => !isHidden(detail));
  const open = isOpen(person);
  const card = h(
    "section.card",
    { "aria-label": t("card") },
    h(
      "div.head",
      portrait(person, shown),
      h(
        "div",
        // The page's heading, visible here.
        h("p.name", { "aria-hidden": "true" }, person.personName),
        h("p.quiet", label(person.relationshipType)),
      ),
    ),
    h("p", ...contactParts(person)),
    open && nextText(details),
    reachList(shown),
    actsBar(paths, open),
    open && noteForm(paths),
  );
  if (open && may("attachment.write")) card.append(photoAdder(paths));
  return card;
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

/** Per kind; the details below include all. */
const MAX_WAYS = 3;

/** Only addresses are longer. */
const MAX_WAY_LENGTH = 300;

/** Numbers that no one answers. */
const MACHINES = ["fax", "pager"];

/** Preferred ones first, then older ones. @param {readonly any[]} details */
function reachList(details) {
  const found = ["PHONE", "EMAIL", "ADDRESS"].flatMap((wanted) => {
    const ofKind = details.toReversed().filter(({ kind }) => kind === wanted)
      .sort((one, other) => Number(other.preferred) - Number(one.preferred));
    const ways = ofKind.flatMap((detail) => wayOf(detail) ?? []);
    const isFirst = (/** @type {Way} */ { text }, /** @type {number} */ at) =>
      ways.findIndex((other) => other.text === text) === at;
    return ways.filter(isFirst).slice(0, MAX_WAYS);
  });
  if (found.length === 0) return null;
  const show = () => h("ul.reach", found.map(wayLine));
  return isVeiling() ? veiled(t("waysToReach"), show) : show();
}

/** Null if it leads nowhere. @param {any} detail @returns {Way | null} */
function wayOf(detail) {
  const { kind, value } = detail;
  const whole = detailText(detail);
  const text = shortText(whole, MAX_WAY_LENGTH);
  if (kind !== "PHONE") {
    const isMail = kind === "EMAIL";
    const href = isMail ? mailHref(whole) : placeHref(whole);
    const name = isMail ? t("mailAddress", { address: text }) : t("mapPlace", { place: text });
    return href === null
      ? null
      : { text, links: [{ href, word: t(isMail ? "mail" : "map"), name }] };
  }
  const isMachine = MACHINES.some((type) => value.types?.includes(type));
  const number = isMachine ? null : dialled(whole);
  if (number === null) return null;
  const call = { href: `tel:${number}`, word: t("call"), name: t("callNumber", { number: text }) };
  const name = t("messageNumber", { number: text });
  return { text, links: [call, { href: `sms:${number}`, word: t("message"), name }] };
}

/** @param {Way} way */
function wayLine({ text, links }) {
  const chips = links.map(({ href, word, name }) =>
    h("a.chip", { href, "aria-label": name }, word)
  );
  return h("li", h("span.words", text), h("span.bar", chips));
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

/** A note is an experience, as the notes of address books are. @param {Paths} paths */
function noteForm({ api }) {
  const field = linesField({ name: "note", label: t("note"), sensitive: true, required: true });
  const sendNote = repeatable();
  const path = `${api}/experiences`;
  /** Repetitions have the same one, so that the note is stored once. */
  let occurredAt = "";
  return lineForm(field, t("addNote"), async () => {
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
