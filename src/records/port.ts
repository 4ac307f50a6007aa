/** What the Record Kernel offers to the typed families, and nothing else of it. */

export { manyProjectionEntries, type Projection, projectionEntries } from "./projection.ts";
export { executionEntries, executionEntry, type ExecutionRow } from "./execution.ts";
export {
  type FamilyFeature,
  featureReadEndpoints,
  type FeatureRun,
  keptRun,
  type ListedRun,
  listedRun,
  runFeature,
} from "./family_features.ts";
export { RECORD_SUMMARY, RECORD_TITLE, type SourceType, TITLE_LENGTH } from "./record.ts";
