import { payloadInvalid } from "../errors/service_error.ts";

/** Stable names of the rules of an account file, in addition to those of JSON. */
export type ImportRule =
  /** The first line is not that of an account file. */
  | "import.format"
  | "import.version"
  /** A line is longer than any that is written. */
  | "import.line_length"
  /** A line does not end with a line feed. */
  | "import.line_end"
  /** A line is not a canonical object. */
  | "import.canonical"
  /** A type is unknown, or not allowed here. */
  | "import.type"
  | "import.order"
  | "import.repeated"
  /** A member is missing or unknown. */
  | "import.member"
  /** A value does not match its member. */
  | "import.value"
  /** Something was made in the future. */
  | "import.future"
  /** Bytes are not base64, or differ from their attachment's. */
  | "import.bytes"
  /** The last line is missing, is not a manifest, or is not the last. */
  | "import.manifest"
  /** The number of lines of a type differs from the manifest. */
  | "import.counts"
  /** The digest differs from the manifest. */
  | "import.digest"
  /** A row refers to a missing one. */
  | "import.reference"
  /** A row breaks a rule of its table. */
  | "import.guard"
  | "import.quota";

export function refuseImport(rule: ImportRule): never {
  throw payloadInvalid([rule]);
}
