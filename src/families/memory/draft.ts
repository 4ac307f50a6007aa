/** Drafts and their decisions. */

import type { Caller } from "../../access/identity.ts";
import { maxDate } from "../../core/clock.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { choice, id, json, revision, stamp } from "../../kit/kinds.ts";
import type { RawJson } from "../../validate/json_output.ts";
import { ANY_OBJECT, component, type JsonSchema, nullable } from "../../validate/json_schema.ts";
import { DRAFT_STATES, type PrivacyLevel } from "./memory.ts";
import type { DraftBody } from "./memory_schema.ts";
import { hides, isHidden } from "./memory_view.ts";

export const DRAFT = {
  draft_id: id,
  /** The memory to revise; null to create one. */
  memory_id: orNull(id),
  draft_version: revision,
  content: json(ANY_OBJECT, "object"),
  state: choice(DRAFT_STATES),
  committed_memory_id: orNull(id),
  committed_revision: orNull(revision),
  created_at: stamp,
  updated_at: stamp,
};

export interface DraftRow extends RowOf<typeof DRAFT> {
  /** Level of the memory; without one, of the content. */
  readonly level_today: PrivacyLevel;
}

export interface ShownDraft extends Omit<ShownOf<typeof DRAFT>, "content"> {
  /** Null if the reader may not see the memory. */
  readonly content: RawJson | null;
  readonly redacted?: true;
}

export const DRAFT_SCHEMA: JsonSchema = component<ShownDraft>("MemoryDraft", {
  ...membersOf(DRAFT),
  content: nullable(ANY_OBJECT),
  redacted: { const: true },
}, ["redacted"]);

interface DecidedDraft {
  readonly row: DraftRow;
  readonly changed: boolean;
}

/** Shows a draft; the memory's current level limits it. */
export function showDraft(row: DraftRow, reader: Caller): ShownDraft {
  const hidden = hides(row.level_today, reader, row.memory_id ?? row.draft_id);
  return { ...showColumns(DRAFT, row), ...(hidden && { content: null, redacted: true }) };
}

/**
 * Decides a save. Repeating the same one changes nothing; an older save, or one of an ended draft,
 * is rejected.
 *
 * @throws ServiceError `FORBIDDEN`, `MEMORY_STATE_CONFLICT`.
 */
export function decideSave(
  stored: DraftRow | null,
  draftId: string,
  body: DraftBody,
  writer: Caller,
  now: Date,
): DecidedDraft {
  const { draftVersion, content } = body;
  const memoryId = body.memoryId ?? null;
  const saved = { draft_version: draftVersion, content: JSON.stringify(content) };
  const askedLevel = (content.privacyLevel ?? "PRIVATE") as PrivacyLevel;
  if (stored === null) {
    const fresh = {
      draft_id: draftId,
      memory_id: memoryId,
      state: "OPEN",
      ...NOT_COMMITTED,
    } as const;
    const times = { created_at: now, updated_at: now };
    return { row: { ...fresh, ...saved, ...times, level_today: askedLevel }, changed: true };
  }
  assertVisible(stored, writer);
  const isSame = draftVersion === stored.draft_version &&
    canonicalJson(content) === canonicalJson(JSON.parse(stored.content));
  const loses = stored.state !== "OPEN" || memoryId !== stored.memory_id ||
    (draftVersion <= stored.draft_version && !isSame);
  if (loses) throw new ServiceError("MEMORY_STATE_CONFLICT");
  if (isSame) return { row: stored, changed: false };
  const level_today = memoryId === null ? askedLevel : stored.level_today;
  const updated_at = maxDate(now, stored.updated_at);
  return { row: { ...stored, ...saved, level_today, updated_at }, changed: true };
}

const NOT_COMMITTED = { committed_memory_id: null, committed_revision: null };

/**
 * Decides to discard a draft, whose content is kept.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`, `FORBIDDEN`, `MEMORY_STATE_CONFLICT` for a committed
 *   draft.
 */
export function decideDiscard(
  stored: DraftRow | null,
  writer: Caller,
  now: Date,
): DecidedDraft {
  if (stored === null) throw new ServiceError("RECORD_NOT_FOUND");
  assertVisible(stored, writer);
  if (stored.state === "COMMITTED") throw new ServiceError("MEMORY_STATE_CONFLICT");
  if (stored.state === "DISCARDED") return { row: stored, changed: false };
  const at = maxDate(now, stored.updated_at);
  return { row: { ...stored, state: "DISCARDED", updated_at: at }, changed: true };
}

/** @throws ServiceError `FORBIDDEN` if the writer may not see the draft. */
function assertVisible(stored: DraftRow, writer: Caller): void {
  if (isHidden(stored.level_today, writer)) throw new ServiceError("FORBIDDEN");
}
