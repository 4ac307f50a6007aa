import type { Identity } from "../access/identity.ts";
import { component, enumOf, type JsonSchema, objectOf, ULID } from "../validate/json_schema.ts";
import {
  type Memory,
  MEMORY_CHANGES,
  MEMORY_MEMBERS,
  type MemoryChange,
  type MemoryRow,
  type PrivacyLevel,
  toMemory,
} from "./memory.ts";
import { redact, REDACTED_MEMBERS, type RedactedMemory } from "./privacy.ts";

/** A memory as a certain reader may see it. */
export type ShownMemory = Memory | RedactedMemory;

export const MEMORY_SCHEMA: JsonSchema = {
  anyOf: [
    component<Memory>("Memory", MEMORY_MEMBERS),
    component<RedactedMemory>("RedactedMemory", REDACTED_MEMBERS),
  ],
};

/** A memory as it was at a revision, and what the revision did. */
export type ShownRevision = ShownMemory & {
  readonly revisionId: string;
  readonly change: MemoryChange;
};

const REVISION_MEMBERS = { revisionId: ULID, change: enumOf(MEMORY_CHANGES) } as const;

export const MEMORY_REVISION_SCHEMA: JsonSchema = {
  anyOf: [
    { component: "MemoryRevision", ...objectOf({ ...MEMORY_MEMBERS, ...REVISION_MEMBERS }) },
    {
      component: "RedactedMemoryRevision",
      ...objectOf({ ...REDACTED_MEMBERS, ...REVISION_MEMBERS }),
    },
  ],
};

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
