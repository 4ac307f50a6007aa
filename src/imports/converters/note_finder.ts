/** Finds the files of an archive that the addresses in notes name. */

import { type Archive, baseNameOf, folderOf, isHiddenName } from "../archive/archive.ts";
import { entryBytes, type ReadingBudget } from "../reading_budget.ts";
import { MAX_PATH } from "../words.ts";
import type { NoteAddress } from "./note_addresses.ts";

/** Bytes in memory of a file's places in the maps, without its name in small letters. */
const FILE_BYTES = 250;
/** Longer than any address of a file, whose characters may take three each. */
const MAX_ADDRESS = 8192;

export interface FoundFile {
  /** In the archive. */
  readonly path: string;
  /** The base name as the address states it. */
  readonly name: string;
}

type Where = Pick<NoteAddress, "address" | "form">;

export class NoteFinder {
  readonly #budget: ReadingBudget;
  readonly #top: string;
  /**
   * Paths by their compared form, and by that of their base names, without hidden files. Includes
   * entries that cannot be read.
   */
  readonly #paths: Groups = new Map();
  readonly #bases: Groups = new Map();
  /** Files of ambiguous names, sorted, once one was looked up. */
  readonly #sorted = new Set<string[]>();
  /** The only file of each spelling of an ambiguous name; null for several files. */
  readonly #singles = new Map<readonly string[], Map<string, string | null>>();
  /** The best file below a folder, by folder and base name; null for none. */
  readonly #best = new Map<string, string | null>();

  private constructor(archive: Archive | null, budget: ReadingBudget) {
    this.#budget = budget;
    this.#top = archive?.top ?? "";
  }

