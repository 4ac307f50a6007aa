import { comparedForm } from "../../families/taxonomy/name.ts";
import { TERM } from "../../families/taxonomy/term.ts";
import { declaredRoot, lineType, projectedAs } from "../description.ts";
import { id, integer, optional, stamp, text } from "../kinds.ts";
import { moduleCode } from "./shared.ts";

export const TERM_LINES = declaredRoot("term", TERM, {
  projection: projectedAs("taxonomy"),
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
