/** Reads the items of a file, and counts the names that it leaves out. */

import { sha256Hex } from "../core/digest.ts";
import { type Archive, type EntryFault, isHiddenName } from "./archive/archive.ts";
import type { Converted, Converter, SourceItem } from "./converters/converter.ts";
import { withCategories } from "./converters/people.ts";
import { comparedUid } from "../families/relationship/import_port.ts";
import { Counts } from "./counts.ts";
import type { DecisionContext } from "./decision.ts";
import { DigestCounts } from "./digest_counts.ts";
import type { ImportPatch } from "./import.ts";
import type { InnerFiles } from "./inner_files.ts";
import { fittingKey, type Item, readItem, withRepeatedKey } from "./item.ts";
import type { OpenedFile } from "./open_file.ts";
import { entryBytes, type ReadingBudget } from "./reading_budget.ts";
import { refuseFile } from "./refusal.ts";
import { SampleGroups, type ShownGroups } from "./sample_groups.ts";
import type { ImportWork } from "./work.ts";

/** Titles of each target in the sample. */
const SAMPLE_TITLES = 10;

export interface SampleItem {
  readonly place: number;
  readonly target: string;
  readonly title: string;
}

interface ReaderParts {
  readonly work: ImportWork;
  readonly context: DecisionContext;
  readonly converter: Converter;
  readonly filename: string | null;
  readonly opened: OpenedFile;
  readonly innerFiles: InnerFiles;
}