  /** @throws FileRefusal `import.budget` */
  static async of(archive: Archive | null, budget: ReadingBudget): Promise<NoteFinder> {
    const finder = new NoteFinder(archive, budget);
    const faults = archive?.faults.filter(({ name }) => archive.find(name)?.name !== name) ?? [];
    for (const { name, place } of [...archive?.entries ?? [], ...faults]) {
      await budget.turn(place);
      if (isHiddenName(name)) continue;
      budget.hold(FILE_BYTES + 2 * name.length, place);
      addTo(finder.#paths, name, name);
      addTo(finder.#bases, baseNameOf(name), name);
    }
    return finder;
  }

  /**
   * Finds the file that an address in a note means.
   *
   * @param ending Added to the address, as that of notes is in links between them.
   */
  find(where: Where, notePath: string, ending = ""): FoundFile | null {
    if (where.address.length > MAX_ADDRESS) return null;
    for (const form of formsOf(where)) {
      const path = this.#findForm(`${form}${ending}`, where, folderOf(notePath));
      if (path !== null) return { path, name: baseNameOf(normalise(form) ?? form) };
    }
    return null;
  }

  #findForm(form: string, { form: syntax }: Where, folder: string): string | null {
    const address = form.replaceAll("\\", "/");
    if (/^file:/i.test(address)) return this.#findTail(address.slice("file:".length));
    const isFromTop = syntax === "wiki" || address.startsWith("/");
    const tops = [...new Set([address, this.#top + address])];
    const own = folder + address;
    const places = (isFromTop ? [...tops, own] : [own, ...tops]).flatMap((path) =>
      normalise(path) ?? []
    );
    const byPath = this.#findPath(places);
    if (byPath !== null || isWebAddress({ address, form: syntax })) return byPath;
    const base = baseNameOf(address);
    return base === address ? this.#findNearest(base, folder) : this.#findOnly(base);
  }

  /** The first path that a file has; then without regard to letter case. */
  #findPath(places: readonly string[]): string | null {
    const groups = places.map((path) => [path, groupOf(this.#paths, path)] as const);
    for (const [path, group] of groups) {
      const exact = composed(path);
      const file = group.find((each) => composed(each) === exact);
      if (file !== undefined) return file;
    }
    return groups.flatMap(([, group]) => firstByLetters(group) ?? [])[0] ?? null;
  }

  /** The file that the longest end of a path on another machine names. */
  #findTail(path: string): string | null {
    const whole = normalise(path) ?? "";
    let at = Math.max(0, whole.length - MAX_PATH);
    if (at > 0) at = whole.indexOf("/", at) + 1;
    for (;;) {
      const tail = whole.slice(at);
      const file = this.#findPath([tail, this.#top + tail]);
      if (file !== null) return file;
      const next = whole.indexOf("/", at) + 1;
      if (next === 0) return this.#findOnly(tail);
      at = next;
    }
  }

  /** The only file of a base name, with and then without regard to letter case. */
  #findOnly(base: string): string | null {
    const group = groupOf(this.#bases, base);
    if (group.length < 2) return group[0] ?? null;
    const single = this.#singles.get(group) ?? new Map<string, string | null>();
    if (!this.#singles.has(group)) {
      for (const path of group) {
        const name = composed(baseNameOf(path));
        if (!single.has(name)) this.#budget.hold(entryBytes(name), 1);
        single.set(name, single.has(name) ? null : path);
      }
      this.#singles.set(group, single);
    }
    return single.get(composed(base)) ?? null;
  }

  /** The file of a base name that is nearest to a folder. */
  #findNearest(base: string, folder: string): string | null {
    const group = groupOf(this.#bases, base);
    if (group.length < 2) return group[0] ?? null;
    if (!this.#sorted.has(group)) this.#sorted.add(group.sort(byLetters));
    for (const wanted of [composed(base), null]) {
      for (let prefix = folder;; prefix = folderOf(prefix.slice(0, -1))) {
        const file = this.#bestBelow(prefix, group, wanted);
        if (file !== null) return file;
        if (prefix === "") break;
      }
    }
    return null;
  }

  /** @param wanted The base name with its letter case; null for any. */
  #bestBelow(folder: string, group: readonly string[], wanted: string | null): string | null {
    const first = folder === "" ? 0 : firstAfter(group, folder);
    if (!group[first]?.startsWith(folder)) return null;
    const name = `${folder}\0${wanted ?? `\0${compared(baseNameOf(group[first] ?? ""))}`}`;
    const known = this.#best.get(name);
    if (known !== undefined) return known;
    let best: string | null = null;
    for (let index = first; group[index]?.startsWith(folder); index++) {
      const path = group[index] ?? "";
      if (wanted !== null && composed(baseNameOf(path)) !== wanted) continue;
      if (best === null || path.length < best.length) best = path;
    }
    this.#budget.hold(entryBytes(name), 1);
    this.#best.set(name, best);
    return best;
  }
}

/** True for the address of a page, and for a place in the note itself. */
export function isWebAddress({ address, form }: Where): boolean {
  return form !== "wiki" && /^(?:(?!file:)[a-z][a-z0-9+.-]+:|\/\/|#)/i.test(address);
}

/** Most addresses: nothing in them is decoded or cut. */
const ONE_FORM = /^[^%&?#\\]+$/;

/** The address decoded, as written, and both without query and fragment. */
function formsOf(where: Where): ReadonlySet<string> {
  if (ONE_FORM.test(where.address)) return new Set([where.address]);
  const written = [...new Set([readMarks(where), where.address])];
  const whole = written.flatMap((address) => [decodePercent(address), address]);
  const parts = written.map((address) => address.replace(/[?#][^]*$/, ""));
  const forms = new Set([...whole, ...parts.flatMap((part) => [decodePercent(part), part])]);
  forms.delete("");
  return forms;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
};

/** The address that Markdown or HTML reads in marks such as `\(` and `&amp;`. */
function readMarks({ address, form }: Where): string {
  if (form === "wiki") return address;
  const plain = address.replaceAll(
    /&(amp|lt|gt|quot|apos|#39);/g,
    (_, name: string) => ENTITIES[name] ?? "",
  );
  return form === "html" ? plain : plain.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
}

export function decodePercent(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
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

/** More combining marks in a row than any name has: composing them takes quadratic time. */
const MANY_MARKS = /\p{M}{31}/u;
/** Most names, which have one form only. */
const ASCII = /^\p{ASCII}*$/u;

/** Systems and notes encode accents in different ways. */
export function composed(name: string): string {
  return ASCII.test(name) || MANY_MARKS.test(name) ? name : name.normalize("NFC");
}

function compared(name: string): string {
  return composed(name).toLowerCase();
}

/** Paths by the compared form of a name. A list for each would double the memory. */
type Groups = Map<string, string | string[]>;

function addTo(groups: Groups, name: string, path: string): void {
  const key = compared(name);
  const group = groups.get(key);
  if (group === undefined) groups.set(key, path);
  else if (typeof group === "string") groups.set(key, [group, path]);
  else group.push(path);
}

function groupOf(groups: Groups, name: string): string[] {
  const group = groups.get(compared(name)) ?? [];
  return typeof group === "string" ? [group] : group;
}

function byLetters(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function firstByLetters(group: readonly string[]): string | undefined {
  return group.length < 2 ? group[0] : group.toSorted(byLetters)[0];
}

/** The index of the first text that does not sort before another. */
function firstAfter(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
