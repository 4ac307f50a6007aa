/** Compiled time zone files (TZif, RFC 9636, versions 1 to 4). Times and offsets: milliseconds. */

import { DAY_MS } from "./clock.ts";
import { type FooterRule, readFooter } from "./zone_footer.ts";

/** A change of a zone's offset from UTC. */
export interface OffsetChange {
  /** The first instant of the new offset. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The offsets of one zone. */
export interface ZoneFile {
  offsetAt(time: number): number;
  /** Returns the changes after `from`, up to and including `until`, in order. */
  changesBetween(from: number, until: number): OffsetChange[];
}

interface Block {
  /** Beginning with -Infinity. */
  readonly starts: readonly number[];
  /** From each start on. */
  readonly offsets: readonly number[];
  /** The position of the byte after the block. */
  readonly end: number;
}

const MAGIC = "TZif";
const VERSIONS = ["\0", "2", "3", "4"];
const HEADER_BYTES = 44;
const TYPE_BYTES = 6;
const LATIN1 = new TextDecoder("latin1");

/**
 * Reads a whole file.
 *
 * @throws SyntaxError if it is broken, or counts leap seconds, which times of this service do not.
 */
export function readZoneFile(bytes: Uint8Array): ZoneFile {
  const version = textOf(bytes, 4, 5);
  check(VERSIONS.includes(version), "version");
  const old = readBlock(bytes, 0, 4);
  if (version === "\0") {
    check(old.end === bytes.length, "length");
    return zoneOf(old, null);
  }
  const block = readBlock(bytes, old.end, 8);
  check(textOf(bytes, old.end + 4, old.end + 5) === version, "second version");
  const [footer, rule] = /^\n([^\n]*)\n$/.exec(textOf(bytes, block.end, bytes.length)) ?? [];
  check(footer !== undefined, "footer");
  return zoneOf(block, rule ? readFooter(rule) : null);
}

/**
 * Returns the zone of a POSIX rule, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
 *
 * @throws SyntaxError for another text.
 */
export function zoneOfRule(rule: string): ZoneFile {
  return zoneOf({ starts: [-Infinity], offsets: [0] }, readFooter(rule));
}

/** @param rule for the times from the last start on. */
function zoneOf({ starts, offsets }: Omit<Block, "end">, rule: FooterRule | null): ZoneFile {
  const last = starts.at(-1) ?? -Infinity;
  const hasLast = rule !== null && last !== -Infinity;
  check(!hasLast || rule.offsetAt(last) === offsets.at(-1), "rule of the footer");
  const offsetAt = (time: number) => {
    if (rule !== null && time >= last) return rule.offsetAt(time);
    return Number(offsets[starts.findLastIndex((at) => at <= time)]);
  };
  return {
    offsetAt,
    changesBetween(from, until) {
      const later = rule?.startsBetween(Math.max(from, last), until) ?? [];
      return [...starts, ...later].filter((at) => from < at && at <= until)
        .map((at) => ({ at, before: offsetAt(at - 1), after: offsetAt(at) }))
        .filter(({ before, after }) => before !== after);
    },
  };
}

/** @param timeBytes the size of a time: 4 in the block of version 1, otherwise 8. */
function readBlock(bytes: Uint8Array, start: number, timeBytes: 4 | 8): Block {
  check(textOf(bytes, start, start + 4) === MAGIC, "magic");
  check(bytes.length >= start + HEADER_BYTES, "header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [ut = 0, standard = 0, leaps = 0, times = 0, types = 0, characters = 0] = [0, 1, 2, 3, 4, 5]
    .map((index) => view.getUint32(start + 20 + 4 * index));
  const timesAt = start + HEADER_BYTES;
  const indexesAt = timesAt + times * timeBytes;
  const typesAt = indexesAt + times;
  const namesAt = typesAt + types * TYPE_BYTES;
  const flagsAt = namesAt + characters;
  const end = flagsAt + standard + ut;
  check(leaps === 0, "leap seconds");
  check(types > 0 && characters > 0 && end <= bytes.length, "counts");
  check([ut, standard].every((flags) => flags === 0 || flags === types), "counts of flags");
  check(bytes.subarray(flagsAt, end).every((flag) => flag <= 1), "flags");
  check(bytes[flagsAt - 1] === 0, "abbreviations");
  const typeOffsets = Array.from({ length: types }, (_, index) => {
    const at = typesAt + index * TYPE_BYTES;
    check(view.getUint8(at + 4) <= 1 && view.getUint8(at + 5) < characters, "type");
    return view.getInt32(at) * 1000;
  });
  // A clock of this service is less than a day from UTC.
  check(typeOffsets.every((offset) => Math.abs(offset) < DAY_MS), "offset");
  const starts = Array.from({ length: times }, (_, index) => {
    const at = timesAt + index * timeBytes;
    const high = view.getInt32(at);
    return 1000 * (timeBytes === 4 ? high : high * 2 ** 32 + view.getUint32(at + 4));
  });
  check(starts.every((time, index) => index === 0 || time > Number(starts[index - 1])), "order");
  const indexes = [0, ...bytes.subarray(indexesAt, typesAt)];
  check(indexes.every((index) => index < types), "index of a type");
  const offsets = indexes.map((index) => Number(typeOffsets[index]));
  return { starts: [-Infinity, ...starts], offsets, end };
}

function textOf(bytes: Uint8Array, from: number, until: number): string {
  return LATIN1.decode(bytes.subarray(from, until));
}

function check(isRight: boolean, part: string): void {
  if (!isRight) throw new SyntaxError(`The zone file is broken: ${part}`);
}
