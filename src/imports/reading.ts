/** The first half of an import: its file becomes items, which wait in its folder. */

import type { Archive, Entry } from "./archive/archive.ts";
import { converterOf } from "./converters/converters.ts";
import { isHiddenName } from "./converters/names.ts";
import type { ImportFolder } from "./folder.ts";
import type { Converter, SourceFile } from "./converters/converter.ts";
import { Counts } from "./counts.ts";
import type { ImportRow } from "./import.ts";
import { isUsable } from "./judge.ts";
import { type Item, readItem } from "./item.ts";
import { openFile } from "./open_file.ts";
import { refuseFile } from "./refusal.ts";
import type { ImportWork } from "./work.ts";

const MAX_ITEMS = 200_000;
/** Titles of each target in the sample. */
const SAMPLE_TITLES = 10;

export interface SampleItem {
  readonly place: number;
  readonly target: string;
  readonly title: string;
}

/**
 * Reads a file, and writes its items and its sample.
 *
 * @throws FileRefusal
 */
export async function readFile(
  work: ImportWork,
  row: ImportRow,
): Promise<Pick<ImportRow, "columns" | "unmapped">> {
  const { services: { folder, targets }, importId } = work;
  const { source, mapping, now } = work.judging(row);
  const converter = converterOf(row.format);
  using opened = await openFile(folder, importId, converter, true);
  const used = new UsedFiles(opened.archive);
  const unmapped = new Counts();
  const sample = new Sample();
  const keys = new Set<string>();
  let columns: readonly string[] | null = null;
  await using items = await folder.writer(importId, "items");
  const { fieldsOf } = targets;
  const input = { file: opened.file, archive: used.archive, source, mapping, fieldsOf };
  for await (const converted of converter.convert(input)) {
    work.assertGoing();
    if (converted.kind === "columns") {
      columns = converted.columns;
    } else if (converted.kind === "left") {
      unmapped.add(converted.name, converted.count);
    } else {
      const item = readItem(converted.item, opened.archive, targets, now);
      if (keys.has(item.key)) refuseFile("import.key", item.place);
      keys.add(item.key);
      if (keys.size > MAX_ITEMS) refuseFile("import.items", item.place);
      await keepFiles(folder, importId, item, converted.item.files ?? []);
      for (const { name } of item.files) used.add(name);
      for (const name of item.unmapped) unmapped.add(name);
      sample.add(item);
      await items.write(item);
    }
  }
  await items.end();
  for (const name of used.leftOut(converter.leftOut)) unmapped.add(name);
  await folder.write(importId, "sample", JSON.stringify(sample.items));
  return {
    columns: columns === null ? null : JSON.stringify(columns),
    unmapped: JSON.stringify(unmapped.names()),
  };
}

/** Keeps the files inside an item's text for the run. */
async function keepFiles(
  folder: ImportFolder,
  importId: string,
  item: Item,
  files: readonly SourceFile[],
): Promise<void> {
  for (const { name, bytes } of files) {
    const kept = item.files.find((file) => file.name === name);
    if (kept === undefined || !isUsable(kept)) continue;
    await folder.write(importId, `file-${kept.sha256}`, bytes);
  }
}

class Sample {
  readonly items: SampleItem[] = [];
  readonly #counts = new Map<string, number>();

  add({ place, target, title }: Item): void {
    const count = this.#counts.get(target ?? "") ?? 0;
    if (target === null || title === "" || count >= SAMPLE_TITLES) return;
    this.#counts.set(target, count + 1);
    this.items.push({ place, target, title });
  }
}

/** The files of an archive that were read, or that an item named. */
class UsedFiles {
  /** The archive, which notes what is read. */
  readonly archive: Archive | null;
  readonly #names = new Set<string>();

  constructor(archive: Archive | null) {
    this.archive = archive === null ? null : {
      entries: archive.entries,
      links: archive.links,
      find: (name) => archive.find(name),
      read: (entry) => {
        this.#names.add(entry.name);
        return archive.read(entry);
      },
    };
  }

  add(name: string): void {
    this.#names.add(name);
  }

  /** A name for each file that was left out. */
  leftOut(ownName: Converter["leftOut"]): string[] {
    if (this.archive === null) return [];
    const { entries, links } = this.archive;
    const left = entries.filter(({ name }) => !this.#names.has(name));
    const nameOf = ({ name }: Entry) => {
      if (isHiddenName(name)) return "file.hidden";
      return ownName?.(name) ?? "file.unused";
    };
    return [...left.map(nameOf), ...Array.from({ length: links }, () => "file.link")];
  }
}
