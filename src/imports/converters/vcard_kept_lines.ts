/** Lines that stay with their details, so that they leave as they came. */

import type { JsonObject } from "../../core/json.ts";
import { MAX_CARD_LINES_BYTES } from "../../families/relationship/import_port.ts";
import { utf8Length } from "../../validate/canonical.ts";
import type { CardVersion } from "./vcard_lines.ts";

const MAX_LINES = 100;
/** Bytes of a UTF-16 unit as JSON, as `\u001f`. */
const MAX_ESCAPE = 6;

/**
 * Lines of version 2.1 count as 3.0.
 *
 * @returns `CARD_LINES`; undefined for lines that are too long, or that no database stores.
 */
export function cardLines(lines: readonly string[], version: CardVersion): JsonObject | undefined {
  if (lines.length === 0 || lines.length > MAX_LINES) return undefined;
  const whole: JsonObject = { version: version === "4.0" ? "4.0" : "3.0", lines: [...lines] };
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  const isShort = length < MAX_CARD_LINES_BYTES / MAX_ESCAPE - MAX_LINES ||
    utf8Length(JSON.stringify(whole)) <= MAX_CARD_LINES_BYTES;
  return isShort && !lines.some((line) => line.includes("\0")) ? whole : undefined;
}
