/** The lines of a card that a detail came from, kept so that they leave again as they came. */

import type { JsonValue } from "../../core/json.ts";
import {
  arrayOf,
  type InferObject,
  object,
  oneOf,
  string,
  Violations,
} from "../../validate/schema.ts";
import { VCARD_VERSIONS } from "./vcard_text.ts";

/** Maximum bytes of the lines of a detail as JSON; a detail with more has none. */
export const MAX_CARD_LINES_BYTES = 32 * 1024;

/**
 * Unfolded, each with its group and parameters, in the order of the card. Lines of a card 2.1 are
 * decoded, and count as 3.0.
 */
export const CARD_LINES = object({
  version: oneOf(...VCARD_VERSIONS),
  lines: arrayOf(string({ maximum: MAX_CARD_LINES_BYTES, multiline: true }), 1, 100),
});
export type CardLines = InferObject<{ lines: typeof CARD_LINES }>["lines"];

/** True for lines that an import may store. */
export function isCardLines(value: JsonValue): boolean {
  const violations = new Violations();
  CARD_LINES.check(value, "lines", violations);
  return violations.isEmpty;
}
