import { isPayloadTooLarge } from "../../catalog/payload_size.ts";
import { isJsonObject } from "../../core/json.ts";
import { type Columns, lineType, REVISION, ROOT } from "../description.ts";
import { id, integer, type Kind, object, optional, stamp, text } from "../kinds.ts";
import { ARCHIVED, moduleCode } from "./shared.ts";

/** As payloads of general records are held to. */
const payload: Kind = {
  ...object,
  accepts: (value) => isJsonObject(value) && !isPayloadTooLarge(value),
};
const RECORD: Columns = { ...ARCHIVED, title: text, summary: text, payload };
export const RECORDS = lineType("record", {
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
    columns: { ...REVISION, ...RECORD },
  }],
});

export const EXECUTIONS = lineType("execution", {
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
