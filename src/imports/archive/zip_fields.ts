/** Names, sizes and times of zip entries (APPNOTE 6.3.9, and the extra fields of Info-ZIP). */

import { crc32 } from "node:zlib";
import { decodeBytes, decodeUtf8 } from "../converters/text_encoding.ts";
import { refuseFile } from "../refusal.ts";
import { type EntryTime, realTime } from "./archive.ts";

const ZIP_64_FIELD = 1;
const UNIX_TIMES_FIELD = 0x5455;
const UNICODE_PATH_FIELD = 0x7075;
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @throws FileRefusal `zip.end` for a number that JavaScript cannot hold. */
export function wideNumber(view: DataView, at: number, place: number): number {
  const value = Number(view.getBigUint64(at, true));
  return Number.isSafeInteger(value) ? value : refuseFile("zip.end", place);
}

/** The data of the first extra field with a number; null without one. */
function fieldOf(extra: Uint8Array, id: number): Uint8Array | null {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > extra.length) return null;
    if (view.getUint16(at, true) === id) return extra.subarray(at + 4, end);
    at = end;
  }
  return null;
}

export type Numbers = Record<"size" | "packedSize" | "offset" | "disk", number>;

/**
 * Replaces numbers that do not fit into their fields by those of zip64.
 *
 * @returns Null if zip64 lacks one.
 */
export function widen(narrow: Numbers, extra: Uint8Array, place: number): Numbers | null {
  const field = fieldOf(extra, ZIP_64_FIELD);
  if (field === null) return narrow;
  const view = viewOf(field);
  const wide = { ...narrow };
  let from = 0;
  for (const name of ["size", "packedSize", "offset"] as const) {
    if (narrow[name] !== FULL_32) continue;
    if (from + 8 > field.length) return null;
    wide[name] = wideNumber(view, from, place);
    from += 8;
  }
  if (narrow.disk === FULL_16) {
    wide.disk = from + 4 <= field.length ? view.getUint32(from, true) : 1;
  }
  return wide;
}

/** Decodes a name: UTF-8, else the Unicode path of the extra fields, else code page 437. */
export function decodeName(bytes: Uint8Array, extra: Uint8Array): string {
  return decodeUtf8(bytes) ?? unicodePath(bytes, extra) ?? decodeBytes(bytes, "cp437");
}

/** Null if it belongs to another name. */
function unicodePath(name: Uint8Array, extra: Uint8Array): string | null {
  const field = fieldOf(extra, UNICODE_PATH_FIELD);
  if (field === null || field.length < 5) return null;
  return viewOf(field).getUint32(1, true) === crc32(name) ? decodeUtf8(field.subarray(5)) : null;
}

/** The instant of an extra field; else the local digits of DOS. */
export function modifiedOf(
  extras: readonly Uint8Array[],
  dos: { readonly date: number; readonly time: number },
): EntryTime | null {
  for (const extra of extras) {
    const field = fieldOf(extra, UNIX_TIMES_FIELD);
    const hasTime = field !== null && field.length >= 5 && ((field[0] ?? 0) & 1) === 1;
    const time = hasTime ? realTime(viewOf(field).getInt32(1, true) * 1000) : null;
    if (time !== null) return time;
  }
  return localTime(dos);
}

function localTime(
  { date, time }: { readonly date: number; readonly time: number },
): EntryTime | null {
  const [year, month, day] = [1980 + (date >> 9), date >> 5 & 15, date & 31];
  const [hour, minute, second] = [time >> 11, time >> 5 & 63, (time & 31) * 2];
  const moment = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isReal = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day &&
    moment.getUTCHours() === hour && moment.getUTCMinutes() === minute && second < 60;
  if (!isReal || realTime(moment.getTime()) === null) return null;
  return { local: moment.toISOString().slice(0, 19) };
}
