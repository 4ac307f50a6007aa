/** Entries of a person. */

import { askButton, button } from "../../core/acts/buttons.js";
import { withSession } from "../../core/acts/password.js";
import { repeatable } from "../../core/acts/texts.js";
import { announceChange } from "../../core/base/changes.js";
import { announce, h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label, labelled } from "../../core/names.js";
import { choiceField } from "../../fields/controls/choices.js";
import { ask, row } from "../../fields/controls/forms.js";
import { dateBlock, kindSymbol } from "../../fields/shown/anchors.js";
import { ago, veiled } from "../../fields/shown/files.js";
import { optional } from "../../fields/shown/texts.js";
import { dayText, sinceDayText, statedText, timeText } from "../../fields/shown/times.js";
import { shownValue } from "../../fields/shown/values.js";
import { statedDay } from "../../logic/local_time.js";
import { menuButton } from "../parts/menu.js";
import { PRIVACY } from "./ledgers.js";

/**
 * The menu that retracts or replaces a permanent entry, or raises its privacy.
 * @param {any} entry
 * @param {EntryControls} place
 */
function entryControls(entry, place) {
  const isLive = entry.state === "LIVE";
  const hasLevels = entry.effectivePrivacy !== undefined;
  const buttons = [
    isLive && retractButton(place),
    isLive && hasLevels && replaceButton(place),
    hasLevels && privacyButton(entry, place),
  ].flatMap((act) => act || []);
  const name = t("moreOf", { value: place.when });
  return buttons.length === 0 ? [] : menuButton(icon("actions"), name, buttons);
}

/** @type {(place: EntryControls, word: string, done: string) => Act & Asked} */
function controlOf({ api, id, when }, word, done) {
  return {
    path: `${api}/${id}/control`,
    name: word,
    label: `${word}: ${when}`,
    title: word,
    done,
  };
}

/** @param {EntryControls} place */
export function retractButton(place) {
  const act = controlOf(place, t("retract"), t("retracted"));
  return askButton(
    { ...act, text: t("retractText") },
    () => [],
    () => ({ kind: "RETRACTED" }),
  );
}

/** @param {EntryControls} place */
function replaceButton(place) {
  const act = controlOf(place, t("supersede"), t("superseded"));
  const sendAct = repeatable();
  return button(act, async () => {
    const others = await otherEvidence(place);
    if (others.length === 0) {
      announce(t("nothingToReplace"));
      return false;
    }
    const row = { name: "supersededBy", label: t("supersededBy"), required: true };
    const field = choiceField(row, others);
    const question = { title: act.title, text: t("supersedeText"), action: act.name };
    return await ask({ ...question, fields: [field] }, async () => {
      const body = { kind: "SUPERSEDED", supersededBy: field.text() };
      await withSession(() => sendAct("POST", act.path, { body }));
      announceChange(act.path);
    });
  });
}

/** Null if it has the highest level. @param {any} entry @param {EntryControls} place */
export function privacyButton(entry, place) {
  const higher = PRIVACY.slice(PRIVACY.indexOf(entry.effectivePrivacy) + 1);
  const act = controlOf(place, t("raisePrivacy"), t("kept"));
  return higher.length === 0 ? null : askButton(
    { ...act, text: t("raisePrivacyText") },
    () => {
      const row = { name: "privacy", label: label("privacy"), required: true };
      return [choiceField(row, labelled(higher))];
    },
    (texts) => ({ kind: "PRIVACY_RECLASSIFIED", ...texts }),
  );
}

/**
 * @param {Ledger} ledger
 * @param {any} entry
 * @param {EntryPlace} place
 * @param {number} index In the list: buttons are named by time and index, as times may be equal.
 */
