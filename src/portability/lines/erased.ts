import { lineType } from "../description.ts";
import { anyId, optional, stamp, text } from "../kinds.ts";

/** Identifiers of subjects that an operator has erased. */
export const ERASED_LINES = lineType("erased", {
  table: "erased_subjects",
  columns: {
    subject_id: anyId,
    module_code: optional(text),
    erased_at: stamp,
    certificate_id: anyId,
  },
});
