import { type Caller, hidesSecret } from "../../access/identity.ts";
import { ATTACHMENT_IDS, attachmentIds, NO_ATTACHMENT_IDS } from "../../validate/attachment_ids.ts";
import { component, enumOf, type JsonSchema, objectOf, ULID } from "../../validate/json_schema.ts";
import { localTimesSchema } from "../../validate/local_time.ts";
import {
  type Memory,
  MEMORY_CHANGES,
  MEMORY_MEMBERS,
  type MemoryRow,
  type PrivacyLevel,
  toMemory,
} from "./memory.ts";

/** Members that replace the texts of a person or a model, and the zone, which names a place. */
const NO_WORDS = {
  title: "",
  summary: "",
  originalContent: null,
  currentContent: null,
  timeText: null,
  localTimes: {},
  aiDraft: null,
  aiDraftProvider: null,
  aiDraftModel: null,
  redacted: true,
} as const;

/** A SECRET memory as shown to a credential that may not see it (decisions, MEM-007). */
type RedactedMemory = Omit<Memory, keyof typeof NO_WORDS> & typeof NO_WORDS;

interface NamedFiles {
  readonly attachmentIds: readonly string[];
}

/** Revisions have no `attachmentIds`. */
export type ShownMemory = (Memory | RedactedMemory) & Partial<NamedFiles>;

const NOTHING: JsonSchema = { type: "null" };
const EMPTY: JsonSchema = { const: "" };

const REDACTED_MEMBERS = {
  ...MEMORY_MEMBERS,
  title: EMPTY,
  summary: EMPTY,
  originalContent: NOTHING,
  currentContent: NOTHING,
  timeText: NOTHING,
  localTimes: localTimesSchema([]),
  aiDraft: NOTHING,
  aiDraftProvider: NOTHING,
  aiDraftModel: NOTHING,
  redacted: { const: true },
} as const satisfies { readonly [Name in keyof RedactedMemory]: JsonSchema };

export const MEMORY_SCHEMA: JsonSchema = {
  anyOf: [
    component<Memory & NamedFiles>("Memory", {
      ...MEMORY_MEMBERS,
      attachmentIds: ATTACHMENT_IDS,
    }),
    component<RedactedMemory & NamedFiles>("RedactedMemory", {
      ...REDACTED_MEMBERS,
      attachmentIds: NO_ATTACHMENT_IDS,
    }),
  ],
};

const REVISION_MEMBERS = { revisionId: ULID, change: enumOf(MEMORY_CHANGES) } as const;

export const MEMORY_REVISION_SCHEMA: JsonSchema = {
  anyOf: [
    { component: "MemoryTextRevision", ...objectOf({ ...MEMORY_MEMBERS, ...REVISION_MEMBERS }) },
    {
      component: "RedactedMemoryRevision",
      ...objectOf({ ...REDACTED_MEMBERS, ...REVISION_MEMBERS }),
    },
  ],
};

/** True if the reader may see and write SECRET memories. */
export function maySeeSecrets({ permissions }: Caller): boolean {
  return permissions.has("memory.secret");
}

/** True if the current level hides the memory from the reader. */
export function isHidden(levelToday: PrivacyLevel, reader: Caller): boolean {
  return levelToday === "SECRET" && !maySeeSecrets(reader);
}

/** Like `isHidden`; notes the read of SECRET content that is shown. */
export function hides(levelToday: PrivacyLevel, reader: Caller, id: string): boolean {
  return levelToday === "SECRET" && hidesSecret(reader, "memory.secret", id);
}

export function redact(memory: Memory): RedactedMemory {
  return { ...memory, ...NO_WORDS };
}

/** A memory, limited by its current level. */
export function showMemory(row: MemoryRow, reader: Caller): ShownMemory {
  const memory = showMemoryRevision(row, reader);
  return { ...memory, attachmentIds: memoryAttachmentIds(memory) };
}

/** The `attachmentIds` of a memory. */
export function memoryAttachmentIds(
  { currentContent, originalContent }: Pick<ShownMemory, "currentContent" | "originalContent">,
): readonly string[] {
  return attachmentIds([], [currentContent, originalContent]);
}

/** A revision, limited by the memory's current level. */
export function showMemoryRevision(row: MemoryRow, reader: Caller): ShownMemory {
  const memory = toMemory(row);
  const level = row.level_today ?? row.privacy_level;
  return hides(level, reader, row.memory_id) ? redact(memory) : memory;
}
