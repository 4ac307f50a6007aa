/** The items of a Joplin export that its notes refer to: notebooks, tags, resources and notes. */

import { firstCodePoints } from "../../../validate/text.ts";
import type { Archive, Entry } from "../../archive/archive.ts";
import { fitTitle } from "../../fit_members.ts";
import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import type { Converted } from "../converter.ts";
import { JOPLIN_NAME } from "../joplin_item.ts";
import { titleOf } from "../note_title.ts";
import { cleanLine, ownText } from "./clean_text.ts";
import { ITEM_TYPES, type JoplinItem, readJoplinItem } from "./joplin_items.ts";
import { NoteTitles } from "./note_titles.ts";

/** The file of a resource. */
const FILE = /(?:^|\/)resources\/([0-9a-f]{32})(?:\.[^/]*)?$/i;
/** Notebooks around a notebook. */
const MAX_DEPTH = 100;
/** Code points of an identifier or a media type. */
const MAX_OTHER = 200;

interface Notebook {
  readonly title: string;
  readonly parent: string;
}

export interface Resource {
  readonly title: string;
  readonly mediaType: string;
  /** In the archive; null if it is missing or encrypted. */
  readonly path: string | null;
}

export class JoplinIndex {
  readonly titles: NoteTitles;
  /** In the order of the archive. */
  readonly notes: Entry[] = [];
  readonly #budget: ReadingBudget;
  readonly #notebooks = new Map<string, Notebook>();
  readonly #resources = new Map<string, Resource>();
  readonly #tags = new Map<string, string>();
  /** Identifiers of tags by those of notes. */
  readonly #tagsOfNotes = new Map<string, string[]>();
  readonly #paths = new Map<string, string>();

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
    this.titles = new NoteTitles(budget);
  }

  /** Reads all items once. Yields the notebooks as groups, and counts of other items. */
  async *read(archive: Archive): AsyncGenerator<Converted> {
    for (const { name, place } of archive.matching(FILE)) {
      await this.#budget.turn(place);
      const id = FILE.exec(name)?.[1]?.toLowerCase() ?? "";
      this.#budget.hold(entryBytes(id + name), place);
      if (!this.#paths.has(id)) this.#paths.set(id, name);
    }
    for (const entry of archive.matching(JOPLIN_NAME)) {
      if (FILE.test(entry.name)) continue;
      await this.#budget.turn(entry.place);
      const item = await readJoplinItem(entry);
      if (item === null) continue;
      archive.used.add(entry.name);
      if (item === "text.utf8") yield { kind: "fault", entry, rule: item };
      else if (!this.#add(item, entry)) {
        yield { kind: "unmapped", name: `joplin.type_${item.type}` };
      }
    }
    for (const id of this.#notebooks.keys()) {
      await this.#budget.turn(1);
      const name = this.groupOf(id);
      if (name !== null) yield { kind: "group", name, count: 0 };
    }
  }

  /** Undefined for an identifier of neither an item nor a file. */
  resource(id: string): Resource | undefined {
    const path = this.#paths.get(id);
    const unnamed = path === undefined ? undefined : { title: "", mediaType: "", path };
    return this.#resources.get(id) ?? unnamed;
  }

  /** Titles of a note's tags, in the order of the archive. */
  tagsOf(note: string): readonly string[] {
    return (this.#tagsOfNotes.get(note) ?? []).flatMap((id) => this.#tags.get(id) ?? []);
  }

  /** The path of a notebook: the titles of those around it and its own; null if it is missing. */
  groupOf(notebook: string): string | null {
    const titles: string[] = [];
    const seen = new Set<string>();
    for (let id = notebook; !seen.has(id) && seen.size < MAX_DEPTH;) {
      const found = this.#notebooks.get(id);
      if (found === undefined) break;
      seen.add(id);
      titles.unshift(found.title);
      id = found.parent;
    }
    return titles.length === 0 ? null : titles.join("/");
  }

  /** False for an item of another type, or one that is encrypted. */
  #add({ id, type, title: written, body, properties }: JoplinItem, entry: Entry): boolean {
    const title = fitTitle(cleanLine(written)).title;
    const of = (name: string) => properties.get(name) ?? "";
    const { place } = entry;
    if (type === ITEM_TYPES.note) {
      this.notes.push(entry);
      this.titles.add(id, title || (titleOf(body) ?? ""), place);
      return true;
    }
    if (of("encryption_applied") === "1") return false;
    switch (type) {
      case ITEM_TYPES.notebook: {
        const own = this.#own(place, id, title || id, of("parent_id"));
        this.#notebooks.set(own.id, { title: own.title, parent: own.other });
        return true;
      }
      case ITEM_TYPES.resource: {
        const own = this.#own(place, id, title, of("mime"));
        const isEncrypted = of("encryption_blob_encrypted") === "1";
        const path = isEncrypted ? null : this.#paths.get(id) ?? null;
        this.#resources.set(own.id, { title: own.title, mediaType: own.other, path });
        return true;
      }
      case ITEM_TYPES.tag: {
        const own = this.#own(place, id, title);
        this.#tags.set(own.id, own.title);
        return true;
      }
      case ITEM_TYPES.noteTag: {
        const own = this.#own(place, of("note_id"), "", of("tag_id"));
        this.#tagsOfNotes.getOrInsertComputed(own.id, () => []).push(own.other);
        return true;
      }
      default:
        return false;
    }
  }

  /** Copies of texts that stay in memory. */
  #own(place: number, id: string, title: string, other = "") {
    const short = firstCodePoints(other, MAX_OTHER);
    this.#budget.hold(entryBytes(id + title + short), place);
    return { id: ownText(id), title: ownText(title), other: ownText(short) };
  }
}
