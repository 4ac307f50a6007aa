/** Rows of imports, written with raw SQL. */

import { ulid } from "@std/ulid";
import type { Caller } from "../support/world.ts";
import { AT, insertInto, type Offences, type Row } from "./rows.ts";

const DIGEST = "\\x" + "ab".repeat(32);
const SHORT_DIGEST = "\\x" + "ab".repeat(31);
const PLAN = "ab".repeat(32);
const EARLIER = "2026-11-19T12:00:00.000Z";

/** An import that has run. */
export function importRow({ accountId }: Pick<Caller, "accountId">, columns: Row = {}): Row {
  return {
    owner_id: accountId,
    import_id: ulid(),
    format: "csv",
    name: "A",
    source: "csv:A",
    size: 1,
    sha256: DIGEST,
    keep_original: true,
    created_at: AT,
    updated_at: AT,
    state: "DONE",
    mapping: null,
    columns: null,
    counts: "{}",
    attachments: "{}",
    unmapped: "[]",
    rules: "[]",
    needs: "[]",
    plan: PLAN,
    done: 1,
    total: 1,
    refusal: null,
    original_attachment_id: null,
    withdrawn: null,
    tries: null,
    reads: null,
    filename: null,
    table_facts: null,
    looks_like: null,
    presets: null,
    ...columns,
  };
}

/** The outcome of its item. */
export function itemRow(above: Row, columns: Row = {}): Row {
  return {
    owner_id: above.owner_id ?? "",
    import_id: above.import_id ?? "",
    place: 1,
    key: "k",
    target: "memory",
    outcome: "NEW",
    record_id: ulid(),
    attachment_ids: "[]",
    rules: "[]",
    unmapped: "[]",
    matches: null,
    entry: null,
    ...columns,
  };
}

/** The origin of a record. */
export function originRow(above: Row, columns: Row = {}): Row {
  return {
    owner_id: above.owner_id ?? "",
    origin_id: ulid(),
    import_id: above.import_id ?? "",
    kind: "ITEM",
    source: "csv:A",
    key: "k",
    target: "memory",
    record_id: ulid(),
    revision: 1,
    digest: DIGEST,
    change: "NEW",
    created_at: AT,
    ...columns,
  };
}

const imports = (caller: Caller, ...all: readonly Row[]) =>
  all.map((columns) => insertInto("imports", importRow(caller, columns)));

function below(
  caller: Caller,
  table: "import_items" | "import_origins",
  ...all: readonly Row[]
): string[] {
  const above = importRow(caller);
  const rowOf = table === "import_items" ? itemRow : originRow;
  return all.map((columns) =>
    insertInto("imports", above) + insertInto(table, rowOf(above, columns))
  );
}

/** Rows that break each constraint. */
export const IMPORT_OFFENCES: Readonly<Record<string, Offences>> = {
  import_owner_exists: (caller) => imports(caller, { owner_id: ulid() }),
  import_format_shape: (caller) => imports(caller, { format: "" }, { format: "Csv" }),
  import_name_length: (caller) => imports(caller, { name: "" }, { name: "x".repeat(101) }),
  import_source_length: (caller) => imports(caller, { source: "" }, { source: "x".repeat(201) }),
  import_size_not_negative: (caller) => imports(caller, { size: -1 }),
  import_digest_length: (caller) => imports(caller, { sha256: SHORT_DIGEST }),
  import_state_known: (caller) => imports(caller, { state: "LOST" }),
  import_tries_counted: (caller) => imports(caller, { tries: 0 }, { tries: 4 }),
  import_reads_listed: (caller) => imports(caller, { reads: "{}" }),
  import_filename_length: (caller) =>
    imports(caller, { filename: "" }, { filename: "x".repeat(201) }),
  import_columns_listed: (caller) => imports(caller, { columns: "{}" }),
  import_counts_object: (caller) => imports(caller, { counts: "[]" }),
  import_attachments_object: (caller) => imports(caller, { attachments: "[]" }),
  import_unmapped_listed: (caller) => imports(caller, { unmapped: "{}" }),
  import_rules_listed: (caller) => imports(caller, { rules: "{}" }),
  import_needs_listed: (caller) => imports(caller, { needs: "{}" }),
  import_plan_form: (caller) => imports(caller, { plan: "AB".repeat(32) }, { plan: "ab" }),
  import_times_ordered: (caller) => imports(caller, { updated_at: EARLIER }),
  import_progress: (caller) => imports(caller, { done: 2 }, { done: -1 }),
  import_runs_its_plan: (caller) => imports(caller, { plan: null }),
  import_refusal_told: (caller) => imports(caller, { state: "REFUSED" }, { refusal: "{}" }),
  import_withdrawal_told: (caller) => imports(caller, { state: "WITHDRAWN" }, { withdrawn: "{}" }),
  import_item_of_import: (caller) => [insertInto("import_items", itemRow(importRow(caller)))],
  import_item_place_positive: (caller) => below(caller, "import_items", { place: 0 }),
  import_table_facts_object: (caller) => imports(caller, { table_facts: "[]" }),
  import_looks_like_listed: (caller) => imports(caller, { looks_like: "{}" }),
  import_presets_listed: (caller) => imports(caller, { presets: "{}" }),
  import_item_entry_length: (caller) =>
    below(caller, "import_items", { entry: "" }, { entry: "x".repeat(1025) }),
  import_item_key_length: (caller) =>
    below(caller, "import_items", { key: "" }, { key: "x".repeat(201) }),
  import_item_outcome_known: (caller) => below(caller, "import_items", { outcome: "LOST" }),
  import_item_matches_listed: (caller) => below(caller, "import_items", { matches: "{}" }),
  import_item_refused_for_a_reason: (caller) =>
    below(caller, "import_items", { outcome: "REFUSED" }),
  import_origin_of_import: (caller) => [
    insertInto("import_origins", originRow(importRow(caller))),
  ],
  import_origin_kind_known: (caller) => below(caller, "import_origins", { kind: "OTHER" }),
  import_origin_key_length: (caller) =>
    below(caller, "import_origins", { key: "" }, { key: "x".repeat(201) }),
  import_origin_digest_length: (caller) =>
    below(caller, "import_origins", { digest: SHORT_DIGEST }),
  import_origin_change_known: (caller) => below(caller, "import_origins", { change: "LOST" }),
  import_origin_whole: (caller) =>
    below(caller, "import_origins", { digest: null }, { kind: "TAG" }, { revision: null }),
};
