/** `textbundle`: text bundles, and backups of the app Bear, which consist of them. */

import { sha256Hex } from "../../../core/digest.ts";
import type { JsonObject } from "../../../core/json.ts";
import { instantOfText } from "../../../validate/local_time.ts";
import { type Archive, folderOf } from "../../archive/archive.ts";
import type { ReadingBudget } from "../../reading_budget.ts";
import type { Converted, Converter } from "../converter.ts";
import { DEFAULT_ZONE, readDate } from "../dates.ts";
import { NoteFinder } from "../note_finder.ts";
import { bundleTitle, INFO, isSet, type TextBundle, TextBundles, wordsOf } from "../text_bundle.ts";
import { decodeText } from "../text_encoding.ts";
import { type AppNote, type NoteContext, noteConverted } from "./app_note.ts";
import { bearTags } from "./bear_tags.ts";
import { BundleLinks } from "./bundle_links.ts";
import { type BundlePath, BundlePaths } from "./bundle_paths.ts";
import { cleanText } from "./clean_text.ts";
import { itemTime } from "./item_time.ts";
import { NOTES_MAPPING, type NotesMapping, readNotesMapping } from "./notes_mapping.ts";

const ENDINGS: readonly string[] = ["md", "markdown", "txt", "html"];
const HTML = /\.html$/i;
const ARCHIVE_ENDINGS = /(?:\.(?:textbundle|textpack|bear|bear2bk|zip|tar|tgz|gz)){1,3}$/i;
/** A longer text has more than 100,000 code points. */
const MAX_BYTES = 4 * 1024 * 1024;

export const TEXTBUNDLE: Converter = {
  format: "textbundle",
  title: { en: "Bear or TextBundle", de: "Bear oder TextBundle" },
  isNamed: true,
  hasSign: ({ hasBundle }) => hasBundle,
  kinds: ["zip", "tar", "gzip"],
  hasParts: true,
  mapping: NOTES_MAPPING,
  async *convert(input) {
    const { archive, budget, source } = input;
    if (archive === null) return;
    const bundles = await TextBundles.of(archive, budget, ENDINGS);
    const finder = await NoteFinder.of(archive, budget);
    const context = { source, mapping: readNotesMapping(input.mapping) };
    const { texts, otherTexts } = bundles;
    const top = (input.filename ?? "").replace(ARCHIVE_ENDINGS, "");
    const paths = new BundlePaths(texts.map(({ name }) => folderOf(name)));
    for (const name of paths.groups) yield { kind: "group", name, count: 0 };
    for (const text of texts) {
      await budget.turn(text.place);
      const bundle = await bundles.read(text.name);
      if (bundle === null) continue;
      const links = new BundleLinks(bundle, archive, finder, input);
      const path = bundle.folder === "" ? { path: top, group: "" } : paths.of(bundle.folder);
      yield* convertBundle(bundle, { links, ...path, archive, context, budget });
    }
    for (const { name } of otherTexts) {
      for (const used of [name, folderOf(name) + INFO]) archive.used.add(used);
      yield { kind: "unmapped", name: "textbundle.type" };
    }
  },
};

interface BundleParts extends BundlePath {
  readonly links: BundleLinks;
  readonly archive: Archive;
  readonly context: NoteContext;
  readonly budget: ReadingBudget;
}

async function* convertBundle(bundle: TextBundle, parts: BundleParts): AsyncGenerator<Converted> {
  const { archive, budget, context } = parts;
  const entry = bundle.text;
  const isTooLong = entry.size > MAX_BYTES;
  const bytes = isTooLong ? new Uint8Array() : await archive.readWhole(entry);
  const text = await decodeText(bytes, null, () => budget.turn(entry.place));
  if (text === null) return yield { kind: "fault", entry, rule: "text.utf8" };
  const note = await noteOf(bundle, text.replace(/^\ufeff/, ""), parts);
  const refused = bundle.isEncrypted ? "note.encrypted" : isTooLong ? "field.length" : null;
  if (isTooLong) archive.used.add(entry.name);
  yield* noteConverted({ ...note, ...(refused !== null && { refused: [refused] }) }, context);
}

async function noteOf(
  bundle: TextBundle,
  written: string,
  { links, path, group, context: { mapping } }: BundleParts,
): Promise<AppNote> {
  const { text: entry, bear, isArchived, isTrashed } = bundle;
  const isHtml = HTML.test(entry.name);
  const text = isHtml ? await links.inHtml(written) : await links.inMarkdown(cleanText(written));
  links.addRest();
  const created = createdAt(bundle, mapping);
  return {
    key: identifierOf(bear) ?? (path === "" ? `digest:${sha256Hex(written)}` : path),
    entry: entry.shownName,
    title: bundleTitle({ ...bundle, folder: path }, text) ?? "",
    text,
    createdAt: created,
    tags: bear === null ? [] : bearTags(text),
    groups: group === "" ? [] : [group],
    isArchived,
    isTrashed,
    files: links.files,
    rules: created === null && bundle.createdAt !== null ? ["import.date"] : [],
    unmapped: isSet(bear?.pinned) ? ["pinned"] : [],
  };
}

/** The identifier of a note of Bear, also in the form of earlier versions. */
function identifierOf(bear: JsonObject | null): string | null {
  return wordsOf(bear?.uniqueIdentifier) ?? wordsOf(bear?.["bear-note-unique-identifier"]);
}

function createdAt(bundle: TextBundle, { timeZone }: NotesMapping): string | null {
  if (bundle.createdAt === null) return null;
  const stated = readDate(bundle.createdAt, "ISO", timeZone ?? DEFAULT_ZONE);
  if (stated === null || timeZone === null) return stated;
  return itemTime(instantOfText(stated), timeZone);
}
