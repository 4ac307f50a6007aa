/** The JSON texts of a timeline: a bare file, or each entry of Takeout with the sign of one. */

import type { Entry } from "../../archive/archive.ts";
import type { ConverterInput } from "../converter.ts";
import type { JsonShape } from "../json_shape.ts";
import { entryShape } from "../seen_file.ts";

const JSON_NAME = /\.json$/i;

export interface TimelineFile {
  /** The number of the archive's entry; 0 for a bare file. */
  readonly place: number;
  /** The path of the archive's entry; null for a bare file. */
  readonly entry: string | null;
  readonly bytes: () => AsyncGenerator<Uint8Array>;
}

/** In the order of their paths, so that the order of the archive does not decide about places. */
export async function* timelineFiles(
  { file, archive }: Pick<ConverterInput, "file" | "archive">,
): AsyncGenerator<TimelineFile> {
  if (archive === null) return yield { place: 0, entry: null, bytes: () => file.stream() };
  for (const entry of archive.matching(JSON_NAME).toSorted(byName)) {
    if (!isTimeline(await entryShape(entry))) continue;
    const { place, shownName } = entry;
    yield { place, entry: shownName, bytes: () => archive.read(entry) };
  }
}

function byName({ name: one }: Entry, { name: other }: Entry): number {
  return one < other ? -1 : 1;
}

/** True for the beginning of any kind of timeline. */
export function isTimeline(shape: JsonShape): boolean {
  const has = (...paths: readonly string[]) => paths.some((path) => shape.has(path));
  return has("timelineObjects", "semanticSegments", "rawSignals") ||
    has("locations 0 latitudeE7", "locations 0 timestampMs") ||
    has("0 startTime") && has("0 visit", "0 activity", "0 timelinePath", "0 timelineMemory");
}
