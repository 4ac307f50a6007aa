/** Compares texts by paragraph, then changed paragraphs by word. */

import { diffSequences } from "./sequence_diff.js";

/** @typedef {{ kind: "same" | "removed" | "added", text: string }} TextPart */

/**
 * @param {string} before
 * @param {string} after
 * @returns {TextPart[]} `same` and `removed` make `before`; `same` and `added` make `after`.
 */
export function diffTexts(before, after) {
  const lines = diffSequences(paragraphsOf(before), paragraphsOf(after));
  /** @type {TextPart[]} */
  const parts = [];
  for (let index = 0; index < lines.length; index++) {
    const [part, next] = [lines[index], lines[index + 1]];
    if (part === undefined) break;
    const isReplaced = next !== undefined && part.kind !== "same" && next.kind !== "same";
    if (!isReplaced) {
      parts.push({ kind: part.kind, text: part.items.join("") });
      continue;
    }
    const [removed, added] = part.kind === "removed" ? [part, next] : [next, part];
    const words = diffSequences(wordsOf(removed.items.join("")), wordsOf(added.items.join("")));
    parts.push(...words.map(({ kind, items }) => ({ kind, text: items.join("") })));
    index++;
  }
  return parts;
}

/** @param {string} text */
function paragraphsOf(text) {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** @param {string} text */
function wordsOf(text) {
  return text.match(/[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? [];
}
