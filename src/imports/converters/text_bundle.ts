/**
 * Text bundles: folders named `….textbundle` or `….textpack`, or the top of an archive, with a
 * text, its files and `info.json`.
 */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../core/json.ts";
import { isBlank } from "../../validate/text.ts";
import {
  type Archive,
  baseNameOf,
  type Entry,
  folderOf,
  isHiddenName,
} from "../archive/archive.ts";
import { entryBytes, type ReadingBudget } from "../reading_budget.ts";
import type { SourceItem } from "./converter.ts";
import { inUtc, readDate } from "./dates.ts";
import type { Notes } from "./note.ts";
import { firstHeadingOf, titleOf } from "./note_title.ts";

/** Endings of texts that are read, in order of preference. */
const MARKDOWN_ENDINGS: readonly string[] = ["md", "markdown", "txt"];
const TEXT = /(?:^|\/)text\.[^/]*$/i;
export const BUNDLE: RegExp = /\.(?:textbundle|textpack)\/$/i;
/** The description of a bundle. */
export const INFO = "info.json";
/** A larger description is not read. */
const INFO_BYTES = 1024 * 1024;
/** Skips a byte order mark. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });
/** The member of `info.json` that the app Bear writes. */
const BEAR = "net.shinyfrog.bear";

interface BundleFiles {
  /** Ends with `/`; empty at the top. */
  readonly folder: string;
  readonly text: Entry;
  /** Paths of all other files, except the description. */
  readonly files: string[];
}

/** A bundle with the facts that `info.json` states about its text. */
export interface TextBundle extends BundleFiles {
  readonly title: string | null;
  readonly createdAt: string | null;
  readonly isArchived: boolean;
  readonly isTrashed: boolean;
  readonly isEncrypted: boolean;
  /** Facts that the app Bear states; null for a bundle of another app. */
  readonly bear: JsonObject | null;
}

/** The bundles of an archive. */
export class TextBundles {
  readonly #archive: Archive;
  readonly #byFolder: ReadonlyMap<string, BundleFiles>;
  /** Texts of bundles that have none with one of the endings. */
  readonly otherTexts: readonly Entry[];

  private constructor(archive: Archive, endings: readonly string[]) {
    this.#archive = archive;
    const { byFolder, others } = textsOf(archive, endings);
    this.#byFolder = byFolder;
    this.otherTexts = others;
  }

