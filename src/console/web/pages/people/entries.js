/** Entries about a person: lines, controls, timeline. */

import { askButton } from "../../core/acts.js";
import { h, notLoaded, send, t, timeText } from "../../core/base.js";
import { label } from "../../core/names.js";
import { choiceField } from "../../fields/controls.js";
import { ago, sinceDayText, veiled } from "../../fields/shown.js";
import { listPage } from "../list_page.js";
import { PRIVACY } from "./ledger_kinds.js";
import { pathsOf } from "./person_paths.js";

/** Retracts or replaces a permanent entry, or raises its privacy. */

/**
 * @param {Session} session
 * @param {any} entry
 * @param {EntryPlace & { id: string, when: string }} place
 */
export function entryControls(session, entry, { name, api, page, id, when }) {
  const hasLevels = name === "evidence" || name === "details";
  const isLive = entry.state === "LIVE";
  const higher = PRIVACY.slice(PRIVACY.indexOf(entry.effectivePrivacy) + 1);
  const act = (/** @type {string} */ word, /** @type {string} */ done) => ({
    path: `${api}/${id}/control`,
    name: word,
    label: `${word}: ${when}`,
    title: word,
    done,
    page,
  });
  const retract = () =>
    askButton(
      session,
      { ...act(t("retract"), t("retracted")), text: t("retractText"), isGrave: true },
      () => [],
      () => ({ kind: "RETRACTED" }),
    );
  const supersede = () =>
    askButton(
      session,
      { ...act(t("supersede"), t("superseded")), text: t("supersedeText") },
      async () => {
        const { otherEntries } = await import("./other_entries.js").catch(notLoaded);
        const choices = await otherEntries(api, id, entry.kind);
        return [
          choiceField({ name: "supersededBy", label: t("supersededBy"), required: true }, choices),
        ];
      },
      ({ supersededBy }) => ({ kind: "SUPERSEDED", supersededBy }),
    );
  const guard = () =>
    askButton(
      session,
      { ...act(t("raisePrivacy"), t("kept")), text: t("raisePrivacyText") },
      () => [choiceField(
        { name: "privacy", label: label("privacy"), required: true },
        higher.map((value) => ({ value, label: label(value) })),
      )],
      ({ privacy }) => ({ kind: "PRIVACY_RECLASSIFIED", privacy }),
    );
  const buttons = [
    isLive && retract(),
    hasLevels && isLive && supersede(),
    hasLevels && higher.length > 0 && guard(),
  ].filter((button) => button !== false);
  return buttons.length > 0 && h("div.bar.small", buttons);
}

/**
 * @param {Session} session
 * @param {Ledger} ledger
 * @param {any} entry
 * @param {EntryPlace} place
 * @param {number} index In the list: buttons are named by time and index, as times may be equal.
 */
export function entryLine(session, ledger, entry, place, index) {
  const { effectivePrivacy: level = entry.privacy, state = "LIVE" } = entry;
  const at = ledger.at(entry);
  const facts = [
    place.isNamed ? ledger.one : null,
    ...ledger.facts(entry),
    level === "NORMAL" ? null : label(level),
    state === "LIVE" ? null : label(state),
  ].filter((fact) => fact !== null);
  const time = at === null ? ledger.facts(entry)[0] ?? "" : timeText(at);
  const when = `${time} (${index + 1})`;
  return h(
    "li",
    h(
      "p.quiet.small",
      at !== null && ago(at, sinceDayText),
      at !== null && " · ",
      facts.join(" · "),
    ),
    shownWords(ledger, entry, level !== "NORMAL", `${ledger.one}, ${when}`),
    place.isOpen && entryControls(session, entry, { ...place, id: entry[ledger.idName], when }),
  );
}

/** @param {Ledger} ledger @param {any} entry @param {boolean} isVeiled @param {string} what */
function shownWords(ledger, entry, isVeiled, what) {
  if (entry.redacted) return h("p.quiet", t("hidden"));
  const [heading, words] = [ledger.heading(entry), ledger.words(entry)];
  if (heading === "" && words === null) return null;
  // A line lays out bare text as its title, so it is wrapped.
  const show = () =>
    h("div", h("div.words", heading !== "" && h("p", h("strong", heading)), words));
  return isVeiled ? veiled(what, show) : show();
}

/** @type {Page} */
export default async function timeline({ params, query }) {
  const { page, api } = pathsOf(params.id);
  const { data: person } = await send("GET", api);
  return await listPage(query, {
    title: t("timeline"),
    page: `${page}/timeline`,
    api: `${api}/timeline`,
    none: t("noneYet"),
    isLong: true,
    beside: [h("a.words", { href: page }, person.personName)],
    line: timelineLine,
  });
}

/** @param {any} entry */
export function timelineLine({ kind, occurredAt, recordedAt }) {
  const at = occurredAt ?? recordedAt;
  return h(
    "li",
    h("p.quiet.small", ago(at, sinceDayText), ` · ${kindText(kind)}`),
  );
}

/** @param {string} kind */
export function kindText(kind) {
  const sentences = /** @type {const} */ ({
    CONTACT_RECORDED: "contact",
    CONTACT_RETRACTED: "contactRetracted",
    EXPERIENCE_RECORDED: "experience",
    STATUS_CHANGED: "statusChanged",
    EVALUATION_CONFIRMED: "evaluationConfirmed",
  });
  return t(sentences[/** @type {keyof typeof sentences} */ (kind)]);
}
