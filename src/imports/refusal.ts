/** Refusals of whole files, with the violated rule and the line, row or entry. */

import { MAX_PATH, reportWord } from "./words.ts";

/** Rules of files; clients switch on them. */
export type FileRule =
  | `import.${"expired" | "format" | "version" | "items" | "item_size" | "budget"}`
  | `import.${"failed" | "spool" | "disk"}`
  | `csv.${"header" | "table"}`
  | `zip.${"end" | "name" | "duplicate" | "overlap" | "encrypted" | "split"}`
  | `zip.${"method" | "size" | "crc" | "ratio" | "entries" | "nested"}`
  | "gzip.crc"
  | "text.utf8"
  | "day_one.json"
  | "tar.header";

/** Rules by which a single entry of an archive is refused; the others come in. */
export type EntryRule =
  | `zip.${"name" | "duplicate" | "encrypted" | "method" | "size" | "crc" | "nested"}`
  | "text.utf8"
  | "day_one.json";

const ENTRY_RULES: readonly string[] = [
  "zip.name",
  "zip.duplicate",
  "zip.encrypted",
  "zip.method",
  "zip.size",
  "zip.crc",
  "zip.nested",
  "text.utf8",
  "day_one.json",
] satisfies readonly EntryRule[];

export function isEntryRule(rule: string): rule is EntryRule {
  return ENTRY_RULES.includes(rule);
}

/** A refusal of the whole file, before any of it is written. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
  readonly rule: FileRule;
  /** The number of the line, row or archive entry, from 1. */
  readonly place: number;
  /** The path of the archive's entry, as reports show it; null if no single entry is at fault. */
  readonly entry: string | null;

  constructor(rule: FileRule, place: number, entry: string | null = null) {
    super(`The file breaks ${rule}`);
    this.rule = rule;
    this.place = place;
    this.entry = entry === null ? null : reportWord(entry, MAX_PATH);
  }
}

export function refuseFile(rule: FileRule, place: number, entry: string | null = null): never {
  throw new FileRefusal(rule, place, entry);
}
