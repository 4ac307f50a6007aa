/** Runs a converter on small files in memory. Few bytes in a chunk part most values. */

import type { JsonObject } from "../../src/core/json.ts";
import { Archive } from "../../src/imports/archive/archive.ts";
import type { Converter, SourceItem } from "../../src/imports/converters/converter.ts";
import { inputOf } from "../families/relationship/cards.ts";

/** Texts or bytes by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface ConvertedFile {
  /** With running numbers as places. */
  readonly items: readonly SourceItem[];
  /** The unmapped names of the file and of its items. */
  readonly counts: Readonly<Record<string, number>>;
  readonly groups: Readonly<Record<string, number>>;
  /** Paths and rules of entries that cannot be read. */
  readonly faults: readonly (readonly [path: string, rule: string])[];
  /** Paths of the archive that were read. */
  readonly used: ReadonlySet<string>;
}

interface Options {
  readonly mapping?: JsonObject | null;
  readonly source?: string;
  readonly filename?: string | null;
  readonly chunkBytes?: number;
}

/** @param file The files of an archive, or the text of a bare file. */
export async function convertFile(
  converter: Converter,
  file: Files | string,
  { mapping = null, source = converter.format, filename = null, chunkBytes = 64 }: Options = {},
): Promise<ConvertedFile> {
  const archive = typeof file === "string" ? null : await archiveOf(file, chunkBytes);
  const input = inputOf(bytesOf(typeof file === "string" ? file : ""), chunkBytes);
  const counts = new Map<string, number>();
  const groups = new Map<string, number>();
  const items: SourceItem[] = [];
  const faults: [string, string][] = [];
  const options = { archive, source, filename, mapping };
  for await (const each of converter.convert({ ...input, ...options })) {
    if (each.kind === "item") items.push({ place: items.length + 1, ...each.item });
    if (each.kind === "unmapped" && each.count !== 0) add(counts, each.name, each.count);
    if (each.kind === "group") add(groups, each.name, each.count);
    if (each.kind === "fault") faults.push([each.entry.name, each.rule]);
  }
  for (const { unmapped = [] } of items) for (const name of unmapped) add(counts, name);
  const sorted = (map: ReadonlyMap<string, number>) => Object.fromEntries([...map].toSorted());
  return {
    items,
    counts: sorted(counts),
    groups: sorted(groups),
    faults,
    used: archive?.used ?? new Set(),
  };
}

/** A checked archive, whose entries arrive in chunks. */
export async function archiveOf(files: Files, chunkBytes = 64): Promise<Archive> {
  const entries = Object.entries(files).map(([name, content], index) => {
    const bytes = bytesOf(content);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        yield await Promise.resolve(bytes.slice(at, at + chunkBytes));
      }
    }
    const place = index + 1;
    return { place, name, shownName: name, size: bytes.length, modified: null, bytes: chunks };
  });
  const archive = new Archive(entries, 0);
  await archive.check(() => {});
  return archive;
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function add(counts: Map<string, number>, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
