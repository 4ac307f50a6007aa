/** Lines of a text that name files, as imports write them. */

import { fileOf, isPicture } from "../shown/files.js";

/**
 * The texts that get the lines of files, by module.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const FILE_TEXTS = {
  memory: ["originalContent", "currentContent"],
  knowledge: ["snapshot"],
  timeline: ["eventDescription"],
  action: ["description"],
  commitment: ["notes"],
  health: ["notes"],
  community: ["notes"],
  place: ["notes"],
  review: ["reviewSummary"],
  media: ["description"],
};

/** @param {FileName} file */
export function fileLine(file) {
  const to = `(attachment:${file.attachmentId})`;
  return isPicture(file) ? `![]${to}` : `[${file.filename.replaceAll(/[[\]\\]/g, "\\$&")}]${to}`;
}

const LAST_LINE = /(?:^|\n)!?\[[^\n]*\]\(attachment:[0-9A-Z]{26}\)$/;

/** The text with a line at its end; a blank line comes before the first one. @type {WithLine} */
export function withLine(text, line) {
  if (text.trim() === "") return line;
  if (LAST_LINE.test(text)) return `${text}\n${line}`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}\n${line}`;
}

/**
 * The texts of a record with lines for attachments.
 * @param {Record<string, string>} texts @param {string} code @param {readonly string[]} ids
 */
export async function withFiles(texts, code, ids) {
  const [name] = FILE_TEXTS[code] ?? [];
  const files = name === undefined ? [] : await Promise.all(ids.map(fileOf));
  const lines = files.flatMap((file) => file === null ? [] : [fileLine(file)]);
  return name === undefined
    ? texts
    : { ...texts, [name]: lines.reduce(withLine, texts[name] ?? "") };
}

/** The line with the line ends that it needs at a place of a text. @type {LineAt} */
export function lineAt(text, at, line) {
  const before = at === 0 || text[at - 1] === "\n" ? "" : "\n";
  return before + line + (at === text.length || text[at] === "\n" ? "" : "\n");
}

/** The same place of a text after a change. @type {MovedPlace} */
export function movedPlace(at, before, after) {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return at <= same ? at : Math.max(same, at + after.length - before.length);
}
