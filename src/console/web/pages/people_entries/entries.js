/** Entries of a person. */

import { askButton } from "../../core/acts/buttons.js";
import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label, labelled } from "../../core/names.js";
import { choiceField } from "../../fields/controls/choices.js";
import { ago, veiled } from "../../fields/shown/files.js";
import { dayText, sinceDayText, statedText, timeText } from "../../fields/shown/times.js";
import { detailText } from "./details.js";
import { PRIVACY } from "./ledgers.js";

/**
 * Retracts or replaces a permanent entry, or raises its privacy.
 * @param {any} entry
 * @param {EntryControls} place
 */
export function entryControls(entry, { api, id, when }) {
  const hasLevels = entry.effectivePrivacy !== undefined;
  const isLive = entry.state === "LIVE";
  const higher = PRIVACY.slice(PRIVACY.indexOf(entry.effectivePrivacy) + 1);
  const act = (/** @type {string} */ word, /** @type {string} */ done) => ({
    path: `${api}/${id}/control`,
    name: word,
    label: `${word}: ${when}`,
    title: word,
    done,
  });
  const buttons = [
    isLive && askButton(
      { ...act(t("retract"), t("retracted")), text: t("retractText"), isGrave: true },
      () => [],
      () => ({ kind: "RETRACTED" }),
    ),
    isLive && hasLevels && askButton(
      { ...act(t("supersede"), t("superseded")), text: t("supersedeText") },
      async () => {
        const row = { name: "supersededBy", label: t("supersededBy"), required: true };
        return [choiceField(row, await otherEntries(api, id, entry.kind))];
      },
      (texts) => ({ kind: "SUPERSEDED", ...texts }),
    ),
    hasLevels && higher.length > 0 && askButton(
      { ...act(t("raisePrivacy"), t("kept")), text: t("raisePrivacyText") },
      () => {
        const row = { name: "privacy", label: label("privacy"), required: true };
        return [choiceField(row, labelled(higher))];
      },
      (texts) => ({ kind: "PRIVACY_RECLASSIFIED", ...texts }),
    ),
  ].filter((button) => button !== false);
  return buttons.length > 0 && h("div.bar.small", buttons);
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
  const facts = [
    place.isNamed && ledger.one,
    ...ledger.facts(entry),
    level !== "NORMAL" && label(level),
    state !== "LIVE" && label(state),
  ].filter(Boolean);
  const exactText = statedText(entry);
  const time = at === null ? ledger.facts(entry)[0] ?? "" : exactText(at);
  const when = `${time} (${index + 1})`;
  return h(
    "li",
    h("p.quiet.small", at !== null && [ago(at, sinceDayText, exactText), " · "], facts.join(" · ")),
    shownWords(ledger, entry, level !== "NORMAL", `${ledger.one}, ${when}`),
    place.isOpen && entryControls(entry, { ...place, id: entry[ledger.idName], when }),
  );
}

/** @param {Ledger} ledger @param {any} entry @param {boolean} isVeiled @param {string} name */
function shownWords(ledger, entry, isVeiled, name) {
  if (entry.redacted) return h("p.quiet", t("hidden"));
  const [heading, words] = [ledger.heading?.(entry), ledger.words(entry)];
  if (heading === undefined && words === null) return null;
  // A line lays out bare text as its title, so it is wrapped.
  const show = () => h("div", h("div.words", heading && h("p", h("strong", heading)), words));
  return isVeiled ? veiled(name, show) : show();
}

/** @param {any} entry */
export function timelineLine({ kind, occurredAt, recordedAt }) {
  const at = occurredAt ?? recordedAt;
  // An experience may state only its day.
  const exactText = kind === "EXPERIENCE_RECORDED" ? dayText : timeText;
  const what = ` · ${t(HAPPENED[kind] ?? kind)}`;
  return h("li", h("p.quiet.small", ago(at, sinceDayText, exactText), what));
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
 * Possible replacements: the newest hundred of the same kind that have not ended.
 * @param {string} api
 * @param {string} id
 * @param {string | undefined} kind Undefined for evidence.
 */
async function otherEntries(api, id, kind) {
  const { items } = await get(`${api}?limit=100`);
  const isEvidence = kind === undefined;
  const idName = isEvidence ? "evidenceId" : "detailId";
  const others = items.filter((entry) =>
    entry.state === "LIVE" && entry.kind === kind && entry[idName] !== id
  );
  return others.map((entry) => {
    const { effectivePrivacy: privacy, redacted, content, recordedAt } = entry;
    // Keeps hidden text hidden.
    const isShown = isEvidence ? privacy === "NORMAL" : !redacted && privacy !== "SECRET";
    return {
      value: entry[idName],
      label: isShown
        ? [...isEvidence ? content : detailText(entry)].slice(0, MAX_NAME_LENGTH).join("")
        : `${label(privacy)}, ${timeText(recordedAt)}`,
    };
  });
}
