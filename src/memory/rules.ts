/** The decisions of the memory routes: what a request makes of a memory. No SQL, no HTTP. */

import { maxDate } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import type { MemoryChange, MemoryRow } from "./memory.ts";
import { isLowering } from "./privacy.ts";
import type {
  AdoptBody,
  AiDraftBody,
  DraftRevision,
  ExpectationBody,
  MoveBody,
  PrivacyBody,
  ReviseBody,
  TextBody,
  TimeBody,
} from "./schema.ts";
import { decideTimeColumns } from "./times.ts";

/** A memory's next state. */
export interface NextState {
  readonly row: MemoryRow;
  /** Null where the request changes nothing: then nothing is written. */
  readonly change: MemoryChange | null;
  /** Whether the change is allowed only with a step-up proof. */
  readonly needsProof?: boolean;
}

/** What a revision can change of a memory. Not among it: the original text. */
export type MemoryPatch = Partial<
  Omit<
    MemoryRow,
    "memory_id" | "revision" | "revision_id" | "created_at" | "updated_at" | "original_content"
  >
>;

/**
 * Decides a creation.
 *
 * @throws ServiceError `PAYLOAD_INVALID` as the module's cross-field rules say.
 */
export function decideCreate(body: TextBody, now: Date): NextState {
  const row: MemoryRow = {
    memory_id: newId(now),
    revision: 1,
    revision_id: newId(now),
    created_at: now,
    updated_at: now,
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
  return { row, change: "CREATED" };
}

/** Decides a revision that the client states itself. */
export function decideRevise(before: MemoryRow, body: ReviseBody, now: Date): NextState {
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

/** Decides what the commit of a draft revises. A draft states all parts of the time, or none. */
export function decideDraftRevision(before: MemoryRow, body: DraftRevision, now: Date): NextState {
  const { occurredAt, timePrecision, timeText } = body;
  const statesTime = [occurredAt, timePrecision, timeText].some((part) => part !== undefined);
  return nextRevision(before, "REVISED", now, {
    ...patchOf(body),
    ...(statesTime && decideTimeColumns(body, now)),
  });
}

/** Decides the return to a slice. The original text, privacy and AI draft stay as they are. */
export function decideRecover(before: MemoryRow, slice: MemoryRow, now: Date): NextState {
  const { title, summary, memory_type, current_content, importance } = slice;
  const { occurred_at, time_precision, time_text, time_from, time_to } = slice;
  return nextRevision(before, "RECOVERED", now, {
    ...{ title, summary, memory_type, current_content, importance },
    ...{ occurred_at, time_precision, time_text, time_from, time_to },
  });
}

/** @throws ServiceError `PAYLOAD_INVALID` for a revision that names no change. */
export function checkRevise({ expectedRevision: _, ...changes }: ReviseBody): void {
  if (Object.keys(changes).length === 0) throw payloadInvalid(["change.required"]);
}

/** Decides the times that a request states, in place of all that was stated before. */
export function decideTime(before: MemoryRow, body: TimeBody, now: Date): NextState {
  return nextRevision(before, "TIME_CHANGED", now, decideTimeColumns(body, now));
}

/** Decides an archival. */
export function decideArchive(before: MemoryRow, _body: MoveBody, now: Date): NextState {
  if (before.archived_at !== null) return { row: before, change: null };
  const at = maxDate(now, before.updated_at);
  return nextRevision(before, "ARCHIVED", now, { archived_at: at });
}

/** Decides the undoing of an archival. */
export function decideRestore(before: MemoryRow, _body: MoveBody, now: Date): NextState {
  return nextRevision(before, "RESTORED", now, { archived_at: null });
}

const NO_AI_DRAFT = { ai_draft: null, ai_draft_provider: null, ai_draft_model: null };

/** Keeps what a model wrote beside what the person wrote. */
export function decideAiDraft(before: MemoryRow, body: AiDraftBody, now: Date): NextState {
  return nextRevision(before, "AI_DRAFTED", now, {
    ai_draft: body.aiDraft,
    ai_draft_provider: body.provider,
    ai_draft_model: body.model ?? null,
  });
}

/**
 * Makes the AI draft the current text, which the person confirmed.
 *
 * @throws ServiceError `MEMORY_STATE_CONFLICT` where there is no draft.
 */
export function decideAdopt(before: MemoryRow, _body: AdoptBody, now: Date): NextState {
  if (before.ai_draft === null) throw new ServiceError("MEMORY_STATE_CONFLICT");
  const patch = { current_content: before.ai_draft, ...NO_AI_DRAFT };
  return nextRevision(before, "AI_DRAFT_ADOPTED", now, patch);
}

/**
 * Puts the AI draft aside; the revision that brought it keeps it.
 *
 * @throws ServiceError `MEMORY_STATE_CONFLICT` where there is no draft.
 */
export function decideReject(before: MemoryRow, _body: ExpectationBody, now: Date): NextState {
  if (before.ai_draft === null) throw new ServiceError("MEMORY_STATE_CONFLICT");
  return nextRevision(before, "AI_DRAFT_REJECTED", now, NO_AI_DRAFT);
}

/** Decides a change of the privacy level: raising is free, lowering takes a proof. */
export function decidePrivacy(before: MemoryRow, body: PrivacyBody, now: Date): NextState {
  const { privacyLevel } = body;
  return {
    ...nextRevision(before, "PRIVACY_CHANGED", now, { privacy_level: privacyLevel }),
    needsProof: isLowering(before.privacy_level, privacyLevel),
  };
}

/**
 * The memory that a write starts from.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`; `FORBIDDEN` for a SECRET memory without `memory.secret`;
 * `REVISION_CONFLICT`; in this order.
 */
export function assertWritable(
  memory: MemoryRow | null,
  maySeeSecrets: boolean,
  expectedRevision: number | undefined,
): MemoryRow {
  if (memory === null) throw new ServiceError("RECORD_NOT_FOUND");
  if (memory.privacy_level === "SECRET" && !maySeeSecrets) throw new ServiceError("FORBIDDEN");
  if (expectedRevision !== undefined && expectedRevision !== memory.revision) {
    throw new ServiceError("REVISION_CONFLICT", {
      details: { expectedRevision, currentRevision: memory.revision },
    });
  }
  return memory;
}

/** Appends a revision, unless the patch leaves everything as it is. */
export function nextRevision(
  before: MemoryRow,
  change: MemoryChange,
  now: Date,
  patch: MemoryPatch,
): NextState {
  const names = Object.keys(patch) as (keyof MemoryPatch)[];
  if (names.every((name) => isSame(before[name], patch[name]))) {
    return { row: before, change: null };
  }
  // A memory's time never runs backwards, even where a clock does.
  const at = maxDate(now, before.updated_at);
  const revision = before.revision + 1;
  return {
    row: { ...before, ...patch, revision, revision_id: newId(at), updated_at: at },
    change,
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date
    ? one.getTime() === other.getTime()
    : one === other;
}
