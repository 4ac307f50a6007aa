/** Memories written past the application, and what their tables must refuse. */

import { ulid } from "@std/ulid";
import {
  insertInto,
  insertRecord,
  literal,
  newRoot,
  nextRoot,
  type Offences,
  revisionOf,
  type Row,
  updateRoot,
} from "./rows.ts";

const AT = "2026-11-20T12:00:00.000Z";

/** A memory's root at its first revision. */
export function newMemory(owner: string, columns: Row = {}): Row {
  return {
    owner_id: owner,
    memory_id: ulid(),
    revision: 1,
    revision_id: ulid(),
    created_at: AT,
    updated_at: AT,
    archived_at: null,
    title: "A title",
    summary: "",
    memory_type: "EVENT",
    original_content: "As it was",
    current_content: "As it was",
    occurred_at: null,
    time_precision: null,
    time_text: null,
    time_from: null,
    time_to: null,
    importance: null,
    ai_draft: null,
    ai_draft_provider: null,
    ai_draft_model: null,
    privacy_level: "PRIVATE",
    ...columns,
  };
}

/** The ledger row that a memory must have. */
export function memoryRevisionOf(memory: Row, columns: Row = {}): Row {
  const { created_at: _, updated_at, original_content: __, ...common } = memory;
  const change = memory.revision === 1 ? "CREATED" : "REVISED";
  return { ...common, created_at: updated_at, change, ...columns } as Row;
}

/** The record that a memory is projected to. */
export function projectionOf(memory: Row): Row {
  const { owner_id, memory_id, revision, revision_id } = memory;
  const columns = { record_id: memory_id, revision, revision_id, module_code: "memory" } as Row;
  return newRoot(String(owner_id), columns);
}

/** The projection of a memory at its first revision. */
export function insertProjection(memory: Row): string {
  return insertRecord(projectionOf(memory));
}

/** A memory with projection and ledger row, which the database accepts. */
export function insertMemory(memory: Row): string {
  return insertProjection(memory) + insertInto("memories", memory) +
    insertInto("memory_revisions", memoryRevisionOf(memory));
}

/** The memory that follows. */
export function nextMemory(memory: Row, columns: Row = {}): Row {
  const revision = Number(memory.revision) + 1;
  return { ...memory, revision, revision_id: ulid(), ...columns };
}

/** The projection's step beside a memory's. */
export function stepProjection(memory: Row): string {
  const before = projectionOf(memory);
  const next = nextRoot(before);
  return insertInto("record_revisions", revisionOf(next)) + updateRoot(before, next);
}

/** A statement that changes a memory from one state to another. */
export function updateMemory(memory: Row, next: Row): string {
  const changed = Object.keys(next).filter((column) => next[column] !== memory[column]);
  const assignments = changed.map((column) => `${column} = ${literal(next[column] ?? null)}`);
  return `update memories set ${assignments.join(", ")}
           where owner_id = ${literal(memory.owner_id ?? null)}
             and memory_id = ${literal(memory.memory_id ?? null)};`;
}

/** A whole step; `forged` makes its ledger row another one. */
export function stepMemory(memory: Row, changes: Row = {}, forged: Row = {}): string {
  const next = nextMemory(memory, changes);
  return stepProjection(memory) + insertInto("memory_revisions", memoryRevisionOf(next, forged)) +
    updateMemory(memory, next);
}

/** A draft that is open. */
export function newDraft(owner: string, columns: Row = {}): Row {
  return {
    owner_id: owner,
    draft_id: ulid(),
    memory_id: null,
    draft_version: 1,
    content: "{}",
    state: "OPEN",
    committed_memory_id: null,
    committed_revision: null,
    created_at: AT,
    updated_at: AT,
    ...columns,
  };
}

/** A slice of a memory. */
export function newSlice(memory: Row, columns: Row = {}): Row {
  const { owner_id, memory_id, revision } = memory;
  const own = { owner_id, memory_id, memory_revision: revision, slice_id: ulid() } as Row;
  return { ...own, label: "A label", created_at: AT, ...columns };
}

/** Statements that offend in one column of a new memory. */
function wrongMemories(...columns: readonly Row[]): Offences {
  return (person) => columns.map((wrong) => insertMemory(newMemory(person.accountId, wrong)));
}

/** Statements that offend in the ledger row of a second revision. */
function wrongSteps(...forged: readonly Row[]): Offences {
  return (person) =>
    forged.map((wrong) => {
      const memory = newMemory(person.accountId);
      return insertMemory(memory) + stepMemory(memory, { title: "Next" }, wrong);
    });
}

/** Statements that offend in a draft. */
function wrongDrafts(...columns: readonly Row[]): Offences {
  return (person) =>
    columns.map((wrong) => insertInto("memory_drafts", newDraft(person.accountId, wrong)));
}

/** Statements that offend in a slice of a memory that is there. */
function wrongSlices(...columns: readonly Row[]): Offences {
  return (person) =>
    columns.map((wrong) => {
      const memory = newMemory(person.accountId);
      return insertMemory(memory) + insertInto("memory_slices", newSlice(memory, wrong));
    });
}

