/** The parts of the Record Kernel that typed families use. */

export {
  manyProjectionEntries,
  type Projection,
  projectionEntries,
  type RecordOrigin,
  toProjection,
} from "./projection.ts";
export { countOverdueRecords, findDueRecords } from "./due.ts";
export { executionEntries, executionEntry, type ExecutionRow, findExecution } from "./execution.ts";
export {
  type FamilyFeature,
  featureReadEndpoints,
  type ListedRun,
  listedRun,
  runFeature,
} from "./family_feature.ts";
export { partExportEndpoints, type PartExportServices, type WrittenPart } from "./family_export.ts";
export { EXPORTED_RECORD_SCHEMA, readExportPart } from "./export_part.ts";
export { createReadEndpoints, PLAIN_READS } from "./read_routes.ts";
export {
  changeRecord,
  createRecord,
  findRecord,
  findRecordAt,
  type ListServices,
  type ReadServices,
  type WriteServices,
} from "./record_store.ts";
export { checkModify, decideCreate, decideModify } from "./record_rules.ts";
export { CREATE_BODY, MODIFY_BODY } from "./record_schema.ts";
export { requireGenericWrite, withinModule } from "./module_access.ts";
export {
  EQUALITY_SCHEMA,
  type Filter,
  LIST_QUERY,
  type ListQuery,
  readFilters,
  WRITING_SORT,
} from "./list_query.ts";
export { readList } from "./list_store.ts";
export { type Placed, readPlaced, readPosition, toSignedPage } from "./order_pages.ts";
export { readLiveByTitle } from "./ordered_list.ts";
export { orderWalk } from "./order_walk.ts";
export { type OrderPosition, parsePosition } from "./two_part_walk.ts";
export {
  type JoinedColumns,
  modulesWithin,
  type OwnTimeRange,
  type OwnTimeRow,
  ownTimes,
  payloadColumns,
  type PayloadRow,
} from "./own_times.ts";
export { timeWalk } from "./time_walk.ts";
export { readRevisions } from "./history_store.ts";
export { writtenRecords, type WrittenRow } from "./written.ts";
export { routineIds } from "./routines.ts";
export {
  MAX_LATER_REVISIONS,
  type TimeHistory,
  timeHistory,
  type TimeRevision,
} from "./time_history.ts";
export type { RevisionRow } from "./revision.ts";
export { assertOrdered } from "./search_index/built.ts";
export { audienceOf, type LentAudience } from "./search_index/texts.ts";
export { findPresentRecords, type ImportedRecord, insertImportedRecords } from "./imported.ts";
export {
  type Change,
  CHANGES,
  LOCAL_TIMES,
  RECORD_SUMMARY,
  RECORD_TITLE,
  type RecordRow,
  type SourceType,
  TITLE_LENGTH,
} from "./record.ts";
export { changeOrder, type ChangePlace, changesBehind } from "./feed/change_order.ts";
export {
  assertReadable,
  findInModule,
  findRecordHead,
  findServed,
  findTitles,
  isLiveAt,
  type RecordHead,
  requireReadableModule,
  seesModule,
  type ServedRecords,
} from "./readable.ts";
