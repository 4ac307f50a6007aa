import type { JsonSchema } from "../validate/json_schema.ts";
import { type Memory, MEMORY_MEMBERS, PRIVACY_LEVELS, type PrivacyLevel } from "./memory.ts";

/** The members of a memory that hold words of a person or a model, besides title and summary. */
type Words =
  | "originalContent"
  | "currentContent"
  | "timeText"
  | "aiDraft"
  | "aiDraftProvider"
  | "aiDraftModel";

/** What is left of a guarded memory for a credential that may not see it (decisions, MEM-007). */
export type RedactedMemory =
  & Omit<Memory, Words>
  & { readonly [Name in Words]: null }
  & { readonly redacted: true };

const NOTHING: JsonSchema = { type: "null" };
const NO_WORDS: JsonSchema = { const: "" };

/** The schema of each member. */
export const REDACTED_MEMBERS = {
  ...MEMORY_MEMBERS,
  title: NO_WORDS,
  summary: NO_WORDS,
  originalContent: NOTHING,
  currentContent: NOTHING,
  timeText: NOTHING,
  aiDraft: NOTHING,
  aiDraftProvider: NOTHING,
  aiDraftModel: NOTHING,
  redacted: { const: true },
} as const satisfies { readonly [Name in keyof RedactedMemory]: JsonSchema };

/** Whether the change guards a memory less than before, which needs a proof. */
export function isLowering(from: PrivacyLevel, to: PrivacyLevel): boolean {
  return PRIVACY_LEVELS.indexOf(to) < PRIVACY_LEVELS.indexOf(from);
}

/** Takes the words out of a memory: they become null, title and summary empty. */
export function redact(memory: Memory): RedactedMemory {
  return {
    ...memory,
    title: "",
    summary: "",
    originalContent: null,
    currentContent: null,
    timeText: null,
    aiDraft: null,
    aiDraftProvider: null,
    aiDraftModel: null,
    redacted: true,
  };
}
