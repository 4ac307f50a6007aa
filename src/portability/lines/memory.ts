import { DRAFT } from "../../families/memory/draft.ts";
import { MEMORY_COLUMNS } from "../../families/memory/memory.ts";
import { declaredColumns, lineType, rootType } from "../description.ts";
import { anyId, id, integer, stamp, text } from "../kinds.ts";

export const MEMORY_LINES = rootType("memory", {
  table: "memories",
  ledger: "memory_revisions",
  projection: {
    moduleCode: "memory",
    guard: (sql) => sql`case when privacy_level = 'SECRET' then 'memory.secret' end`,
  },
  fixed: { memory_id: id, original_content: text },
  changing: declaredColumns(MEMORY_COLUMNS),
  lists: [{
    member: "slices",
    table: "memory_slices",
    inherited: ["memory_id"],
    columns: { slice_id: id, memory_revision: integer, label: text, created_at: stamp },
  }],
});

export const DRAFT_LINES = lineType("draft", {
  table: "memory_drafts",
  columns: { ...declaredColumns(DRAFT), draft_id: anyId },
});
