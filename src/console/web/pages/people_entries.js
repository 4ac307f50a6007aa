/** Details of people and entries about them: texts, lines, controls. */

import { askButton } from "../core/acts.js";
import { get, h, t } from "../core/base.js";
import { label, labelled } from "../core/names.js";
import { choiceField } from "../fields/controls.js";
import {
  ago,
  counted,
  dayText,
  formatTime,
  needed,
  optional,
  parts,
  sinceDayText,
  thisMinute,
  timeText,
  veiled,
} from "../fields/shown.js";
import { instantOf } from "../logic/local_time.js";

const PAGE = /^(?:https?:\/\/|www\.)\S+$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const NUMBER = /^[+()\d][\d\s().\/-]*$/;

/** Detects the kind by the form of the text. @param {string} text */
export function guessDetail(text) {
  const value = text.trim();
  if (EMAIL.test(value)) return { kind: "EMAIL", value: { value } };
  if (PAGE.test(value)) return { kind: "URL", value: { value } };
  return { kind: NUMBER.test(value) ? "PHONE" : "HANDLE", value: { value } };
}

const NAME = ["prefix", "given", "additional", "family", "suffix"];
const ADDRESS = ["extra", "street", "box", "postalCode", "locality", "region", "country"];

/** @param {{ kind: string, value: any }} detail */
export function detailText({ kind, value }) {
  switch (kind) {
    case "NAME":
      return [...NAME, "nickname", "phonetic"].flatMap((name) => value[name] ?? []).join(" ");
    case "ADDRESS":
      return ADDRESS.flatMap((name) => value[name] ?? []).join(", ");
    case "ORGANIZATION":
      return [value.title, value.department, value.name].filter(Boolean).join(", ");
    case "DATE":
      return value.date;
    case "LINK":
      return value.name ?? "";
    case "HANDLE":
      return value.service === undefined ? value.value : `${value.value} (${value.service})`;
    default:
      return value.value;
  }
}

/**
 * Full years since a date; null without a year, or before it.
 * @param {string} date `1984-02-29`, `--02-29` or `1984`.
 * @param {string} day `YYYY-MM-DD`
 */
export function yearsBetween(date, day) {
  const [, year, rest = ""] = /^(\d{4})(?:-(\d\d-\d\d))?$/.exec(date) ?? [];
  if (year === undefined) return null;
  const years = Number(day.slice(0, 4)) - Number(year) - (day.slice(5) < rest ? 1 : 0);
  return years < 0 ? null : years;
}

/** With the years since then. @param {string} date */
export function dateText(date) {
  const years = yearsBetween(date, new Date().toISOString().slice(0, 10));
  return years === null ? detailDay(date) : `${detailDay(date)} (${counted(years, "manyYears")})`;
}

/** @param {string} date */
function detailDay(date) {
  if (/^\d{4}$/.test(date)) return date;
  const isYearly = date.startsWith("--");
  const day = new Date(`${isYearly ? `2000${date.slice(1)}` : date}T00:00:00Z`);
  const year = isYearly ? undefined : "numeric";
  return formatTime(day, { day: "numeric", month: "long", year, timeZone: "UTC" });
}

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
export function contactParts({ lastContactAt, createdAt, status, ...person }) {
  const days = person.desiredContactIntervalDays;
  const isWanted = days !== null && status === "ACTIVE";
  const isLate = Date.now() - instantOf(lastContactAt ?? createdAt) > days * 86_400_000;
  return [
    ...lastContactAt === null
      ? [t("noContactYet")]
      : parts("lastContact", { time: ago(lastContactAt, sinceDayText) }),
    isWanted && ", ",
    isWanted &&
    h(isLate ? "span.late" : "span", days === 1 ? t("wantedDaily") : t("wantedEvery", { days })),
  ];
}

export const PEOPLE = "/console/people";

export const PEOPLE_API = "/api/v2/relationship/people";

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${PEOPLE}/${id}`, api: `${PEOPLE_API}/${id}` };
}

/** Archived and sealed people accept no entries. @param {any} person */
export function isOpen({ status }) {
  return status === "ACTIVE" || status === "PAUSED";
}

const PRIVACY = ["NORMAL", "PRIVATE", "SECRET"];

const PRECISIONS = ["EXACT", "DAY", "MONTH", "SEASON", "YEAR", "DECADE", "LIFE_PERIOD", "UNKNOWN"];

/** Append-only ledgers. @returns {Readonly<Record<LedgerName, Ledger>>} */
export function ledgers() {
  const privacy = needed("privacy", "select", { options: PRIVACY, hint: t("entryPrivacyHint") });
  return {
    contacts: {
      title: t("contacts"),
      one: t("contact"),
      idName: "contactId",
      add: t("addContact"),
      fields: [
        needed("contactedAt", "datetime"),
        needed("channel", "select", {
          options: ["IN_PERSON", "CALL", "VIDEO", "MESSAGE", "EMAIL", "LETTER", "OTHER"],
        }),
        needed("direction", "select", { options: ["OUTGOING", "INCOMING", "MUTUAL"] }),
        optional("note", "textarea", { sensitive: true }),
        privacy,
      ],
      first: { contactedAt: thisMinute(), direction: "MUTUAL", privacy: "NORMAL" },
      at: ({ contactedAt }) => contactedAt,
      words: ({ note }) => note,
      facts: ({ channel, direction }) => [label(channel), label(direction)],
    },
    experiences: {
      title: t("experiences"),
      one: t("experience"),
      idName: "experienceId",
      add: t("addExperience"),
      fields: [
        needed("title", "text", { sensitive: true }),
        optional("narrative", "textarea", { sensitive: true }),
        needed("timePrecision", "select", { options: PRECISIONS }),
        optional("occurredAt", "datetime", { hint: t("occurredAtHint") }),
        optional("timeText", "text", { hint: t("timeTextHint"), sensitive: true }),
        privacy,
      ],
      first: { timePrecision: "DAY", privacy: "NORMAL" },
      at: ({ occurredAt }) => occurredAt,
      heading: ({ title }) => title,
      words: ({ narrative }) => narrative,
      facts: ({ timeText: time, timePrecision }) => [time, label(timePrecision)],
    },
    evidence: {
      title: t("evidenceLedger"),
      one: t("pieceOfEvidence"),
      idName: "evidenceId",
      add: t("addEvidence"),
      fields: [
        needed("stance", "select", { options: ["SUPPORTING", "COUNTER"] }),
        needed("content", "textarea", { sensitive: true }),
        needed("sourceKind", "select", {
          options: ["OBSERVATION", "MESSAGE", "RECORD", "THIRD_PARTY", "OTHER"],
        }),
        optional("sourceRef", "text", { hint: t("sourceRefHint") }),
        privacy,
        needed("providerConsent", "boolean", { hint: t("consentHint") }),
      ],
      first: { sourceKind: "OBSERVATION", privacy: "NORMAL", providerConsent: "false" },
      at: ({ recordedAt }) => recordedAt,
      words: ({ content }) => content,
      facts: ({ stance, sourceKind }) => [label(stance), label(sourceKind)],
    },
  };
}

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
  const exactText = (entry.timePrecision ?? "EXACT") === "EXACT" ? timeText : dayText;
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
  return h("li", h("p.quiet.small", ago(at, sinceDayText), ` · ${t(HAPPENED[kind] ?? kind)}`));
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