const DRAFTED = { ai_draft: "x", ai_draft_provider: "p" };

/** What each constraint of the memory tables must refuse. */
export const MEMORY_OFFENCES: Readonly<Record<string, Offences>> = {
  memory_owner_exists: () => [insertInto("memories", newMemory(ulid()))],
  memory_revision_positive: (person) => [
    insertInto("memories", newMemory(person.accountId, { revision: 0 })),
  ],
  memory_title_length: wrongMemories({ title: "" }, { title: "x".repeat(201) }),
  memory_summary_length: wrongMemories({ summary: "x".repeat(1001) }),
  memory_original_length: wrongMemories(
    { original_content: "" },
    { original_content: "x".repeat(100_001) },
  ),
  memory_content_length: wrongMemories(
    { current_content: "" },
    { current_content: "x".repeat(100_001) },
  ),
  memory_importance_range: wrongMemories({ importance: 0 }, { importance: 6 }),
  memory_privacy_known: wrongMemories({ privacy_level: "secret" }, { privacy_level: "" }),
  memory_times_ordered: wrongMemories({ updated_at: "2026-11-20T11:59:59.999Z" }),
  memory_time_range: wrongMemories(
    { occurred_at: AT, time_from: AT },
    { occurred_at: AT, time_to: AT },
    { occurred_at: AT, time_from: AT, time_to: AT },
    { time_from: "2020-01-01T00:00:00Z", time_to: AT },
  ),
  memory_ai_draft_whole: wrongMemories(
    { ai_draft: "x" },
    { ai_draft_provider: "p" },
    { ai_draft_model: "m" },
  ),
  memory_has_its_revision: (person) => {
    const memory = newMemory(person.accountId);
    return [insertProjection(memory) + insertInto("memories", memory)];
  },
  memory_revision_of_memory: (person) => {
    const memory = newMemory(person.accountId);
    return [insertProjection(memory) + insertInto("memory_revisions", memoryRevisionOf(memory))];
  },
  memory_revision_is_projected: (person) => {
    const memory = newMemory(person.accountId);
    const unprojected = insertInto("memories", memory) +
      insertInto("memory_revisions", memoryRevisionOf(memory));
    const behind = insertMemory(memory) +
      insertInto("memory_revisions", memoryRevisionOf(nextMemory(memory)));
    return [unprojected, behind];
  },
  memory_revision_follows: (person) => {
    const memory = newMemory(person.accountId);
    const third = nextMemory(nextMemory(memory));
    return [insertMemory(memory) + insertInto("memory_revisions", memoryRevisionOf(third))];
  },
  memory_revision_id_unique: (person) => {
    const memory = newMemory(person.accountId);
    const forged = { revision_id: memory.revision_id ?? null };
    return [insertMemory(memory) + stepMemory(memory, {}, forged)];
  },
  memory_ledger_revision_positive: wrongSteps({ revision: 0 }),
  memory_change_known: wrongSteps({ change: "revised" }),
  memory_not_in_the_future: wrongSteps({
    occurred_at: "2026-11-27T12:00:00.000Z",
    time_from: "2026-11-27T12:00:00.000Z",
    time_to: "2026-11-27T12:00:00.001Z",
  }),
  memory_change_fits: wrongSteps(
    { change: "CREATED" },
    { change: "ARCHIVED" },
    { change: "RESTORED", archived_at: AT },
    { change: "AI_DRAFTED" },
    { change: "AI_DRAFT_ADOPTED", ...DRAFTED },
    { change: "AI_DRAFT_REJECTED", ...DRAFTED },
  ),
  memory_slice_label_length: wrongSlices({ label: "" }, { label: "x".repeat(201) }),
  memory_slice_of_revision: wrongSlices({ memory_revision: 2 }, { memory_id: ulid() }),
  memory_draft_owner_exists: wrongDrafts({ owner_id: ulid() }),
  memory_draft_version_positive: wrongDrafts({ draft_version: 0 }),
  memory_draft_content_object: wrongDrafts({ content: "[]" }, { content: "null" }),
  memory_draft_state_known: wrongDrafts({ state: "open" }),
  memory_draft_of_memory: wrongDrafts({ memory_id: ulid() }),
  memory_draft_made_revision: wrongDrafts(
    { state: "COMMITTED", committed_memory_id: ulid(), committed_revision: 1 },
  ),
  memory_draft_result: (person, root) => {
    const memory = newMemory(person.accountId);
    const made = { committed_memory_id: memory.memory_id ?? null, committed_revision: 1 };
    const other = newMemory(person.accountId);
    const wrong: Row[] = [
      { state: "COMMITTED" },
      { state: "OPEN", ...made },
      { state: "DISCARDED", ...made },
      { state: "COMMITTED", committed_memory_id: memory.memory_id ?? null },
      { state: "COMMITTED", ...made, memory_id: other.memory_id ?? null },
      { state: "OPEN", committed_revision: Number(root.revision) },
    ];
    const drafts = wrong.map((columns) =>
      insertInto("memory_drafts", newDraft(person.accountId, columns))
    );
    return drafts.map((draft) => insertMemory(newMemory(person.accountId)) + draft);
  },
};
