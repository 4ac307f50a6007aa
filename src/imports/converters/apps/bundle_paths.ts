/** The paths of text bundles: their keys, names and groups. */

import { folderOf } from "../../archive/archive.ts";
import { BUNDLE } from "../text_bundle.ts";

/** The folder of a backup of Bear, whose name has the time of the backup. */
const BACKUP = /^[^/]*\.bear2bk\//i;
const OUTER_ENDING = /\.(?:textbundle|textpack)\//i;
/** As many as a sample has. */
const MAX_GROUPS = 1_000;

export interface BundlePath {
  /** Without the endings of bundles; empty at the top of the archive. */
  readonly path: string;
  /** The folder above the bundle; empty without one. */
  readonly group: string;
}

export class BundlePaths {
  /** The number of bundles in each outer one: a zipped bundle may contain a folder of its name. */
  readonly #counts = new Map<string, number>();

  /** @param folders The folders of all bundles; they end with `/`. */
  constructor(folders: readonly string[]) {
    for (const folder of folders) {
      const outer = outerOf(folder);
      this.#counts.set(outer, (this.#counts.get(outer) ?? 0) + 1);
    }
  }

  of(folder: string): BundlePath {
    const outer = outerOf(folder);
    const own = outer.replace(BACKUP, "");
    const isOnly = this.#counts.get(outer) === 1;
    const inner = folder.slice(outer.length).split("/").map(withoutEnding).join("/");
    return {
      path: withoutEnding(own) + (isOnly || inner === "" ? "" : `/${inner.slice(0, -1)}`),
      group: folderOf(own.slice(0, -1)).slice(0, -1),
    };
  }

  /** The groups of the bundles, and the folders above those; at most 1,000. */
  get groups(): ReadonlySet<string> {
    const groups = new Set<string>();
    for (const outer of this.#counts.keys()) {
      let path = this.of(outer).group;
      while (path !== "" && !groups.has(path) && groups.size < MAX_GROUPS) {
        groups.add(path);
        path = folderOf(path).slice(0, -1);
      }
    }
    return groups;
  }
}

/** The path of the outermost bundle around a folder; the folder itself at the top. */
function outerOf(folder: string): string {
  const ending = OUTER_ENDING.exec(folder);
  return ending === null ? folder : folder.slice(0, ending.index + ending[0].length);
}

function withoutEnding(path: string): string {
  return `${path.replace(/\/$/, "")}/`.replace(BUNDLE, "/").slice(0, -1);
}
