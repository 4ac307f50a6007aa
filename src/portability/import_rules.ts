import { payloadInvalid } from "../errors/service_error.ts";

/** The stable names of what an account file is refused for, besides those of JSON itself. */
export type ImportRule =
  /** The first line is that of no account file. */
  | "import.format"
  /** The first line is that of another version. */
  | "import.version"
  /** A line is longer than any that is written. */
  | "import.line_length"
  /** A line is not ended by a line feed. */
  | "import.line_end"
  /** A line is not in canonical form, or no object. */
  | "import.canonical"
  /** A type is unknown, or has no place here. */
  | "import.type"
  /** Types, lines or rows are not in their order. */
  | "import.order"
  /** A line or a row comes twice. */
  | "import.repeated"
  /** A member is missing, or not known. */
  | "import.member"
  /** A value is not of the kind of its member. */
  | "import.value"
  /** Something was made at a time that has not come. */
  | "import.future"
  /** Bytes are no base64, or not those that their attachment has. */
  | "import.bytes"
  /** The last line is missing, or is none, or is not the last. */
  | "import.manifest"
  /** There are not as many lines of each type as the manifest says. */
  | "import.counts"
  /** The bytes are not those that the manifest was made for. */
  | "import.digest"
  /** A row refers to what is not there. */
  | "import.reference"
  /** A row breaks a rule of its table. */
  | "import.guard"
  /** There are more attachments than an account may have. */
  | "import.quota";

/** Refuses the file. */
export function refuseImport(rule: ImportRule): never {
  throw payloadInvalid([rule]);
}
