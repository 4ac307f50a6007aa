import type { Identity } from "../access/identity.ts";
import { type Memory, type MemoryRow, type PrivacyLevel, toMemory } from "./memory.ts";
import { redact, type RedactedMemory } from "./privacy.ts";

/** A memory as a certain reader may see it. */
export type ShownMemory = Memory | RedactedMemory;

/** Whether the reader may see what is SECRET, and write it. */
export function maySeeSecrets({ permissions }: Identity): boolean {
  return permissions.has("memory.secret");
}

/** Whether what has this level today is hidden from the reader. */
export function isHidden(levelToday: PrivacyLevel, reader: Identity): boolean {
  return levelToday === "SECRET" && !maySeeSecrets(reader);
}

/** A memory, or an old revision of it, as far as the memory's level of today lets the reader see. */
export function showMemory(
  row: MemoryRow,
  reader: Identity,
  levelToday: PrivacyLevel = row.privacy_level,
): ShownMemory {
  const memory = toMemory(row);
  return isHidden(levelToday, reader) ? redact(memory) : memory;
}