export function entryLine(ledger, entry, place, index) {
  const { effectivePrivacy: level = entry.privacy, state = "LIVE" } = entry;
  const at = ledger.at(entry);
  const exactText = statedText(entry);
  const time = at === null ? ledger.facts(entry)[0] ?? "" : exactText(at);
  const when = `${time} (${index + 1})`;
  const heading = ledger.heading?.(entry);
  const isVeiled = level !== "NORMAL" && !place.isFresh;
  const isHidden = isVeiled && heading !== t("note");
  const [first, ...others] = [heading && isHidden ? ledger.one : heading, ...ledger.facts(entry)]
    .filter(Boolean);
  const facts = [
    place.isNamed && first !== ledger.one && ledger.one,
    ...others,
    level !== "NORMAL" && label(level),
    state !== "LIVE" && label(state),
    at !== null && ago(at, sinceDayText, exactText),
  ];
  return h(
    "li.top",
    entryDate(at, entry.timePrecision),
    h(
      "div",
      h("div", { class: heading !== undefined && !isHidden && "words" }, first),
      h("div.quiet.small", dotted(facts)),
      shownWords(ledger, entry, isVeiled, `${ledger.one}, ${when}`),
    ),
    place.isOpen &&
      h("span.acts", entryControls(entry, { ...place, id: entry[ledger.idName], when })),
  );
}

/** @type {(at: string | null, precision?: string | null) => Element} */
export function entryDate(at, precision) {
  const timePrecision = precision ?? "EXACT";
  const day = at === null ? null : statedDay({ timePrecision, timeRange: null, occurredAt: at });
  if (day === null || !(timePrecision in BLOCKS)) return kindSymbol("timeline");
  return dateBlock(day, BLOCKS[timePrecision]);
}

/** @type {Readonly<Record<string, "day" | "month" | "year">>} */
const BLOCKS = { EXACT: "day", DAY: "day", MONTH: "month", SEASON: "year", YEAR: "year" };

/** @param {readonly Child[]} facts */
function dotted(facts) {
  return facts.filter(Boolean).flatMap((fact, at) => at === 0 ? [fact] : [" · ", fact]);
}

/** @param {Ledger} ledger @param {any} entry @param {boolean} isVeiled @param {string} name */
function shownWords(ledger, entry, isVeiled, name) {
  if (entry.redacted) return h("p.quiet", t("hidden"));
  const [heading, words] = [ledger.heading?.(entry), ledger.words(entry)];
  if (words === null && (heading === undefined || !isVeiled)) return null;
  const show = () =>
    h(
      "div",
      h("div.words", isVeiled && heading && h("p", h("strong", heading)), words),
      entry.sourceRef &&
        h("p.quiet", label(SOURCE.name), ": ", shownValue(SOURCE, entry.sourceRef)),
    );
  return isVeiled ? veiled(name, show) : show();
}

/** The record that evidence is from. */
const SOURCE = optional("sourceRef", "text");

/** @param {any} entry */
export function timelineLine({ kind, occurredAt, recordedAt }) {
  const at = occurredAt ?? recordedAt;
  // An experience may state only its day.
  const exactText = kind === "EXPERIENCE_RECORDED" ? dayText : timeText;
  return row({
    anchor: entryDate(at, kind === "EXPERIENCE_RECORDED" ? "DAY" : "EXACT"),
    name: t(HAPPENED[kind] ?? kind),
    facts: [ago(at, sinceDayText, exactText)],
  });
}

/** @type {ChangeNames} */
export const HAPPENED = {
  CONTACT_RECORDED: "contact",
  CONTACT_RETRACTED: "contactRetracted",
  EXPERIENCE_RECORDED: "experience",
  STATUS_CHANGED: "statusChanged",
  EVALUATION_CONFIRMED: "evaluationConfirmed",
};

const MAX_NAME_LENGTH = 60;

/**
 * Possible replacements: those of the newest hundred that have not ended.
 * @param {EntryControls} place
 */
async function otherEvidence({ api, id }) {
  const { items } = await get(`${api}?limit=100`);
  const others = items.filter((entry) => entry.state === "LIVE" && entry.evidenceId !== id);
  return others.map(({ evidenceId, effectivePrivacy: privacy, content, recordedAt }) => ({
    value: evidenceId,
    // Keeps hidden text hidden.
    label: privacy === "NORMAL"
      ? [...content].slice(0, MAX_NAME_LENGTH).join("")
      : `${label(privacy)}, ${timeText(recordedAt)}`,
  }));
}
