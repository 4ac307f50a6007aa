/** The lines of a table that may not begin inside quotes. */

import { RowReader } from "./csv_row_reader.ts";
import type { ReadLines, TextLine } from "./lines.ts";

/** Bytes in memory of the further lines of a row. */
export const MAX_RETAINED = 1024 * 1024;
/** Bytes in memory of a line, in addition to its characters. */
const LINE_BYTES = 200;

/** Bytes in memory of a retained line. */
export function retainedBytes({ text }: TextLine): number {
  return text.length + LINE_BYTES;
}

/** Lines that lead to a fault if a row begins before them and continues in quotes. */
interface FaultyLines {
  readonly from: number;
  /** The line with the fault; infinite if no line closes the quotes. */
  readonly to: number;
}

/**
 * Finds the faults to which open quotes lead far ahead, so that a row with such a fault is refused
 * before the lines after its first need too much memory. The table is read once, when the first
 * row needs it.
 */
export class OpenQuotes {
  readonly #lines: ReadLines;
  readonly #delimiter: string;
  #faults: readonly FaultyLines[] | null = null;

  constructor(lines: ReadLines, delimiter: string) {
    this.#lines = lines;
    this.#delimiter = delimiter;
  }

  /**
   * The line of the fault to which a line leads that begins inside quotes; null for none. Only for
   * rows whose further lines need more memory than is allowed.
   */
  async endOfFault(line: number): Promise<number | null> {
    this.#faults ??= await this.#findFaults();
    return this.#faults.find(({ from, to }) => from <= line && line <= to)?.to ?? null;
  }

  /** Reads each line as if it began inside quotes. Lines that stay inside have the same result. */
  async #findFaults(): Promise<readonly FaultyLines[]> {
    const faults: FaultyLines[] = [];
    const reader = new RowReader(this.#delimiter);
    let [from, bytes, isSkipped] = [0, 0, false];
    const end = (to: number, isFault: boolean) => {
      if (isFault && bytes > MAX_RETAINED) faults.push({ from, to });
      [from, bytes] = [0, 0];
    };
    let begun = 0;
    const read = (line: TextLine) => {
      const { place, isOpen = false } = line;
      if (begun !== place) {
        reader.resetToQuoted();
        [begun, isSkipped] = [place, false];
      }
      if (isSkipped) return;
      if (from === 0) from = place;
      bytes += retainedBytes(line);
      const row = reader.read(line);
      if (row === "fault") end(place, true);
      else if (row !== "open") end(place, false);
      isSkipped = row === "fault" && isOpen;
    };
    for await (const lines of this.#lines()) lines.forEach(read);
    if (from !== 0) end(Infinity, true);
    return faults;
  }
}
