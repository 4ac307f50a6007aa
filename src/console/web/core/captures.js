/** Captures: their first line, and what a form takes from one. */

import { send } from "./api.js";

export const CAPTURES = "/api/v2/records/capture";
const TITLE_LENGTH = 200;

/** The first line that is not empty, as a title. @param {string} text */
export function firstLine(text) {
  const line = text.split(/[\n\r\u2028\u2029]/).find((line) => line.trim() !== "") ?? "";
  // A title is one line of printable characters.
  const plain = line.replace(/\p{Cc}+/gu, " ").trim();
  return [...plain].slice(0, TITLE_LENGTH).join("").trim();
}

/**
 * The texts of a new record's form that a capture gives, by module.
 *
 * @param {string} moduleCode
 * @param {string} recordId
 * @returns {Promise<Record<string, string>>}
 */
export async function textsFromCapture(moduleCode, recordId) {
  const { data: { title: stored, payload } } = await send(
    "GET",
    `${CAPTURES}/${encodeURIComponent(recordId)}`,
  );
  const text = payload?.originalContent ?? "";
  const title = firstLine(text) || stored;
  switch (moduleCode) {
    case "action":
      return { title, actionTitle: title, ...(text.trim() !== title && { description: text }) };
    case "commitment":
      return { title, content: text };
    case "knowledge":
      return {
        title,
        sourceTitle: title,
        sourceType: "NOTE",
        annotation: text,
        url: `urn:capture:${recordId}`,
      };
    default:
      return { title, originalContent: text };
  }
}
