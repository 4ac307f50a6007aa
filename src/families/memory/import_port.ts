/** Memories for imports. */

import { select } from "../../catalog/fields.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import {
  claimed,
  type ImportTarget,
  insertRoots,
  type ItemContent,
  rootTarget,
  withItemNames,
} from "../../kit/import_target.ts";
import { archived, nextRevision, restored } from "../../kit/root.ts";
import { readBody } from "../../validate/schema.ts";
import { manyMemoryEntries } from "./many_store.ts";
import { type MemoryRow, PRIVACY_LEVELS } from "./memory.ts";
import { decideCreate } from "./memory_rules.ts";
import { TEXT_BODY } from "./memory_schema.ts";
import { MEMORIES, memoryEntries } from "./memory_store.ts";

function decide({ title, summary, payload }: ItemContent, now: Date): MemoryRow {
  return decideCreate(readBody(TEXT_BODY, withItemNames(payload, { title, summary })), now);
}

/** A change keeps the original text and the privacy level. */
export const MEMORY_TARGET: ImportTarget = rootTarget<MemoryRow, "REVISED">({
  name: "memory",
  moduleCode: "memory",
  permissions: ["memory.write"],
  fields: [
    ...MEMORY.fields.filter(({ name }) => name !== "aiDraft"),
    select("privacyLevel", PRIVACY_LEVELS),
  ],
  fileField: null,
  textField: "originalContent",
  insert: insertRoots({
    decide: ({ content }, now) => decide(content, now),
    idOf: (row) => row.memory_id,
    entries: manyMemoryEntries,
  }),
  decide,
  find: (sql, owner, memoryId) => MEMORIES.lock(sql, owner, { memoryId }),
  isArchived: (row) => row.archived_at !== null,
  revise(row, { title, summary, current_content, ...decided }, now) {
    const { occurred_at, time_precision, time_text, time_from, time_to, clocks } = decided;
    const time = { occurred_at, time_precision, time_text, time_from, time_to, clocks };
    return nextRevision(row, "REVISED", now, { title, summary, current_content, ...time });
  },
  archive: archived,
  restore: restored,
  write: ({ sql, owner }, row, change) => claimed(sql, memoryEntries(sql, owner, row, change)),
});
