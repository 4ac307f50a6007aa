/** The parts of the Record Kernel that typed families use. */

export { manyProjectionEntries, type Projection, projectionEntries } from "./projection.ts";
export { findDueRecords } from "./due.ts";
export { executionEntries, executionEntry, type ExecutionRow, findExecution } from "./execution.ts";
export {
  type FamilyFeature,
  featureReadEndpoints,
  type FeatureRun,
  keptRun,
  type ListedRun,
  listedRun,
  runFeature,
} from "./family_feature.ts";
export { EXPORTED_RECORD_SCHEMA, readExportPart } from "./export_part.ts";
export { createReadEndpoints, PLAIN_READS } from "./read_routes.ts";
export type { ReadServices } from "./record_store.ts";
export { findPresentRecords, type ImportedRecord, insertImportedRecords } from "./imported.ts";
export {
  type Change,
  CHANGES,
  RECORD_SUMMARY,
  RECORD_TITLE,
  type SourceType,
  TITLE_LENGTH,
} from "./record.ts";
export { changeOrder, type ChangePlace, changesBehind } from "./feed/change_order.ts";
export {
  assertReadable,
  findInModule,
  findRecordHead,
  findServed,
  readPermissionOf,
  type RecordHead,
  recordsBehind,
  requireReadableModule,
  type ServedRecords,
} from "./readable.ts";