  /**
   * @param endings Endings of texts that are read, in order of preference.
   * @throws FileRefusal `import.budget`
   */
  static async of(
    archive: Archive,
    budget: ReadingBudget,
    endings = MARKDOWN_ENDINGS,
  ): Promise<TextBundles> {
    const bundles = new TextBundles(archive, endings);
    if (bundles.#byFolder.size === 0) return bundles;
    for (const { name, place } of archive.entries) {
      await budget.turn(place);
      const bundle = bundles.owns(name) ? bundles.#around(name) : null;
      if (bundle === null || name === bundle.folder + INFO) continue;
      budget.hold(entryBytes(""), place);
      bundle.files.push(name);
    }
    for (const { files } of bundles.#byFolder.values()) files.sort();
    return bundles;
  }

  /** Whether a file belongs to a bundle and is not its text. */
  owns(name: string): boolean {
    const bundle = this.#around(name);
    return bundle !== null && bundle.text.name !== name && !isHiddenName(name);
  }

  /** The texts of the bundles, in the order of the archive. */
  get texts(): readonly Entry[] {
    return Array.from(this.#byFolder.values(), ({ text }) => text)
      .toSorted((one, other) => one.place - other.place);
  }

  /** Reads the bundle with this text; null for another file. */
  async read(name: string): Promise<TextBundle | null> {
    const bundle = this.#byFolder.get(folderOf(name));
    if (bundle === undefined || bundle.text.name !== name) return null;
    const info = await readInfo(this.#archive, bundle.folder + INFO);
    const bear = objectOf(info[BEAR]);
    return {
      ...bundle,
      title: wordsOf(bear.title),
      createdAt: wordsOf(bear.creationDate) ?? wordsOf(info.creationDate),
      isArchived: isSet(bear.archived),
      isTrashed: isSet(bear.trashed),
      isEncrypted: isSet(bear.encrypted),
      bear: isJsonObject(info[BEAR]) ? bear : null,
    };
  }

  /** The innermost bundle around a file. */
  #around(name: string): BundleFiles | null {
    for (let folder = folderOf(name);; folder = folderOf(folder.slice(0, -1))) {
      const bundle = this.#byFolder.get(folder);
      // Other files at the archive's top do not belong to a bundle there.
      const isInside = BUNDLE.test(folder) || name.startsWith(`${folder}assets/`);
      if (bundle !== undefined && isInside) return bundle;
      if (folder === "") return null;
    }
  }
}

interface BundleTexts {
  readonly byFolder: ReadonlyMap<string, BundleFiles>;
  readonly others: readonly Entry[];
}

function textsOf(archive: Archive, endings: readonly string[]): BundleTexts {
  const byFolder = new Map<string, BundleFiles>();
  const others = new Map<string, Entry>();
  const rankOf = ({ name }: Entry) =>
    endings.indexOf(baseNameOf(name).slice("text.".length).toLowerCase());
  for (const text of archive.matching(TEXT)) {
    const folder = folderOf(text.name);
    const isTop = folder === "" || folder === archive.top;
    const isBundle = BUNDLE.test(folder) || (isTop && archive.find(folder + INFO) !== undefined);
    if (!isBundle) continue;
    if (rankOf(text) === -1) {
      others.set(folder, text);
      continue;
    }
    const known = byFolder.get(folder);
    if (known !== undefined && rankOf(known.text) <= rankOf(text)) continue;
    byFolder.set(folder, { folder, text, files: [] });
  }
  const isOther = ([folder]: readonly [string, Entry]) => !byFolder.has(folder);
  return { byFolder, others: [...others].filter(isOther).map(([, text]) => text) };
}

/** A description that is missing, broken or no object states nothing. */
async function readInfo(archive: Archive, name: string): Promise<JsonObject> {
  const entry = archive.find(name);
  if (entry === undefined || entry.size > INFO_BYTES) return {};
  const bytes = await archive.readWhole(entry);
  try {
    return objectOf(JSON.parse(UTF8.decode(bytes)));
  } catch {
    return {};
  }
}

export function wordsOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && !isBlank(value) ? value : null;
}

/** Bear writes flags as numbers. */
export function isSet(value: JsonValue | undefined): boolean {
  return value === true || value === 1;
}

/** Its heading, else Bear's title, else the name of the folder, else the first line with words. */
export function bundleTitle({ folder, title }: TextBundle, text: string): string | null {
  const name = baseNameOf(folder.replace(BUNDLE, "").replace(/\/$/, ""));
  return firstHeadingOf(text) ?? title ?? (name === "" ? titleOf(text) : name);
}

/** The item of a bundle's text, with the bundle's files and facts. */
export function withBundle(
  item: SourceItem,
  { files, createdAt, isArchived, isTrashed, isEncrypted }: TextBundle,
  { mapping: { timeZone }, files: noteFiles }: Notes,
): SourceItem {
  const { members } = item;
  const paths = new Map<string, string>();
  for (const path of files) {
    const name = noteFiles.nameOf(path);
    // Equal files are one, under the first name.
    if (!paths.has(name)) paths.set(name, path);
  }
  const named = (members.attachments ?? []) as readonly string[];
  const created = createdAt === null ? null : readDate(createdAt, "ISO", timeZone);
  return {
    ...item,
    members: {
      ...(created !== null && { recordedAt: inUtc(created) }),
      ...members,
      attachments: [...new Set([...named, ...paths.keys()])],
      ...((isArchived || isTrashed) && { archived: true }),
    },
    paths: new Map([...paths, ...item.paths ?? []]),
    equalPaths: [...files, ...item.equalPaths ?? []],
    ...(isEncrypted && { refused: ["note.encrypted"] }),
  };
}
