/** Taxonomy rows written past the application, and rows that the tables must reject. */

import { ulid } from "@std/ulid";
import { comparedForm } from "../../../src/families/taxonomy/name.ts";
import {
  insertRow,
  newRow,
  type RootKind,
  stepRow,
  unprojected,
  wrongRows,
  wrongSteps,
} from "../../storage/family_rows.ts";
import { AT, insertInto, isRow, nextRoot, type Offences, type Row } from "../../storage/rows.ts";

/** The names that a term must have. */
export function namesOf(term: Row): Row[] {
  const { owner_id, kind, term_id, name, aliases, merged_into } = term;
  if (merged_into !== null) return [];
  return [String(name), ...JSON.parse(String(aliases))].map((spelling, position) =>
    ({ owner_id, kind, compared: comparedForm(spelling), term_id, position, spelling }) as Row
  );
}

export function removeNames(term: Row): string {
  return `delete from taxonomy_names where ${isRow("term_id", term)};`;
}

function renewNames(term: Row): string {
  return removeNames(term) + namesOf(term).map((row) => insertInto("taxonomy_names", row)).join("");
}

export const CATEGORIES: RootKind = {
  root: "taxonomy_terms",
  ledger: "taxonomy_term_revisions",
  id: "term_id",
  module: "taxonomy",
  fixed: ["kind"],
  restricted: ["merged_into", "parent_id"],
  sample: () => ({
    kind: "CATEGORY",
    deactivated_at: null,
    merged_into: null,
    parent_id: null,
    color: "#2e7D32",
    sort_order: 1,
    name: `Garden ${ulid()}`,
    aliases: `["Yard ${ulid()}"]`,
    description: "All that grows",
  }),
  others: {
    deactivated_at: AT,
    color: "#000000",
    sort_order: 0,
    name: "Allotment",
    aliases: `["Plot","庭"]`,
    description: "All that is grown",
  },
  change: "CHANGED",
  derived: renewNames,
};

export const TAGS: RootKind = {
  ...CATEGORIES,
  sample: () => ({ ...CATEGORIES.sample(), kind: "TAG" }),
};

/** Merges one tag into another; `forged` makes it invalid. */
export function mergeInto(source: Row, target: Row, forged: Row = {}): string {
  const columns = { merged_into: target.term_id ?? null, deactivated_at: AT, ...forged };
  return stepRow({ ...TAGS, change: "MERGED" }, source, nextRoot(source, columns));
}

export function newAssignment({ owner_id, term_id }: Row, record: Row, columns: Row = {}): Row {
  const { record_id, module_code } = record;
  const own = { owner_id, assignment_id: ulid(), term_id, module_code, record_id } as Row;
  return { ...own, assigned_at: AT, removed_at: null, ...columns };
}

/** Offences about two existing terms. */
function withTerms(offend: (term: Row, other: Row) => readonly string[]): Offences {
  return ({ accountId }) => {
    const [term, other] = [newRow(TAGS, accountId), newRow(TAGS, accountId)];
    const stored = insertRow(TAGS, term) + insertRow(TAGS, other);
    return offend(term, other).map((script) => stored + script);
  };
}

function wrongAssignments(...columns: readonly Row[]): Offences {
  return (caller, root) =>
    withTerms((term) =>
      columns.map((wrong) => insertInto("taxonomy_assignments", newAssignment(term, root, wrong)))
    )(caller, root);
}

const TOO_MANY = JSON.stringify(Array.from({ length: 51 }, (_, index) => `${index}`));

/** Keyed by constraint. */
export const TAXONOMY_OFFENCES: Readonly<Record<string, Offences>> = {
  taxonomy_term_owner_exists: () => [insertInto("taxonomy_terms", newRow(TAGS, ulid()))],
  taxonomy_term_kind_known: wrongRows(TAGS, { kind: "tag" }, { kind: "" }),
  taxonomy_merged_is_inactive_tag: ({ accountId }) => {
    const target = newRow(TAGS, accountId);
    const merged_into = target.term_id ?? null;
    const wrong: readonly Row[] = [
      newRow(TAGS, accountId, { merged_into }),
      newRow(CATEGORIES, accountId, { merged_into, deactivated_at: AT }),
      { ...target, merged_into, deactivated_at: AT },
    ];
    return wrong.map((row) => insertInto("taxonomy_terms", row));
  },
  taxonomy_parent_of_category: wrongRows(TAGS, { parent_id: ulid() }),
  taxonomy_color_shape: wrongRows(
    TAGS,
    ...["", "#12345", "#1234567", "123456", "#12345g", "#123456\n", "red"].map((color) => ({
      color,
    })),
  ),
  taxonomy_sort_order_range: wrongRows(TAGS, { sort_order: -1 }, { sort_order: 1_000_001 }),
  taxonomy_name_length: wrongRows(TAGS, { name: "" }, { name: "🚀".repeat(65) }),
  taxonomy_aliases_listed: ({ accountId }) =>
    ["{}", "null", `"a"`, "1", TOO_MANY].map((aliases) =>
      insertInto("taxonomy_terms", newRow(TAGS, accountId, { aliases }))
    ),
  taxonomy_description_length: wrongRows(TAGS, { description: "x".repeat(100_001) }),
  taxonomy_parent_exists: ({ accountId }) => {
    const label = newRow(TAGS, accountId);
    return [ulid(), label.term_id ?? null].map((parent_id) =>
      insertRow(TAGS, label) + insertRow(CATEGORIES, newRow(CATEGORIES, accountId, { parent_id }))
    );
  },
  taxonomy_merged_into_exists: ({ accountId }) => {
    const tag = newRow(TAGS, accountId);
    const place = newRow(CATEGORIES, accountId);
    return [{ term_id: ulid() }, place].map((target) =>
      insertRow(CATEGORIES, place) + insertRow(TAGS, tag) + mergeInto(tag, target)
    );
  },
  taxonomy_change_known: wrongSteps(TAGS, { change: "MODIFIED" }, { change: "changed" }),
  taxonomy_change_fits: wrongSteps(
    TAGS,
    { change: "CREATED" },
    { change: "DEACTIVATED", deactivated_at: null },
    { change: "REACTIVATED" },
    { change: "MERGED" },
    { change: "CHANGED", merged_into: ulid() },
  ),
  taxonomy_revision_is_projected: unprojected(TAGS),
  taxonomy_name_position: withTerms((term) => [
    insertInto("taxonomy_names", { ...namesOf(term)[0], compared: "other", position: -1 }),
  ]),
  taxonomy_name_of_term: withTerms((term) =>
    [{ term_id: ulid() }, { kind: "CATEGORY" }, { owner_id: ulid() }].map((wrong) =>
      removeNames(term) + insertInto("taxonomy_names", { ...namesOf(term)[0], ...wrong })
    )
  ),
  taxonomy_name_place: withTerms((term) => [
    insertInto("taxonomy_names", { ...namesOf(term)[1], compared: "other" }),
  ]),
  taxonomy_terms_carry_no_terms: withTerms((term, other) => [
    insertInto(
      "taxonomy_assignments",
      newAssignment(term, { record_id: other.term_id ?? null, module_code: "taxonomy" }),
    ),
  ]),
  taxonomy_assignment_times_ordered: wrongAssignments({ removed_at: "2026-11-20T11:59:59.999Z" }),
  taxonomy_assignment_of_term: wrongAssignments({ term_id: ulid() }),
  taxonomy_assignment_of_record: wrongAssignments({ record_id: ulid() }),
};
