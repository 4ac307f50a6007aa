/** Texts and titles of notes in the form in which they are stored. */

import { isLongerThan } from "../../../validate/text.ts";
import { MAX_TITLE } from "../../fit_members.ts";
import { withoutControls } from "../../words.ts";

const LINE_END = /\r\n?/g;
/** All but tab and LF. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** The text with LF as line ends, well-formed, and without control characters except tabs. */
export function cleanText(text: string): string {
  return text.replaceAll(LINE_END, "\n").replaceAll(CONTROLS, "").toWellFormed();
}

/** The text on one line, without blanks at its ends. */
export function cleanLine(text: string): string {
  return withoutControls(cleanText(text)).trim();
}

/** The distinct texts, each on one line, without empty ones. */
export function cleanLines(texts: readonly string[]): string[] {
  return [...new Set(texts.map(cleanLine).filter((text) => text !== ""))];
}

/** A copy that does not retain the longer text that it was cut from. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

/**
 * The text of an item whose title is cut: its first line is the whole title.
 *
 * @param title On one line.
 */
export function withLongTitle(text: string, title: string): string {
  const isInText = text === title || text.startsWith(`${title}\n`);
  if (isInText || !isLongerThan(title, MAX_TITLE)) return text;
  return text === "" ? title : `${title}\n${text}`;
}
