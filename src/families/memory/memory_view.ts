/** The form of a memory for its reader: complete, or without its texts. */

import { type Caller, hidesSecret } from "../../access/identity.ts";
import { component, enumOf, type JsonSchema, objectOf, ULID } from "../../validate/json_schema.ts";
import {
  type Memory,
  MEMORY_CHANGES,
  MEMORY_MEMBERS,
  type MemoryRow,
  type PrivacyLevel,
  toMemory,
} from "./memory.ts";

/** The values that replace the texts of a person or a model. */
const NO_WORDS = {
  title: "",
  summary: "",
  originalContent: null,
  currentContent: null,
  timeText: null,
  aiDraft: null,
  aiDraftProvider: null,
  aiDraftModel: null,
  redacted: true,
} as const;

/** A SECRET memory for a credential that may not see it (decisions, MEM-007). */
export type RedactedMemory = Omit<Memory, keyof typeof NO_WORDS> & typeof NO_WORDS;

/** A memory as a certain reader may see it. */
export type ShownMemory = Memory | RedactedMemory;

const NOTHING: JsonSchema = { type: "null" };
const EMPTY: JsonSchema = { const: "" };

const REDACTED_MEMBERS = {
  ...MEMORY_MEMBERS,
  title: EMPTY,
  summary: EMPTY,
  originalContent: NOTHING,
  currentContent: NOTHING,
  timeText: NOTHING,
  aiDraft: NOTHING,
  aiDraftProvider: NOTHING,
  aiDraftModel: NOTHING,
  redacted: { const: true },
} as const satisfies { readonly [Name in keyof RedactedMemory]: JsonSchema };

export const MEMORY_SCHEMA: JsonSchema = {
  anyOf: [
    component<Memory>("Memory", MEMORY_MEMBERS),
    component<RedactedMemory>("RedactedMemory", REDACTED_MEMBERS),
  ],
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

/** True if the reader may see SECRET memories, and write them. */
export function maySeeSecrets({ permissions }: Caller): boolean {
  return permissions.has("memory.secret");
}

/** True if a memory with this current level is hidden from the reader. */
export function isHidden(levelToday: PrivacyLevel, reader: Caller): boolean {
  return levelToday === "SECRET" && !maySeeSecrets(reader);
}

/** Whether content of this level today is hidden from the reader. If it is shown, the read is noted. */
export function hides(levelToday: PrivacyLevel, reader: Caller, id: string): boolean {
  return levelToday === "SECRET" && hidesSecret(reader, "memory.secret", id);
}

/** Removes the texts of a memory. */
export function redact(memory: Memory): RedactedMemory {
  return { ...memory, ...NO_WORDS };
}

/** A memory, or an old revision of it, as far as the memory's level of today lets the reader see. */
export function showMemory(row: MemoryRow, reader: Caller): ShownMemory {
  const memory = toMemory(row);
  const level = row.level_today ?? row.privacy_level;
  return hides(level, reader, row.memory_id) ? redact(memory) : memory;
}
