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
  /** True if the `X-ABLabel` of its group is another line of its detail. */
  readonly isLabelled?: boolean;
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
  return together(lines).flatMap((line) => {
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

/** Groups at the place of their first line. Their labelled line comes first, as readers expect. */
function together(lines: readonly CardLine[]): CardLine[] {
  const groups = Map.groupBy(lines, ({ group }) => group?.key);
  return lines.flatMap((line) => {
    const members = line.group ? groups.get(line.group.key) ?? [] : [line];
    if (members[0] !== line) return [];
    const isLabelled = ({ label = null, isLabelled }: CardLine) => label !== null || isLabelled;
    return [...members.filter(isLabelled), ...members.filter((member) => !isLabelled(member))];
  });
}

function labelText(label: string, version: VcardVersion): string {
  return version === "3.0" && APPLE_WORDS.has(label) ? `_$!<${label}>!$_` : escapeText(label);
}

/** Groups keep the names that they came with, if those are free. */
class GroupNames {
  /** In lower case. */
  readonly #taken = new Set<string>();
  /** Sizes of groups by key. */
  readonly #sizes = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #number = 0;

  constructor(lines: readonly CardLine[]) {
    const groups = lines.flatMap(({ group }) => group ?? []);
    for (const { key } of groups) this.#sizes.set(key, (this.#sizes.get(key) ?? 0) + 1);
    for (const group of groups) if (group.isFixed) this.#keep(group);
    for (const group of groups) {
      if (!this.#taken.has(group.name.toLowerCase())) this.#keep(group);
    }
  }

  nameOf({ group = null, label = null, isMade = false }: CardLine): string | null {
    if (group === null) return label === null ? null : this.#next();
    if (isMade && label === null && this.#sizes.get(group.key) === 1) return null;
    const name = this.#names.get(group.key) ?? this.#next();
    this.#names.set(group.key, name);
    return name;
  }

  #keep({ key, name }: LineGroup): void {
    this.#names.set(key, name);
    this.#taken.add(name.toLowerCase());
  }

  #next(): string {
    do this.#number++; while (this.#taken.has(`item${this.#number}`));
    return `item${this.#number}`;
  }
}
