/** Lines that stay with their details, so that they leave as they came. */

import type { JsonObject } from "../../core/json.ts";
import { type CardLines, MAX_CARD_LINES_BYTES } from "../../families/relationship/import_port.ts";
import { utf8Length } from "../../validate/canonical.ts";
import type { ContentLine } from "./vcard_lines.ts";

const MAX_LINES = 100;
/** Bytes of a UTF-16 unit as JSON, as `\u001f`. */
const MAX_ESCAPE = 6;

export interface CardVersion {
  /** True for 2.1. */
  readonly isOld: boolean;
  /** The version of the kept lines. Those of 2.1 count as 3.0. */
  readonly kept: CardLines["version"];
}

/** A card of an unknown version is read as 3.0. */
export function versionOf(lines: readonly ContentLine[]): CardVersion {
  const stated = lines.find(({ name }) => name === "VERSION")?.value.trim() ?? "";
  return { isOld: stated === "2.1", kept: stated === "4.0" ? "4.0" : "3.0" };
}

/** @returns `CARD_LINES`; undefined for lines that are too long, or that no database stores. */
export function cardLines(lines: readonly string[], { kept }: CardVersion): JsonObject | undefined {
  if (lines.length === 0 || lines.length > MAX_LINES) return undefined;
  const whole: JsonObject = { version: kept, lines: [...lines] };
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  const isShort = length < MAX_CARD_LINES_BYTES / MAX_ESCAPE - MAX_LINES ||
    utf8Length(JSON.stringify(whole)) <= MAX_CARD_LINES_BYTES;
  return isShort && !lines.some((line) => line.includes("\0")) ? whole : undefined;
}
