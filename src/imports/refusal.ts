/** Refusals of whole files, with the violated rule and the line, row or entry. */

/** Rules of files; clients switch on them. */
export type FileRule =
  | `import.${"expired" | "format" | "version" | "key" | "items" | "item_size" | "budget"}`
  | `import.${"failed" | "spool" | "disk"}`
  | `csv.${"header" | "quote"}`
  | `zip.${"end" | "name" | "duplicate" | "overlap" | "encrypted" | "split"}`
  | `zip.${"method" | "size" | "crc" | "ratio" | "entries" | "nested"}`
  | "items.line"
  | "text.utf8"
  | "day_one.json"
  | "tar.header";

/** A refusal of the whole file, before any of it is written. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
  readonly rule: FileRule;
  /** The number of the line, row or archive entry, from 1. */
  readonly place: number;

  constructor(rule: FileRule, place: number) {
    super(`The file breaks ${rule}`);
    this.rule = rule;
    this.place = place;
  }
}

export function refuseFile(rule: FileRule, place: number): never {
  throw new FileRefusal(rule, place);
}
