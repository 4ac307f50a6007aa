/** Memory rows written past the application, and rows that the tables must reject. */

import { ulid } from "@std/ulid";
import {
  insertRow,
  newRow,
  type RootKind,
  unprojected,
  wrongRows,
  wrongSteps,
} from "../../storage/family_rows.ts";
import { AT, insertInto, type Offences, type Row } from "../../storage/rows.ts";

const PAST = "2026-11-01T12:00:00.000Z";

export const MEMORIES: RootKind = {
  root: "memories",
  ledger: "memory_revisions",
  id: "memory_id",
  module: "memory",
  fixed: ["original_content"],
  sample: () => ({
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
    clocks: null,
  }),
  others: {
    archived_at: AT,
    title: "Another",
    summary: "In short",
    memory_type: "DREAM",
    current_content: "As it is told",
    occurred_at: PAST,
    time_precision: "DAY",
    time_text: "Some day",
    time_from: PAST,
    time_to: AT,
    importance: 1,
    ai_draft: "A draft",
    ai_draft_provider: "A provider",
    ai_draft_model: "A model",
    privacy_level: "SECRET",
    clocks: `{"occurredAt":"-05:00[America/New_York]"}`,
  },
  change: "REVISED",
  constraints: {
    timesOrdered: "memory_times_ordered",
    hasRevision: "memory_has_its_revision",
    revisionPositive: "memory_ledger_revision_positive",
    hasRoot: "memory_revision_of_memory",
    follows: "memory_revision_follows",
    revisionIdUnique: "memory_revision_id_unique",
  },
};

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

export function newSlice(memory: Row, columns: Row = {}): Row {
  const { owner_id, memory_id, revision } = memory;
  const own = { owner_id, memory_id, memory_revision: revision, slice_id: ulid() } as Row;
  return { ...own, label: "A label", created_at: AT, ...columns };
}

function wrongDrafts(...columns: readonly Row[]): Offences {
  return (caller) =>
    columns.map((wrong) => insertInto("memory_drafts", newDraft(caller.accountId, wrong)));
}

/** Invalid slices of an existing memory. */
function wrongSlices(...columns: readonly Row[]): Offences {
  return (caller) =>
    columns.map((wrong) => {
      const memory = newRow(MEMORIES, caller.accountId);
      return insertRow(MEMORIES, memory) + insertInto("memory_slices", newSlice(memory, wrong));
    });
}

/** Keyed by constraint. */
export const MEMORY_OFFENCES: Readonly<Record<string, Offences>> = {
  memory_owner_exists: () => [insertInto("memories", newRow(MEMORIES, ulid()))],
  memory_revision_positive: ({ accountId }) => [
    insertInto("memories", newRow(MEMORIES, accountId, { revision: 0 })),
  ],
  memory_title_length: wrongRows(MEMORIES, { title: "" }, { title: "x".repeat(201) }),
  memory_summary_length: wrongRows(MEMORIES, { summary: "x".repeat(1001) }),
  memory_original_length: wrongRows(
    MEMORIES,
    { original_content: "" },
    { original_content: "x".repeat(100_001) },
  ),
  memory_content_length: wrongRows(
    MEMORIES,
    { current_content: "" },
    { current_content: "x".repeat(100_001) },
  ),
  memory_importance_range: wrongRows(MEMORIES, { importance: 0 }, { importance: 6 }),
  memory_privacy_known: wrongRows(MEMORIES, { privacy_level: "secret" }, { privacy_level: "" }),
  memory_time_range: wrongRows(
    MEMORIES,
    { occurred_at: AT, time_from: AT },
    { occurred_at: AT, time_to: AT },
    { occurred_at: AT, time_from: AT, time_to: AT },
    { time_from: "2020-01-01T00:00:00Z", time_to: AT },
  ),
  memory_ai_draft_whole: wrongRows(
    MEMORIES,
    { ai_draft: "x" },
    { ai_draft_provider: "p" },
    { ai_draft_model: "m" },
  ),
  memory_revision_is_projected: unprojected(MEMORIES),
  memory_change_known: wrongSteps(MEMORIES, { change: "revised" }),
  memory_not_in_the_future: wrongSteps(MEMORIES, {
    occurred_at: "2026-11-27T12:00:00.000Z",
    time_from: "2026-11-27T12:00:00.000Z",
    time_to: "2026-11-27T12:00:00.001Z",
  }),
  memory_change_fits: wrongSteps(
    MEMORIES,
    { change: "CREATED" },
    { change: "ARCHIVED", archived_at: null },
    { change: "RESTORED", archived_at: AT },
    { change: "AI_DRAFTED", ai_draft: null },
    { change: "AI_DRAFT_ADOPTED", ai_draft: "x" },
    { change: "AI_DRAFT_REJECTED", ai_draft: "x" },
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
  memory_draft_result: (caller, root) => {
    const memory = newRow(MEMORIES, caller.accountId);
    const made = { committed_memory_id: memory.memory_id ?? null, committed_revision: 1 };
    const other = newRow(MEMORIES, caller.accountId);
    const wrong: Row[] = [
      { state: "COMMITTED" },
      { state: "OPEN", ...made },
      { state: "DISCARDED", ...made },
      { state: "COMMITTED", committed_memory_id: memory.memory_id ?? null },
      { state: "COMMITTED", ...made, memory_id: other.memory_id ?? null },
      { state: "OPEN", committed_revision: Number(root.revision) },
    ];
    const drafts = wrong.map((columns) =>
      insertInto("memory_drafts", newDraft(caller.accountId, columns))
    );
    return drafts.map((draft) => insertRow(MEMORIES, newRow(MEMORIES, caller.accountId)) + draft);
  },
};
