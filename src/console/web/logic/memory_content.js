/** Converts memories and draft contents to and from form texts. */

import { statedMoment } from "../fields/memory_fields.js";

const TIME = /** @type {const} */ (["timePrecision", "occurredAt", "timeText"]);
/** May be empty in drafts. */
const UNFINISHED = ["title", "summary", "originalContent", "currentContent"];

/** @type {(memory: any) => Record<string, string>} */
export function memoryTexts(memory) {
  const { title, summary, memoryType, currentContent, timePrecision, timeText, importance } =
    memory;
  return {
    title,
    summary,
    memoryType,
    currentContent: currentContent ?? "",
    timePrecision: timePrecision ?? "",
    occurredAt: statedMoment(memory),
    timeText: timeText ?? "",
    importance: String(importance ?? ""),
  };
}

/**
 * Missing fields keep the former text.
 * @param {Texts} former
 * @param {Readonly<Record<string, unknown>>} content
 */
export function draftTexts(former, content) {
  const said = Object.entries(content).map(([name, value]) => [name, String(value)]);
  const isTimed = TIME.some((name) => Object.hasOwn(content, name));
  const untimed = isTimed ? Object.fromEntries(TIME.map((name) => [name, ""])) : {};
  return { ...former, ...untimed, ...Object.fromEntries(said) };
}

/**
 * The differences from the former texts. The parts of the time are included together or not at all.
 * @param {Texts} former
 * @param {Texts} texts
 */
export function draftContent(former, texts) {
  const isChanged = (/** @type {string} */ name) => texts[name] !== (former[name] ?? "");
  const isTimed = TIME.some(isChanged);
  const isTime = (/** @type {string} */ name) => TIME.some((part) => part === name);
  const said = Object.entries(texts).filter(([name, text]) =>
    (isTime(name) ? isTimed : isChanged(name)) && (text.trim() !== "" || UNFINISHED.includes(name))
  );
  return Object.fromEntries(
    said.map(([name, text]) => [name, name === "importance" ? Number(text) : text]),
  );
}

/**
 * Emptied fields that can be changed but not removed.
 * @param {Texts} former
 * @param {Texts} texts
 */
export function unsaid(former, texts) {
  const had = (/** @type {string} */ name) => (former[name] ?? "") !== "" && texts[name] === "";
  const isTimeLost = TIME.some(had) && TIME.every((name) => texts[name] === "");
  return [...(isTimeLost ? ["timePrecision"] : []), ...(["memoryType", "importance"].filter(had))];
}
