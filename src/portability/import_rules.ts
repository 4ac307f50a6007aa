import { payloadInvalid } from "../errors/service_error.ts";

/** The stable names of the rules of an account file, besides those of JSON itself. */
export type ImportRule =
  /** The first line is not that of an account file. */
  | "import.format"
  /** The first line has another version. */
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
  /** Bytes are not base64, or not those of their attachment. */
  | "import.bytes"
  /** The last line is missing, is not a manifest, or is not the last. */
  | "import.manifest"
  /** The number of lines of a type differs from the manifest. */
  | "import.counts"
  /** The bytes are not those that the manifest was made for. */
  | "import.digest"
  /** A row refers to a missing one. */
  | "import.reference"
  /** A row breaks a rule of its table. */
  | "import.guard"
  /** There are more attachments than an account may have. */
  | "import.quota";

/** Refuses the file. */
export function refuseImport(rule: ImportRule): never {
  throw payloadInvalid([rule]);
}
