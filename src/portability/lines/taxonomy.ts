import { comparedForm } from "../../families/taxonomy/name.ts";
import { lineType, projectedAs, rootType } from "../description.ts";
import { id, integer, optional, stamp, text, texts } from "../kinds.ts";
import { moduleCode } from "./shared.ts";

export const TERM_LINES = rootType("term", {
  table: "taxonomy_terms",
  ledger: "taxonomy_term_revisions",
  projection: projectedAs("taxonomy"),
  fixed: { term_id: id, kind: text },
  changing: {
    deactivated_at: optional(stamp),
    merged_into: optional(id),
    parent_id: optional(id),
    color: optional(text),
    sort_order: optional(integer),
    name: text,
    aliases: texts,
    description: optional(text),
  },
  derived: [{
    table: "taxonomy_names",
    columns: { kind: text, compared: text, term_id: id, position: integer, spelling: text },
    rowsOf: ({ kind = null, term_id = null, merged_into, name, aliases }) =>
      merged_into !== null ? [] : [name, ...aliases as string[]].map((spelling, position) => ({
        kind,
        compared: comparedForm(String(spelling)),
        term_id,
        position,
        spelling: String(spelling),
      })),
  }],
});

export const ASSIGNMENT_LINES = lineType("assignment", {
  table: "taxonomy_assignments",
  columns: {
    assignment_id: id,
    term_id: id,
    module_code: moduleCode,
    record_id: id,
    assigned_at: stamp,
    removed_at: optional(stamp),
  },
});
