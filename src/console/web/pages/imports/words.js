/** Texts for the names of imports. */

import { counted } from "../../fields/shown.js";
import { t } from "../../core/base.js";
import { label } from "../../core/names.js";

const FORMATS = /** @type {const} */ ({
  "day-one": "formatDayOne",
  markdown: "formatMarkdown",
  csv: "formatCsv",
  "prs-items": "formatItems",
  vcard: "formatVcard",
  "monica-4": "formatMonica",
});

const STATES = /** @type {const} */ ({
  RECEIVED: "importReading",
  READING: "importReading",
  REFUSED: "importRefused",
  PLANNED: "importPlanned",
  RUNNING: "importGoing",
  STOPPED: "importStopped",
  DONE: "importDone",
  WITHDRAWING: "importWithdrawing",
  WITHDRAWN: "importWithdrawn",
});

const RULES = /** @type {const} */ ({
  "attachment.kept": "ruleAttachmentKept",
  "attachment.missing": "ruleAttachmentMissing",
  "front_matter.unread": "ruleFrontMatter",
  "import.archived_here": "ruleArchivedHere",
  "import.changed_since": "ruleChangedSince",
  "import.date": "ruleDate",
  "import.edited_here": "ruleEditedHere",
  "import.left": "ruleLeft",
  "import.made_before": "ruleMadeBefore",
  "import.target": "ruleTarget",
  "tag.inactive": "ruleTagInactive",
  "tag.in_use": "ruleTagInUse",
  "tag.invalid": "ruleTagInvalid",
  "tag.joined": "ruleTagJoined",
});

/** @param {string} format */
export function formatText(format) {
  const name = FORMATS[/** @type {keyof typeof FORMATS} */ (format)];
  return name === undefined ? format : t(name);
}

/** @param {string} state */
export function stateText(state) {
  const name = STATES[/** @type {keyof typeof STATES} */ (state)];
  return name === undefined ? state : t(name);
}

/** A rule, and how many it concerns. @param {{ rule: string, count: number }} counts */
export function ruleText({ rule, count }) {
  const name = RULES[/** @type {keyof typeof RULES} */ (rule)];
  return `${counted(count, "oneItem", "items")}: ${name === undefined ? rule : t(name)}`;
}

/** @param {string} target */
export function targetText(target) {
  return target === "unknown" ? t("unknownTarget") : label(target === "tag" ? "TAG" : target);
}
