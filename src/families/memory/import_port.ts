/** Memories for imports. */

import { select } from "../../catalog/fields.ts";
import { MEMORY } from "../../catalog/modules/memory.ts";
import {
  claimed,
  type ImportTarget,
  type ItemContent,
  type LockedObject,
  lockedRoot,
  NO_REFERENCES,
  type OwnerWrite,
  withItemNames,
} from "../../kit/import_target.ts";
import { archived, nextRevision, restored } from "../../kit/root.ts";
import { readBody } from "../../validate/schema.ts";
import { manyMemoryEntries } from "./many_store.ts";
import { type MemoryRow, PRIVACY_LEVELS } from "./memory.ts";
import { decideCreate } from "./memory_rules.ts";
import { TEXT_BODY } from "./memory_schema.ts";
import { MEMORIES, memoryEntries } from "./memory_store.ts";

export const MEMORY_TARGET: ImportTarget = {
  name: "memory",
  moduleCode: "memory",
  permissions: ["memory.write"],
  fields: [
    ...MEMORY.fields.filter(({ name }) => name !== "aiDraft"),
    select("privacyLevel", PRIVACY_LEVELS),
  ],
  fileField: null,
  check(content, now) {
    decide(content, now);
    return NO_REFERENCES;
  },
  async insert({ sql, owner, now }, objects) {
    const memories = objects.map(({ content, recordedAt }) => {
      return { row: decide(content, now), recordedAt };
    });
    await claimed(sql, manyMemoryEntries(sql, owner, memories));
    return memories.map(({ row }) => ({ id: row.memory_id, revision: row.revision }));
  },
  async lock(at, memoryId) {
    const [row] = await MEMORIES.lock(at.sql, at.owner, { memoryId });
    return row === undefined ? null : lockedMemory(at, row);
  },
};

function decide({ title, summary, payload }: ItemContent, now: Date): MemoryRow {
  return decideCreate(readBody(TEXT_BODY, withItemNames(payload, { title, summary })), now);
}

/** A change keeps the original text and the privacy level. */
function lockedMemory({ sql, owner, now }: OwnerWrite, locked: MemoryRow): LockedObject {
  return lockedRoot<MemoryRow, "REVISED">(locked, {
    isArchived: (row) => row.archived_at !== null,
    revise(row, content) {
      const { title, summary, current_content, ...next } = decide(content, now);
      const { occurred_at, time_precision, time_text, time_from, time_to } = next;
      const time = { occurred_at, time_precision, time_text, time_from, time_to };
      return nextRevision(row, "REVISED", now, { title, summary, current_content, ...time });
    },
    archive: (row) => archived(row, now),
    restore: (row) => restored(row, now),
    write: (row, change) => claimed(sql, memoryEntries(sql, owner, row, change)),
  });
}
