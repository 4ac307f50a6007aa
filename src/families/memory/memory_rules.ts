import { newId } from "../../core/ids.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { firstRevision, nextRevision, type NextRow, type RootRow } from "../../kit/root.ts";
import { type MemoryChange, type MemoryRow, PRIVACY_LEVELS, type PrivacyLevel } from "./memory.ts";
import type {
  AdoptBody,
  AiDraftBody,
  DraftRevision,
  ExpectationBody,
  PrivacyBody,
  ReviseBody,
  TextBody,
  TimeBody,
} from "./memory_schema.ts";
import { changeTimeColumns, decideTimeColumns } from "./stated_time.ts";

export type NextMemory = NextRow<MemoryRow, MemoryChange>;

type MemoryPatch = Partial<Omit<MemoryRow, keyof RootRow | "memory_id" | "original_content">>;

/** @throws ServiceError `PAYLOAD_INVALID` by the module's cross-field rules. */
export function decideCreate(body: TextBody, now: Date): MemoryRow {
  return {
    memory_id: newId(now),
    ...firstRevision(now),
    archived_at: null,
    title: body.title,
    summary: body.summary ?? "",
    memory_type: body.memoryType,
    original_content: body.originalContent,
    current_content: body.currentContent ?? body.originalContent,
    ...decideTimeColumns(body, now),
    importance: body.importance ?? null,
    ...NO_AI_DRAFT,
    privacy_level: body.privacyLevel ?? "PRIVATE",
  };
}

export function decideRevise(before: MemoryRow, body: ReviseBody, now: Date): NextMemory {
  return nextRevision(before, "REVISED", now, patchOf(body));
}

function patchOf(body: Omit<ReviseBody, "expectedRevision">): MemoryPatch {
  const { title, summary, memoryType, currentContent, importance } = body;
  return {
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(memoryType !== undefined && { memory_type: memoryType }),
    ...(currentContent !== undefined && { current_content: currentContent }),
    ...(importance !== undefined && { importance }),
  };
}

/** Revision by a committed draft, which states all parts of the time, or none. */
export function decideDraftRevision(before: MemoryRow, body: DraftRevision, now: Date): NextMemory {
  const { occurredAt, timePrecision, timeText } = body;
  const statesTime = [occurredAt, timePrecision, timeText].some((part) => part !== undefined);
  return nextRevision(before, "REVISED", now, {
    ...patchOf(body),
    ...(statesTime && changeTimeColumns(before, body, now)),
  });
}

/** Decides to return to a slice. Original text, privacy and AI draft stay. */
export function decideRecover(before: MemoryRow, slice: MemoryRow, now: Date): NextMemory {
  const { title, summary, memory_type, current_content, importance } = slice;
  const { occurred_at, time_precision, time_text, time_from, time_to, clocks } = slice;
  return nextRevision(before, "RECOVERED", now, {
    title,
    summary,
    memory_type,
    current_content,
    importance,
    occurred_at,
    time_precision,
    time_text,
    time_from,
    time_to,
    clocks,
  });
}

/** @throws ServiceError `PAYLOAD_INVALID` if no change is named. */
export function checkRevise({ expectedRevision: _, ...changes }: ReviseBody): void {
  if (Object.keys(changes).length === 0) throw payloadInvalid(["change.required"]);
}

export function decideTime(before: MemoryRow, body: TimeBody, now: Date): NextMemory {
  return nextRevision(before, "TIME_CHANGED", now, changeTimeColumns(before, body, now));
}

const NO_AI_DRAFT = { ai_draft: null, ai_draft_provider: null, ai_draft_model: null };

export function decideAiDraft(before: MemoryRow, body: AiDraftBody, now: Date): NextMemory {
  return nextRevision(before, "AI_DRAFTED", now, {
    ai_draft: body.aiDraft,
    ai_draft_provider: body.provider,
    ai_draft_model: body.model ?? null,
  });
}

/**
 * Makes the AI draft the current text, confirmed by the person.
 *
 * @throws ServiceError `MEMORY_STATE_CONFLICT` without a draft.
 */
export function decideAdopt(before: MemoryRow, _body: AdoptBody, now: Date): NextMemory {
  if (before.ai_draft === null) throw new ServiceError("MEMORY_STATE_CONFLICT");
  const patch = { current_content: before.ai_draft, ...NO_AI_DRAFT };
  return nextRevision(before, "AI_DRAFT_ADOPTED", now, patch);
}

/**
 * Removes the AI draft; the revision that added it keeps it.
 *
 * @throws ServiceError `MEMORY_STATE_CONFLICT` without a draft.
 */
export function decideReject(before: MemoryRow, _body: ExpectationBody, now: Date): NextMemory {
  if (before.ai_draft === null) throw new ServiceError("MEMORY_STATE_CONFLICT");
  return nextRevision(before, "AI_DRAFT_REJECTED", now, NO_AI_DRAFT);
}

export function decidePrivacy(
  before: MemoryRow,
  { privacyLevel }: PrivacyBody,
  now: Date,
): NextMemory {
  return nextRevision(before, "PRIVACY_CHANGED", now, { privacy_level: privacyLevel });
}

/** True if the memory becomes less private, which requires a proof. */
export function isLowering(from: PrivacyLevel, to: PrivacyLevel): boolean {
  return PRIVACY_LEVELS.indexOf(to) < PRIVACY_LEVELS.indexOf(from);
}
