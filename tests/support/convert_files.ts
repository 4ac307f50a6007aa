/** Converts files in memory, without a service. */

import type { JsonObject } from "../../src/core/json.ts";
import { Archive } from "../../src/imports/archive/archive.ts";
import type { Converter, SourceItem } from "../../src/imports/converters/converter.ts";
import { inputOf } from "../families/relationship/cards.ts";

/** Few bytes, so that most values are parted by the end of a chunk. */
const CHUNK_BYTES = 64;

interface ConvertedFile {
  readonly items: readonly SourceItem[];
  /** Counts by the names of content that was left out. */
  readonly unmapped: Readonly<Record<string, number>>;
  readonly used: ReadonlySet<string>;
}

/** @param file A text, or the files of an archive by their paths. */
export async function convertFile(
  converter: Converter,
  file: string | Readonly<Record<string, string>>,
  mapping: JsonObject | null = null,
): Promise<ConvertedFile> {
  const archive = typeof file === "string" ? null : archiveOf(file);
  const input = inputOf(bytesOf(typeof file === "string" ? file : ""), CHUNK_BYTES);
  const items: SourceItem[] = [];
  const unmapped: Record<string, number> = {};
  for await (const converted of converter.convert({ ...input, archive, mapping })) {
    if (converted.kind === "item") items.push(converted.item);
    if (converted.kind !== "unmapped" || converted.count === 0) continue;
    const { name, count = 1 } = converted;
    unmapped[name] = (unmapped[name] ?? 0) + count;
  }
  return { items, unmapped, used: archive?.used ?? new Set() };
}

function archiveOf(files: Readonly<Record<string, string>>): Archive {
  const entries = Object.entries(files).map(([name, text], index) => ({
    place: index + 1,
    name,
    shownName: name,
    size: bytesOf(text).length,
    modified: null,
    async *bytes() {
      const bytes = bytesOf(text);
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
        yield await Promise.resolve(bytes.slice(at, at + CHUNK_BYTES));
      }
    },
  }));
  return new Archive(entries, 0);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
