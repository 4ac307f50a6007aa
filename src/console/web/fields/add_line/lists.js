/** The line above a list, and in Add. */

import { announce, h, link } from "../../core/base/elements.js";
import { loadArea, t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { modulePath, recordPath } from "../../core/names.js";
import { resumeLines, sendLine, sentenceOf } from "../../core/browser_outbox/sent_line.js";
import { addLine } from "./line.js";
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

/** The list of the present page. @type {(LinePlace & MadeIn) | null} */
let present = null;

/**
 * The line above a list; false if the person may not add to it.
 * @param {LinePlace} place @param {MadeIn} made
 */
export async function listLine(place, { lines, lineOf }) {
  if (!mayAdd(place.list)) return false;
  await loadArea("add_line");
  const made = { ...place, lines, lineOf };
  present = made;
  const line = addLine({ place: () => place, send: (entered) => sendTo(made, entered) });
  void resumeLines(partsOf(made, line.putBack));
  return line.element;
}

/**
 * Sends a line of Add. It stands in the page's list of its kind, and in a message.
 * @param {string} list @param {EnteredLine} entered
 */
export function sendAdded(list, entered) {
  if (present?.list === list && present.lines.isConnected) return sendTo(present, entered);
  const lines = h("ul.plain");
  const lineOf = (/** @type {any} */ made) => {
    // The message stays for a while after it is saved.
    announce(lines);
    const path = recordPath(list, made[IDS[list] ?? "recordId"]);
    return h("li", t("justAdded"), " ", link(path, entered.understood.title, "words"));
  };
  announce(lines);
  sendTo({ list, lines, lineOf }, entered);
}

/** @param {LinePlace & MadeIn} made @param {EnteredLine} entered */
function sendTo(made, { understood, text, putBack }) {
  const { title, records } = understood;
  sendLine({
    title,
    words: text,
    writes: writesOf(records),
    brief: isSensitive(made.list),
    ...partsOf(made, putBack),
  });
}

/** @param {LinePlace & MadeIn} made @param {PutBack} putBack */
function partsOf({ list, lines, lineOf }, putBack) {
  return {
    page: modulePath(list),
    list: lines,
    // A person's details have no lines.
    made: (/** @type {readonly any[]} */ answers) =>
      joined((list === "relationship" ? answers.slice(0, 1) : answers).map(lineOf)),
    refused: (
      /** @type {import("../../core/base/api.js").ApiError} */ error,
      /** @type {string} */ words,
    ) => putBack(words, sentenceOf(error)),
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
