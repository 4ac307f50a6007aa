/** The line above a list, and in Add. */

import { announce, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { modulePath, recordPath } from "../../core/names.js";
import { resumeLines, sendLine, sentenceOf } from "../../core/browser_outbox/sent_line.js";
import { AddLine } from "./line.js";
import { isSensitive, writesOf } from "./writes.js";

/** The permission that a new record needs, if it is not `record.write`. @type {Texts} */
const PERMISSIONS = {
  relationship: "relationship.person.write",
  memory: "memory.write",
  decision: "decision.write",
  taxonomy: "taxonomy.write",
};

/** The member of an answer that identifies it, if it is not `recordId`. @type {Texts} */
const IDS = {
  relationship: "personId",
  memory: "memoryId",
  decision: "decisionId",
  taxonomy: "termId",
};

/** @param {string} list */
export function mayAdd(list) {
  return may(PERMISSIONS[list] ?? "record.write");
}

/** The list of the present page. @type {ShownList | null} */
let present = null;

/**
 * The line above a list; false if the person may not add to it.
 * @param {LinePlace} place @param {MadeIn} made
 */
export function listLine(place, made) {
  if (!mayAdd(place.list)) return false;
  const send = (/** @type {EnteredLine} */ entered) => sendTo(shown, entered);
  const line = new AddLine({ place: () => place, send });
  /** @type {PutBack} */
  const putBack = (...words) => line.putBack(...words);
  const shown = { ...place, ...made, putBack };
  present = shown;
  void resumeLines(partsOf(shown));
  return line.element;
}

/**
 * Sends a line of Add, and shows it in a message and in the page's list of its kind.
 * @param {string} list @param {EnteredLine} entered
 */
export function sendAdded(list, entered) {
  const linkTo = (/** @type {any} */ made) => {
    const path = recordPath(list, made[IDS[list] ?? "recordId"]);
    return h("li", t("justAdded"), " ", link(path, entered.understood.title, "words"));
  };
  if (present?.list === list && present.lines.isConnected) {
    const shown = present;
    const lineOf = (/** @type {any} */ made) => {
      // After the message that it was saved.
      queueMicrotask(() => announce(h("ul", linkTo(made))));
      return shown.lineOf(made);
    };
    return sendTo({ ...shown, lineOf }, entered);
  }
  const lines = h("ul");
  const lineOf = (/** @type {any} */ made) => {
    // The message stays for a while after it was saved.
    announce(lines);
    return linkTo(made);
  };
  announce(lines);
  sendTo({ list, lines, lineOf, putBack: null }, entered);
}

/** @param {ShownList} shown @param {EnteredLine} entered */
function sendTo(shown, { understood, text, files }) {
  const { title, records } = understood;
  sendLine({
    title,
    words: text,
    writes: writesOf(records),
    brief: isSensitive(shown.list),
    ...partsOf(shown, files),
  });
}

/** @param {ShownList} shown @param {readonly FileName[]} [files] */
function partsOf({ list, lines, lineOf, putBack }, files) {
  return {
    page: modulePath(list),
    list: lines,
    // A person's details have no lines.
    made: (/** @type {readonly any[]} */ answers) =>
      joined((list === "relationship" ? answers.slice(0, 1) : answers).map(lineOf)),
    refused: (
      /** @type {import("../../core/base/api.js").ApiError} */ error,
      /** @type {string} */ words,
    ) => {
      if (putBack !== null) return putBack(words, sentenceOf(error), files);
      // Stays in Drafts until the list is opened.
      announce(sentenceOf(error));
      return false;
    },
  };
}

/** @param {readonly Element[]} lines @returns {any} */
function joined(lines) {
  const [only, ...others] = lines;
  if (only !== undefined && others.length === 0) return only;
  const fragment = document.createDocumentFragment();
  fragment.append(...lines);
  return fragment;
}
