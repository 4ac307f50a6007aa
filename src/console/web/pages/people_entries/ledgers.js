/** Contacts, experiences and evidence. */

import { t } from "../../core/base/language.js";
import { label } from "../../core/names.js";
import { needed, optional } from "../../fields/shown/texts.js";
import { thisMinute } from "../../fields/shown/times.js";

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

/** The title of an experience that address books call a note. */
export const NOTE_TITLE = "Note";

export const PRIVACY = ["NORMAL", "PRIVATE", "SECRET"];

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
        needed("title", "text", { sensitive: true, maximumLength: 200 }),
        optional("narrative", "textarea", { sensitive: true }),
        needed("timePrecision", "select", { options: PRECISIONS }),
        optional("occurredAt", "datetime", { hint: t("occurredAtHint") }),
        optional("timeText", "text", { hint: t("timeTextHint"), sensitive: true }),
        privacy,
      ],
      first: { timePrecision: "DAY", privacy: "NORMAL" },
      at: ({ occurredAt }) => occurredAt,
      heading: ({ title }) => title === NOTE_TITLE ? t("note") : title,
      words: ({ narrative }) => narrative,
      // The date shows the precision of others.
      facts: ({ timeText: time, occurredAt: at, timePrecision }) => [
        time,
        at === null ? label(timePrecision) : null,
      ],
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
