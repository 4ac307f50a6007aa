/** The files that a note shows: `![[x.png]]` and `![…](path)`. */

import { firstCodePoints } from "../../validate/text.ts";
import { type Archive, baseNameOf, folderOf, isHiddenName } from "../archive/archive.ts";

// Every repetition has an end, or a long line of openings would take the square of its length.
const EMBED = /!\[\[([^[\]|#^\n]{1,1000})(?:[|#^][^\]\n]{0,1000})?\]\]/g;
const TARGET = String.raw`<([^>\n]{1,1000})>|((?:[^()\s]|\([^()\s]{0,1000}\)){1,1000})`;
const TITLE = String.raw`\s{1,10}(?:"[^"\n]{0,1000}"|'[^'\n]{0,1000}')`;
const PICTURE = new RegExp(
  String.raw`!\[[^\]\n]{0,1000}\]\(\s{0,10}(?:${TARGET})(?:${TITLE})?\s{0,10}\)`,
  "g",
);
const REMOTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
/** More than the name of any file. */
const NAME_LENGTH = 1000;

/** Finds the files of an archive as notes name them. */
export class EmbeddedFiles {
  /** By base name in NFC: the path of the only file that has it, or null. */
  readonly #only = new Map<string, string | null>();
  /** Paths by their NFC: systems and notes spell accents in different ways. */
  readonly #paths = new Map<string, string>();

  constructor(archive: Archive | null) {
    for (const { name } of archive?.entries ?? []) {
      if (isHiddenName(name)) continue;
      this.#paths.set(name.normalize("NFC"), name);
      const base = baseNameOf(name).normalize("NFC");
      this.#only.set(base, this.#only.has(base) ? null : name);
    }
  }

  /** The files that a note embeds, each once; those that are not there as they are written. */
  namesIn(text: string, notePath: string): string[] {
    const written = [
      ...Array.from(text.matchAll(EMBED), ([, name = ""]) => name.trim()),
      ...Array.from(text.matchAll(PICTURE), ([, quoted, plain]) => quoted ?? plain ?? "")
        .filter((path) => !REMOTE.test(path)).map(decodePercent),
    ];
    const names = written.filter((name) => name !== "").flatMap((name) => {
      const found = this.#find(name, notePath);
      // A note that is embedded is an item of its own.
      if (found?.toLowerCase().endsWith(".md")) return [];
      if (found === null && this.#find(`${name}.md`, notePath) !== null) return [];
      return [found ?? firstCodePoints(name, NAME_LENGTH)];
    });
    return [...new Set(names)];
  }

  #find(name: string, notePath: string): string | null {
    const paths = [normalise(name), normalise(folderOf(notePath) + name)];
    for (const path of paths) {
      const found = path === null ? undefined : this.#paths.get(path.normalize("NFC"));
      if (found !== undefined) return found;
    }
    return name.includes("/") ? null : this.#only.get(name.normalize("NFC")) ?? null;
  }
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

function decodePercent(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
