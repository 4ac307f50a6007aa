/** Why a whole file is refused: its rule, and the line, row or entry at which it was broken. */

/** The rules of a file. A client switches on them. */
export type FileRule =
  | "import.expired"
  | "import.format"
  | "import.version"
  | "import.key"
  | "import.items"
  | "items.line"
  | "text.utf8"
  | "day_one.json"
  | "csv.header"
  | "csv.quote"
  | "zip.end"
  | "zip.name"
  | "zip.duplicate"
  | "zip.overlap"
  | "zip.encrypted"
  | "zip.split"
  | "zip.method"
  | "zip.size"
  | "zip.crc"
  | "zip.ratio"
  | "zip.entries"
  | "zip.nested"
  | "tar.header";

/** The file is refused as a whole: nothing of it is written. */
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
