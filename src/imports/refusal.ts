/** Refusals of whole files, with the violated rule and the line, row or entry. */

import { MAX_PATH, reportWord } from "./words.ts";

/** Rules of files; clients switch on them. */
export type FileRule =
  | `import.${"expired" | "version" | "items" | "item_size" | "budget"}`
  | `import.${"failed" | "spool" | "disk"}`
  | `csv.${"header" | "table"}`
  | `zip.${"end" | "overlap" | "split" | "ratio" | "entries"}`
  | `xml.${"entity" | "depth" | "length" | "end"}`
  | "gzip.crc"
  | "json.syntax"
  | "tar.header"
  | EntryRule;

const ENTRY_RULES = [
  "zip.name",
  "zip.duplicate",
  "zip.encrypted",
  "zip.method",
  "zip.size",
  "zip.crc",
  "zip.nested",
  "text.utf8",
  "day_one.json",
  "import.format",
] as const;

/** Rules by which a single entry of an archive is refused; the others come in. */
export type EntryRule = (typeof ENTRY_RULES)[number];

export function isEntryRule(rule: string): rule is EntryRule {
  return (ENTRY_RULES as readonly string[]).includes(rule);
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
