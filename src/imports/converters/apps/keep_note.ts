/** A note of Google Keep, as the JSON of Takeout states it. */

import type { JsonObject } from "../../../core/json.ts";
import { htmlToMarkdown, type MarkupOptions } from "../markup/html_markdown.ts";
import { cleanLine, cleanText } from "./clean_text.ts";
import { StatedMembers } from "./stated_members.ts";

/** Pages of a note that are compared with its text; Keep shows a few. */
const MAX_PAGES = 1_000;

interface KeepFile {
  /** Its name in the folder of the note. */
  readonly path: string;
  readonly mediaType: string | undefined;
}

export interface KeepNote {
  /** Empty without one. */
  readonly title: string;
  /** In Markdown. */
  readonly text: string;
  /** The address that is all of the text; null for any other text. */
  readonly url: string | null;
  readonly labels: readonly string[];
  readonly files: readonly KeepFile[];
  readonly isArchived: boolean;
  readonly isTrashed: boolean;
  readonly isPinned: boolean;
  /** Microseconds since 1970; null if the note does not state it. */
  readonly createdUsec: number | null;
  readonly editedUsec: number | null;
  /** Names of members that are not read. */
  readonly unmapped: readonly string[];
}

/** True for the JSON of a note. */
export function isKeepNote(names: { has: (name: string) => boolean }): boolean {
  return names.has("userEditedTimestampUsec") || names.has("createdTimestampUsec");
}

/** @param turn Waits for a turn of the budget of reading. */
export async function readKeepNote(
  members: JsonObject,
  { turn }: Pick<MarkupOptions, "turn">,
): Promise<KeepNote> {
  const stated = new StatedMembers(members);
  const inHtml = stated.text("textContentHtml") ?? "";
  const written = stated.text("textContent") ?? (await htmlToMarkdown(inHtml, { turn })).text;
  const words = cleanText(written);
  const tasks = stated.list("listContent").map(taskLine);
  const body = linesOf([words, ...tasks]);
  const pages = pagesOf(stated, body);
  stated.ignore("color", (color) => color === "DEFAULT");
  const labels = stated.list("labels").map((label) => label.text("name") ?? "");
  const files = stated.list("attachments").flatMap((file) => {
    const path = file.text("filePath");
    return path === null ? [] : { path, mediaType: file.text("mimetype") ?? undefined };
  });
  return {
    title: stated.text("title") ?? "",
    text: linesOf([body, ...pages.lines]),
    url: pages.url,
    labels: labels.filter((label) => cleanLine(label) !== ""),
    files,
    isArchived: stated.isTrue("isArchived"),
    isTrashed: stated.isTrue("isTrashed"),
    isPinned: stated.isTrue("isPinned"),
    createdUsec: stated.count("createdTimestampUsec"),
    editedUsec: stated.count("userEditedTimestampUsec"),
    unmapped: stated.unread(),
  };
}

function taskLine(item: StatedMembers): string {
  const text = item.text("text");
  // The markup has the same words.
  if (text !== null) item.ignore("textHtml");
  return `- [${item.isTrue("isChecked") ? "x" : " "}] ${cleanLine(text ?? "")}`;
}

interface KeepPages {
  /** A line for each page that the text does not name. */
  readonly lines: readonly string[];
  readonly url: string | null;
}

function pagesOf(stated: StatedMembers, text: string): KeepPages {
  const lines = new Set<string>();
  let url: string | null = null;
  for (const page of stated.list("annotations").slice(0, MAX_PAGES)) {
    page.ignore("source", (source) => source === "WEBLINK");
    const address = cleanLine(page.text("url") ?? "");
    const title = cleanLine(page.text("title") ?? "");
    if (address === "") continue;
    if (address === text.trim()) url = address;
    if (!text.includes(address)) lines.add(title === "" ? address : linkOf(title, address));
  }
  return { lines: [...lines], url };
}

function linkOf(title: string, address: string): string {
  return `[${title.replaceAll(/[[\]\\]/g, "\\$&")}](${address})`;
}

/** A text and the lines after it. */
function linesOf([text = "", ...lines]: readonly string[]): string {
  if (lines.length === 0) return text;
  return [...text.trim() === "" ? [] : [text.replace(/\n$/, "")], ...lines].join("\n");
}
