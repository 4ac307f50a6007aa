/** A memory's texts in a form. */

import { statedMoment } from "../../logic/local_time.js";

/** The parts of the time, which are stated together. */
const TIME = ["timePrecision", "occurredAt", "timeText"];

/** Shown as they are stored. */
const PLAIN_FIELDS = [
  "title",
  "summary",
  "memoryType",
  "currentContent",
  "timePrecision",
  "timeText",
  "importance",
];

/** May be empty in drafts. */
const UNFINISHED = ["title", "summary", "originalContent", "currentContent"];

/** @type {(memory: any) => Record<string, string>} */
export function memoryTexts(memory) {
  const texts = PLAIN_FIELDS.map((name) => [name, String(memory[name] ?? "")]);
  return { ...Object.fromEntries(texts), occurredAt: statedMoment(memory) };
}

/**
 * Missing fields keep the former text.
 * @param {Texts} former
 * @param {Readonly<Record<string, unknown>>} content
 */
export function draftTexts(former, content) {
  const changed = Object.entries(content).map(([name, value]) => [name, String(value)]);
  const isTimed = TIME.some((name) => Object.hasOwn(content, name));
  const untimed = isTimed ? TIME.map((name) => [name, ""]) : [];
  return { ...former, ...Object.fromEntries([...untimed, ...changed]) };
}

/** The differences from the former texts. @param {Texts} former @param {Texts} texts */
export function draftContent(former, texts) {
  const isChanged = (/** @type {string} */ name) => texts[name] !== (former[name] ?? "");
  const isTimed = TIME.some(isChanged);
  const changed = Object.entries(texts).filter(([name, text]) =>
    (TIME.includes(name) ? isTimed : isChanged(name)) &&
    (text.trim() !== "" || UNFINISHED.includes(name))
  );
  return Object.fromEntries(
    changed.map(([name, text]) => [name, name === "importance" ? Number(text) : text]),
  );
}

/**
 * Emptied fields that can be changed but not removed.
 * @param {Texts} former
 * @param {Texts} texts
 */
export function removedFields(former, texts) {
  const had = (/** @type {string} */ name) => (former[name] ?? "") !== "" && texts[name] === "";
  const isTimeLost = TIME.some(had) && TIME.every((name) => texts[name] === "");
  return [...isTimeLost ? ["timePrecision"] : [], ...["memoryType", "importance"].filter(had)];
}
