/**
 * The add line: a typed text as the records that it makes, in the language of the page.
 *
 * `understand("action", "Buy paint tomorrow", options)` returns the title (in health `notes` are
 * apart), `parts` with the words that each was read from (null if nothing was typed for it), and
 * `records`: the bodies of POST requests, and the details of a person, which are sent to
 * `{path}/{id}/details`. With a `problem`, the name of a sentence, there are no records. `form` is
 * filled instead if the text is not enough for a decision. Words in `kept` stay text.
 */

import { hex } from "../../core/base/keys.js";
import { lookUp } from "../entered/calendar_words.js";
import { deviceZone } from "../local_time.js";
import { clockOfNow } from "./calendar.js";
import { understandHealth } from "./health.js";
import { understandMemory, understandTimeline } from "./lives.js";
import {
  understandCapture,
  understandDecision,
  understandKnowledge,
  understandName,
  understandPerson,
  understandTag,
} from "./others.js";
import { understandAction, understandCommitment, understandRoutine } from "./plans.js";

/** By the code of the list's module. @type {Readonly<Record<string, UnderstandLine>>} */
const LINES = {
  action: understandAction,
  commitment: understandCommitment,
  routine: understandRoutine,
  health: understandHealth,
  relationship: understandPerson,
  memory: understandMemory,
  timeline: understandTimeline,
  knowledge: understandKnowledge,
  decision: understandDecision,
  place: understandName("place", "placeName", "placeType"),
  community: understandName("community", "communityName", "communityType"),
  taxonomy: understandTag,
  capture: understandCapture,
};

/** Lengths of names that are stored whole. @type {Readonly<Record<string, number>>} */
const LONGEST = { relationship: 200, taxonomy: 64, place: 200, community: 200, routine: 200 };

/** @type {(list: string, text: string, options: UnderstandOptions) => Understood} */
export function understand(list, text, options) {
  const { language, now, kept = [], zone = deviceZone(), locale = language, ...more } = options;
  const line = lookUp(LINES, list);
  const nothing = { kind: list, title: "", notes: "", parts: [], records: [] };
  if (line === undefined || text.trim() === "") return { ...nothing, form: null, problem: null };
  const { label = (name) => name, uuid = newUuid, measure } = more;
  const dayText = (/** @type {number} */ day) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(day);
  const found = line({
    text,
    language,
    clock: clockOfNow(now, zone),
    kept: new Set(kept),
    measure,
    measureTitle: (kind, day) => `${label(kind)}, ${dayText(day)}`,
    emptyTitle: label("capture"),
    uuid,
  });
  const isTooLong = Array.from(found.title).length > (LONGEST[list] ?? Infinity);
  const problem = isTooLong ? "lineTooLong" : found.problem ?? null;
  return {
    ...nothing,
    form: null,
    ...found,
    ...(problem !== null && { parts: [], records: [] }),
    problem,
  };
}

/** `randomUUID` is missing on plain HTTP from another machine. */
function newUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] ?? 0) & 0x0f | 0x40;
  bytes[8] = (bytes[8] ?? 0) & 0x3f | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
