/** Types of the answers under the names that the console uses. */

type AccountStorage = import("../../../client/wire.ts").StorageUsage;
type Analysis = import("../../../client/wire.ts").DecisionAnalysis;
type AuditProof = import("../../../client/wire.ts").AuditEntryProof;
type BackupStatus = import("../../../client/wire.ts").BackupStatus;
type CalendarFeed = import("../../../client/wire.ts").CalendarFeed;
type CalibrationIntervals = import("../../../client/wire.ts").CalibrationIntervals;
type CatalogFeature = import("../../../client/wire.ts").CatalogFeature;
type ContactState = import("../../../client/wire.ts").ContactState;
type Decision = import("../../../client/wire.ts").Decision;
type Import = import("../../../client/wire.ts").Import;
type ImportQuestion = import("../../../client/wire.ts").ImportQuestion;
type LegacyDrill = import("../../../client/wire.ts").LegacyDrill;
type NetworkItem = import("../../../client/wire.ts").NetworkItem;
type OverloadAnalysis = import("../../../client/wire.ts").OverloadAnalysis;
type PersonProposal = import("../../../client/wire.ts").PersonProposal;
type RecordChange = import("../../../client/wire.ts").RecordChange;
type Resource = import("../../../client/wire.ts").Resource;
type ResourceSnapshot = import("../../../client/wire.ts").ResourceSnapshot;
type Role = import("../../../client/wire.ts").Role;
type Seal = import("../../../client/wire.ts").Seal;
type BestFound = import("../../../client/wire.ts").BestFoundRecord;
type SearchResult =
  & import("../../../client/wire.ts").FoundRecord
  & Partial<Pick<BestFound, "time" | "match">>;
type Simulation = import("../../../client/wire.ts").DecisionSimulation;
type Stage = import("../../../client/wire.ts").Stage;
type TaxonomyUsage = import("../../../client/wire.ts").TermUsage;
