import { lineType, rootType } from "../description.ts";
import { anyId, id, integer, object, optional, stamp, text, time } from "../kinds.ts";
import { ARCHIVED } from "./shared.ts";

export const MEMORY_LINES = rootType("memory", {
  table: "memories",
  ledger: "memory_revisions",
  projection: {
    moduleCode: "memory",
    guard: (sql) => sql`case when privacy_level = 'SECRET' then 'memory.secret' end`,
  },
  fixed: { memory_id: id, original_content: text },
  changing: {
    ...ARCHIVED,
    title: text,
    summary: text,
    memory_type: text,
    current_content: text,
    occurred_at: optional(time),
    time_precision: optional(text),
    time_text: optional(text),
    time_from: optional(time),
    time_to: optional(time),
    importance: optional(integer),
    ai_draft: optional(text),
    ai_draft_provider: optional(text),
    ai_draft_model: optional(text),
    privacy_level: text,
  },
  lists: [{
    member: "slices",
    table: "memory_slices",
    inherited: ["memory_id"],
    columns: { slice_id: id, memory_revision: integer, label: text, created_at: stamp },
  }],
});

export const DRAFT_LINES = lineType("draft", {
  table: "memory_drafts",
  columns: {
    draft_id: anyId,
    memory_id: optional(id),
    draft_version: integer,
    content: object,
    state: text,
    committed_memory_id: optional(id),
    committed_revision: optional(integer),
    created_at: stamp,
    updated_at: stamp,
  },
});
