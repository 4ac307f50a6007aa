/** Append-only ledgers: contacts, experiences, evidence. */

import { t } from "../../core/base.js";
import { needed, optional } from "../../fields/shown.js";
import { label } from "../../core/names.js";

export const PRIVACY = ["NORMAL", "PRIVATE", "SECRET"];
const PRECISIONS = ["EXACT", "DAY", "MONTH", "SEASON", "YEAR", "DECADE", "LIFE_PERIOD", "UNKNOWN"];

/** @returns {Readonly<Record<LedgerName, Ledger>>} */
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
      first: () => ({ contactedAt: thisMinute(), direction: "MUTUAL", privacy: "NORMAL" }),
      at: ({ contactedAt }) => contactedAt,
      heading: () => "",
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
      first: () => ({ timePrecision: "DAY", privacy: "NORMAL" }),
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
      first: () => ({ sourceKind: "OBSERVATION", privacy: "NORMAL", providerConsent: "false" }),
      at: ({ recordedAt }) => recordedAt,
      heading: () => "",
      words: ({ content }) => content,
      facts: ({ stance, sourceKind }) => [label(stance), label(sourceKind)],
    },
  };
}

/** Seconds would be too precise. */
export function thisMinute() {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
}
