/** The files that a note embeds: `![[x.png]]` and `![…](path)`. */

import { firstCodePoints } from "../../validate/text.ts";
import { type Archive, baseNameOf, folderOf, isHiddenName } from "../archive/archive.ts";
import { embedTargets, wikiTargets } from "./embed_scan.ts";

const REMOTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
/** Longer than the name of any file. */
const NAME_LENGTH = 1000;

/** Maximum distinct names of a note; more than an item may have. */
const MAX_NAMES = 10_001;

export class EmbeddedFiles {
  /** Paths by base name in NFC; null for the name of several files. */
  readonly #only = new Map<string, string | null>();
  /** Paths by their NFC form: systems and notes encode accents in different ways. */
  readonly #paths = new Map<string, string>();

  constructor(archive: Archive | null) {
    for (const { name } of archive?.entries ?? []) this.add(name);
  }

  /** Adds a file of the archive unless it is hidden. */
  add(name: string): void {
    if (isHiddenName(name)) return;
    this.#paths.set(composed(name), name);
    const base = composed(baseNameOf(name));
    this.#only.set(base, this.#only.has(base) ? null : name);
  }

  /** The distinct files that a note embeds; the written name of a missing file. */
  namesIn(text: string, notePath: string): string[] {
    const written = new Set<string>();
    for (const name of writtenNames(text)) {
      if (name !== "") written.add(name);
      if (written.size === MAX_NAMES) break;
    }
    const names = new Set<string>();
    for (const name of written) {
      const file = this.#find(name, notePath);
      // An embedded note is a separate item.
      if (file?.toLowerCase().endsWith(".md")) continue;
      if (file === null && this.#find(`${name}.md`, notePath) !== null) continue;
      names.add(file ?? firstCodePoints(name, NAME_LENGTH));
    }
    return [...names];
  }

  #find(name: string, notePath: string): string | null {
    const paths = [normalise(name), normalise(folderOf(notePath) + name)];
    for (const path of paths) {
      const file = path === null ? undefined : this.#paths.get(composed(path));
      if (file !== undefined) return file;
    }
    return name.includes("/") ? null : this.#only.get(composed(name)) ?? null;
  }
}

/** More combining marks in a row than any name has: composing them takes quadratic time. */
const MANY_MARKS = /\p{M}{31}/u;

function composed(name: string): string {
  return MANY_MARKS.test(name) ? name : name.normalize("NFC");
}

/** The path without `.` and `..`; null if it leads out of the archive. */
function normalise(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** The written names, except for addresses. */
function* writtenNames(text: string): Generator<string> {
  for (const name of wikiTargets(text)) yield name.trim();
  for (const path of embedTargets(text)) if (!REMOTE.test(path)) yield decodePercent(path);
}

function decodePercent(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
