import { sha256Hex } from "../../src/core/digest.ts";
import { manifestLine, OWN_FILE } from "../../src/portability/json_lines.ts";
import { LINE_TYPES } from "../../src/portability/line_types.ts";
import { canonicalJson } from "../../src/validate/canonical.ts";
import type { Json } from "./world.ts";

/** Adds the manifest. */
export function fileOf(lines: readonly (Json | string)[]): string {
  const counts = Object.fromEntries(LINE_TYPES.map(({ type }) => [type, 0]));
  const texts = lines.map((line) => typeof line === "string" ? line : canonicalJson(line));
  for (const text of texts) {
    const { type } = JSON.parse(text);
    if (type in counts) counts[type] = (counts[type] ?? 0) + 1;
  }
  const before = [OWN_FILE.headLine, ...texts].map((text) => `${text}\n`).join("");
  return `${before}${manifestLine(counts, sha256Hex(before))}\n`;
}

export const EMPTY_ACCOUNT = {
  raw: fileOf([]),
  headers: { "Content-Type": "application/jsonl" },
} as const;
