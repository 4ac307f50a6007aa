/** What the Record Kernel offers to the typed families, and nothing else of it. */

export { manyProjectionEntries, type Projection, projectionEntries } from "./projection.ts";
export {
  executionEntries,
  executionEntry,
  type ExecutionRow,
  findExecution,
  listFamilyExecutions,
} from "./execution.ts";
export {
  assertReadable,
  findInModule,
  findRecordHead,
  type RecordHead,
  requireReadableModule,
} from "./readable.ts";
export { RECORD_SUMMARY, RECORD_TITLE, type SourceType } from "./record.ts";