export class ItemReader {
  readonly sample: SampleItem[] = [];
  readonly #parts: ReaderParts;
  readonly #unmapped = new Counts();
  readonly #groups: SampleGroups;
  #presets: readonly string[] = [];
  readonly #keys: KnownKeys;
  /** The number of items, and the last place of items without one of their own. */
  #count = 0;
  #place = 0;
  #table: Extract<Converted, { kind: "table" }> | null = null;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    const { budget } = parts.opened.file;
    this.#keys = new KnownKeys(budget);
    this.#groups = new SampleGroups(budget);
  }

  /** @throws FileRefusal */
  async *read(): AsyncGenerator<Item> {
    const { context, converter, filename, opened: { file, archive }, innerFiles } = this.#parts;
    const { source, mapping, targets: { fieldsOf } } = context;
    const { budget } = file;
    const openFile = () => innerFiles.begin();
    const input = { file, archive, filename, source, mapping, fieldsOf, budget, openFile };
    for await (const converted of converter.convert(input)) {
      await budget.turn(this.#place);
      if (converted.kind === "item") yield* this.#readItem(converted.item);
      else this.#note(converted);
    }
    if (archive === null) return;
    for (const fault of archive.faults) yield* this.#readFault(fault);
    this.#countUnused(archive);
  }

  /** Counts parts that were left out because of stored rows. */
  countLeftOut(names: readonly string[]): void {
    for (const name of names) this.#unmapped.add(name);
  }

  get groups(): ShownGroups {
    return this.#groups.shown;
  }

  get columns(): Pick<ImportPatch, "columns" | "presets" | "table_facts" | "unmapped"> {
    const table = this.#table;
    return {
      presets: this.#presets.length === 0 ? null : JSON.stringify(this.#presets),
      columns: table === null ? null : JSON.stringify(table.columns),
      table_facts: table === null ? null : JSON.stringify(table.facts),
      unmapped: JSON.stringify(this.#unmapped.names()),
    };
  }

  #note(fact: Exclude<Converted, { kind: "item" }>): void {
    switch (fact.kind) {
      case "table":
        this.#table = fact;
        break;
      case "presets":
        this.#presets = fact.names;
        break;
      case "unmapped":
        this.#unmapped.add(fact.name, fact.count);
        break;
      case "fault":
        this.#parts.opened.archive?.refuse(fact.entry, fact.rule);
        break;
      case "group":
        this.#groups.add(fact.name, fact.count);
        break;
      case "series":
        this.#groups.addSeries(fact.name, fact.group, fact.count);
    }
  }

  /** None for a repeated item. */
  *#readItem(source: SourceItem): Generator<Item> {
    const { work, context: { targets, now, mapping }, opened: { archive } } = this.#parts;
    const place = source.place ?? this.#place + 1;
    work.place = place;
    const members = source.people === undefined
      ? source.members
      : withCategories(source.members, mapping);
    const read = readItem({ ...source, place, members }, { archive, targets, now });
    for (const { name, path = name } of read.files) {
      archive?.used.add(archive.find(path)?.name ?? path);
    }
    const equalPaths = read.refused.length === 0 ? source.equalPaths ?? [] : [];
    for (const path of equalPaths) archive?.used.add(path);
    const item = this.#withOwnKey(read, source.sameAs ?? read.digest);
    if (item === null) return this.#unmapped.add("item.repeated");
    this.#place = place;
    if (++this.#count > work.services.maximumItems) refuseFile("import.items", place, item.entry);
    for (const name of item.unmapped) this.#unmapped.add(name);
    const { target, title } = item;
    const count = this.sample.filter((each) => each.target === target).length;
    const isShown = target !== null && !item.isKnownOnly && title !== "" && count < SAMPLE_TITLES;
    if (isShown) this.sample.push({ place, target, title });
    yield item;
  }

  /** Renames a repeated key. Returns null if the content is repeated as well. */
  #withOwnKey(item: Item, content: string): Item | null {
    const { place, refused, people } = item;
    const key = people === null ? item.key : comparedUid(item.key);
    // A refused item has no content, so no other one is equal to it.
    const digest = refused.length > 0 ? null : sha256Hex(`${content}\n${key}`);
    if (this.#keys.add(key, place)) {
      if (digest !== null) this.#keys.addContent(digest, place);
      return item;
    }
    if (digest !== null && !this.#keys.addContent(digest, place)) return null;
    return withRepeatedKey(item, this.#keys.nextKey(item.key, key, place));
  }

  *#readFault({ place, name, shownName, rule }: EntryFault): Generator<Item> {
    if (isHiddenName(name)) return this.#unmapped.add("file.hidden");
    yield* this.#readItem({
      entry: shownName,
      members: { key: `entry:${place}` },
      refused: [rule],
    });
  }

  /** Counts files that were not read and that no item names. */
  #countUnused({ entries, links, repeated, used }: Archive): void {
    const { leftOut } = this.#parts.converter;
    for (const { name } of entries) {
      if (used.has(name)) continue;
      this.#unmapped.add(isHiddenName(name) ? "file.hidden" : leftOut?.(name) ?? "file.unused");
    }
    this.#unmapped.add("file.link", links);
    this.#unmapped.add("file.repeated", repeated);
  }
}

/** The digests of the keys of earlier items, and of their contents with their keys. */
class KnownKeys {
  readonly #keys: DigestCounts;
  readonly #contents: DigestCounts;
  /** The number of the last further item of each repeated key. */
  readonly #numbers = new Map<string, number>();
  readonly #budget: ReadingBudget;

  constructor(budget: ReadingBudget) {
    this.#keys = new DigestCounts(budget);
    this.#contents = new DigestCounts(budget);
    this.#budget = budget;
  }

  /** False for a known key. */
  add(key: string, place: number): boolean {
    return this.#keys.add(sha256Hex(key), place) === 1;
  }

  /** False for a known content. @param digest In hex. */
  addContent(digest: string, place: number): boolean {
    return this.#contents.add(digest, place) === 1;
  }

  /**
   * Adds the next key that is free: `key-2`, `key-3`.
   *
   * @param compared The form in which the key is compared.
   */
  nextKey(key: string, compared: string, place: number): string {
    let number = this.#numbers.get(compared) ?? 1;
    do number++; while (!this.add(fittingKey(`${compared}-${number}`), place));
    if (!this.#numbers.has(compared)) this.#budget.hold(entryBytes(compared), place);
    this.#numbers.set(compared, number);
    return fittingKey(`${key}-${number}`);
  }
}
