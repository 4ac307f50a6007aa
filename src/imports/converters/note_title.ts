/** Titles of notes, made from their texts. */

import { reportWord } from "../words.ts";

/** The first heading, else the first line with words; null without one. */
export function titleOf(text: string): string | null {
  let isCode = false;
  const lines = text.split(/\r\n|[\r\n]/).map((line) => line.trim()).filter((line) => {
    const isFence = /^(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
  const heading = lines.find((line) => /^#{1,6}[ \t]/.test(line) && wordsOf(line) !== "");
  const title = heading ?? lines.find((line) => wordsOf(line) !== "");
  return title === undefined ? null : reportWord(wordsOf(title)).trim();
}

/** A line without Markdown's marks. */
function wordsOf(line: string): string {
  const words = line.replace(/^[-*_=#>`\s]+/, "");
  const marks = /^#/.test(line) ? words.split(/\s/).at(-1) ?? "" : "";
  const isClosing = marks !== "" && marks.replaceAll("#", "") === "";
  return (isClosing ? words.slice(0, -marks.length) : words).trim();
}
