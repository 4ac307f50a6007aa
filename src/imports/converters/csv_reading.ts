/** Options that say how a table is read. */

import { type InferObject, integer, oneOf, optional, string } from "../../validate/schema.ts";
import { ENCODINGS } from "./text_encoding.ts";

export const READING = {
  table: optional(string({ maximum: 1024 })),
  encoding: optional(oneOf(...ENCODINGS)),
  delimiter: optional(oneOf(",", ";", "tab", "|")),
  headerLine: optional(integer(1, 1_000)),
};

export type ReadingOptions = InferObject<typeof READING>;
export type DelimiterWord = NonNullable<ReadingOptions["delimiter"]>;
