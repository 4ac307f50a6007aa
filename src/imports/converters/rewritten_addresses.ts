/** Replaces addresses and links in a Markdown text, and nothing else. */

import type { ReadingBudget } from "../reading_budget.ts";
import { type NoteAddress, noteAddresses } from "./note_addresses.ts";

/** Characters of the new addresses of a text. */
const MAX_ADDED = 16 * 1024 * 1024;
/** Parts of a text that are joined together. */
const MAX_PARTS = 1_000;

export interface Rewritten {
  /** The replaced part of the text: the address, or the whole link around it. */
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

/**
 * @param rewrite Returns null for an address that stays.
 * @returns Null for a text that would be more than 16 MiB longer.
 */
export async function rewriteAddresses(
  text: string,
  budget: ReadingBudget,
  rewrite: (address: NoteAddress) => Promise<Rewritten | null> | Rewritten | null,
): Promise<string | null> {
  const parts: string[] = [];
  let [done, copied, added] = ["", 0, 0];
  for (const address of noteAddresses(text)) {
    await budget.turn(1);
    const rewritten = address === null ? null : await rewrite(address);
    if (rewritten === null) continue;
    const { start, end, written } = rewritten;
    added += written.length;
    if (added > MAX_ADDED) return null;
    parts.push(text.slice(copied, start), written);
    copied = end;
    if (parts.length > MAX_PARTS) done += parts.splice(0).join("");
  }
  return done + parts.join("") + text.slice(copied);
}
