/** Types of the answers under the names that the console uses. */

type AccountStorage = import("../../../client/wire.ts").StorageUsage;
type Analysis = import("../../../client/wire.ts").DecisionAnalysis;
type AuditProof = import("../../../client/wire.ts").AuditEntryProof;
type BackupStatus = import("../../../client/wire.ts").BackupStatus;
type CalendarFeed = import("../../../client/wire.ts").CalendarFeed;
type Calibration = import("../../../client/wire.ts").Calibration;
type CatalogFeature = import("../../../client/wire.ts").CatalogFeature;
type Import = import("../../../client/wire.ts").Import;
type ImportQuestion = import("../../../client/wire.ts").ImportQuestion;
type LegacyDrill = import("../../../client/wire.ts").LegacyDrill;
type OverloadAnalysis = import("../../../client/wire.ts").OverloadAnalysis;
type PersonProposal = import("../../../client/wire.ts").PersonProposal;
type RecordChange = import("../../../client/wire.ts").RecordChange;
type SearchResult = import("../../../client/wire.ts").FoundRecord;
type Simulation = import("../../../client/wire.ts").DecisionSimulation;
type TaxonomyUsage = import("../../../client/wire.ts").TermUsage;
