import { CATALOG } from "../../catalog/catalog.ts";
import { isPayloadTooLarge } from "../../catalog/payload_size.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Columns, lineType, REVISION_MEMBERS, ROOT } from "../description.ts";
import { clocks, id, integer, object, optional, stamp, text } from "../kinds.ts";
import { ARCHIVED, moduleCode } from "./shared.ts";

const RECORD: Columns = { ...ARCHIVED, title: text, summary: text, payload: object, clocks };
export const RECORD_LINES = lineType("record", {
  table: "records",
  columns: {
    record_id: id,
    module_code: moduleCode,
    source_type: text,
    recorded_at: stamp,
    ...ROOT,
    ...RECORD,
    guard: optional(text),
  },
  lists: [{
    member: "revisions",
    table: "record_revisions",
    inherited: ["record_id", "module_code"],
    columns: { ...REVISION_MEMBERS, ...RECORD },
  }],
  // A family's projection is as large as its data; in JSON a text can be six times as long.
  accepts: ({ payload }, { module_code }) =>
    CATALOG.module(String(module_code))?.access !== "GENERIC" ||
    !isPayloadTooLarge(payload as JsonObject),
});

export const EXECUTION_LINES = lineType("execution", {
  table: "executions",
  columns: {
    execution_id: id,
    record_id: optional(id),
    module_code: moduleCode,
    feature_id: text,
    strategy: text,
    revision: optional(integer),
    status: text,
    output: object,
    created_at: stamp,
  },
});
