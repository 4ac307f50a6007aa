/** Groups of a card's lines, with their labels. No SQL, no HTTP. */

import { escapeText, foldLine } from "../../core/folded_line.ts";
import type { VcardVersion } from "./vcard_text.ts";

/** Lines of one group that came in together leave in one group. */
export interface LineGroup {
  /** Differs between cards that came in. */
  readonly key: string;
  /** As it came. */
  readonly name: string;
  /** True for a group that cannot have another name. */
  readonly isFixed?: boolean;
}

/** A line that leaves. */
export interface CardLine {
  /** Without a group. */
  readonly content: string;
  readonly group?: LineGroup | null;
  /** The `X-ABLabel` that the line brings into its group. */
  readonly label?: string | null;
  /** True if the line needs its group only together with other lines, or with a label. */
  readonly isMade?: boolean;
}

/** Words that Apple's programs translate, as `_$!<Home>!$_`. */
const APPLE_WORDS: ReadonlySet<string> = new Set((
  "Home Work Mobile Main Other HomePage HomeFAX WorkFAX Pager School Anniversary Father Mother " +
  "Parent Brother Sister Child Son Daughter Friend Spouse Partner Assistant Manager"
).split(" "));

/** Names the groups, writes a label once a group, folds each line and ends it with CRLF. */
export function writeLines(lines: readonly CardLine[], version: VcardVersion): string {
  const names = new GroupNames(lines);
  const labels = new Set<string>();
  return lines.flatMap((line) => {
    const group = names.nameOf(line);
    if (group === null) return [line.content];
    const own = `${group}.${line.content}`;
    const { label = null } = line;
    return label === null ? [own] : [own, `${group}.X-ABLabel:${labelText(label, version)}`];
  }).filter((text) => {
    const isLabel = /^[^.:;]*\.X-ABLabel:/i.test(text);
    const isRepeated = isLabel && labels.has(text);
    if (isLabel) labels.add(text);
    return !isRepeated;
  }).map(foldLine).join("");
}

function labelText(label: string, version: VcardVersion): string {
  return version === "3.0" && APPLE_WORDS.has(label) ? `_$!<${label}>!$_` : escapeText(label);
}

class GroupNames {
  /** In lower case. */
  readonly #taken: Set<string>;
  /** Sizes of groups by key. */
  readonly #sizes = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #number = 0;

  constructor(lines: readonly CardLine[]) {
    const groups = lines.flatMap(({ group }) => group ?? []);
    for (const { key } of groups) this.#sizes.set(key, (this.#sizes.get(key) ?? 0) + 1);
    this.#taken = new Set(
      groups.filter(({ isFixed }) => isFixed).map(({ name }) => name.toLowerCase()),
    );
  }

  nameOf({ group = null, label = null, isMade = false }: CardLine): string | null {
    if (group === null) return label === null ? null : this.#next();
    const { key, name, isFixed = false } = group;
    if (isFixed) return name;
    if (isMade && label === null && this.#sizes.get(key) === 1) return null;
    const known = this.#names.get(key) ?? this.#free(name);
    this.#names.set(key, known);
    return known;
  }

  /** The name itself unless it is a number or taken. */
  #free(name: string): string {
    const compared = name.toLowerCase();
    if (/^item\d+$/.test(compared) || this.#taken.has(compared)) return this.#next();
    this.#taken.add(compared);
    return name;
  }

  #next(): string {
    do this.#number++; while (this.#taken.has(`item${this.#number}`));
    return `item${this.#number}`;
  }
}
