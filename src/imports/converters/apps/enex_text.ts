/** The Markdown of a note in `.enex`. */

import { extensionOf } from "../../media_types.ts";
import type { ConverterInput } from "../converter.ts";
import { htmlToMarkdown } from "../markup/html_markdown.ts";
import { decodeReferences } from "../markup/xml_text.ts";
import { cleanLine } from "./clean_text.ts";
import type { EnexNote, EnexResource } from "./enex_reader.ts";
import { taskLines } from "./enex_tasks.ts";
import { NamedFiles } from "./named_files.ts";
import type { NoteTitles } from "./note_titles.ts";

const CDATA = "<![CDATA[";
const CDATA_END = "]]>";
/** How a CDATA section contains its own end. */
const SPLIT_END = "]]]]><![CDATA[>";
/** The MD5 of no bytes. */
const EMPTY_MD5 = "d41d8cd98f00b204e9800998ecf8427e";
const NOTE_ADDRESS =
  /^(?:evernote:|https?:\/\/www\.evernote\.com\/shard\/|https?:\/\/share\.evernote\.com\/note\/)/i;

type TextInput = Pick<ConverterInput, "budget" | "openFile">;

interface NoteText {
  readonly text: string;
  readonly files: NamedFiles;
  /** `note.encrypted` and `link.missing`. */
  readonly rules: readonly string[];
}

/** @param hasAllTasks True to add the groups of tasks that the text does not show. */
export async function noteText(
  note: EnexNote,
  titles: NoteTitles,
  hasAllTasks: boolean,
  input: TextInput,
): Promise<NoteText> {
  const files = new NamedFiles(null);
  const byHash = addResources(note.resources, files);
  const groups = new Map(taskLines(note.tasks));
  const rules = new Set<string>();
  const { text, hasEncrypted } = await htmlToMarkdown(markupOf(note.content), {
    turn: () => input.budget.turn(0),
    async media(address) {
      const known = byHash.get(address.toLowerCase());
      if (known !== undefined) return known;
      const line = await files.addData(address, input);
      if (line === null) files.addMissing(address);
      return line;
    },
    tasks(id) {
      const lines = groups.get(id) ?? null;
      groups.delete(id);
      return lines;
    },
    link(address, words) {
      if (!NOTE_ADDRESS.test(address)) return null;
      const link = titles.linkByTitle(cleanLine(words), "");
      if (link === null) rules.add("link.missing");
      return link;
    },
  });
  if (hasEncrypted) rules.add("note.encrypted");
  const rest = hasAllTasks ? [...groups.values()].flat() : [];
  const whole = [text, rest.join("\n")].filter((part) => part !== "").join("\n\n");
  return { text: whole, files, rules: [...rules] };
}

/**
 * The markup in `content`: a CDATA section up to its last end, because it may contain further ones;
 * or text with references.
 */
function markupOf(content: string): string {
  const written = content.trim();
  if (!written.startsWith(CDATA)) {
    return written.startsWith("<") ? written : decodeReferences(written, () => "&");
  }
  const end = written.lastIndexOf(CDATA_END);
  const markup = written.slice(CDATA.length, end === -1 ? undefined : end);
  return markup.replaceAll(SPLIT_END, CDATA_END);
}

/** Adds the files of a note. Returns their lines by the MD5 of their bytes; null for no bytes. */
function addResources(
  resources: readonly EnexResource[],
  files: NamedFiles,
): ReadonlyMap<string, string | null> {
  const lines = new Map<string, string | null>();
  for (const { fields, data } of resources) {
    const mediaType = (fields.get("mime") ?? "").toLowerCase();
    const filename = fields.get("file-name") || `file.${extensionOf(mediaType)}`;
    if (data === null) {
      files.addMissing(filename);
      lines.set(EMPTY_MD5, null);
    } else {
      const { md5, ...stored } = data;
      lines.set(md5, files.addStored(stored, { filename, mediaType }));
    }
  }
  return lines;
}
