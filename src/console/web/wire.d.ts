// deno-fmt-ignore-file
/**
 * What the API answers, for the type check alone. Written from the OpenAPI document by
 * `deno task snapshot`; a test compares the two. Do not edit.
 */

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export type AccessEvent = {
  readonly eventId: string;
  readonly event: "ACCOUNT_CREATED" | "ACCOUNT_DISABLED" | "ACCOUNT_ENABLED" | "LOGIN" | "LOGIN_FAILED" | "LOGOUT" | "SESSION_REVOKED" | "PASSWORD_CHANGED" | "PASSWORD_RESET" | "TOKEN_CREATED" | "TOKEN_REVOKED" | "STEP_UP" | "STEP_UP_FAILED" | "ROLE_GRANTED" | "ROLE_REVOKED" | "PERMISSION_GRANTED" | "PERMISSION_REVOKED" | "SECOND_FACTOR_ENABLED" | "SECOND_FACTOR_DISABLED" | "SECOND_FACTOR_RESET" | "SECOND_FACTOR_REQUIRED" | "SECOND_FACTOR_FAILED" | "RECOVERY_CODES_REPLACED" | "RECOVERY_CODE_USED" | "ACCOUNT_FROZEN" | "ACCOUNT_UNFROZEN" | "ACCOUNT_EXPORTED" | "ACCOUNT_IMPORTED" | "ACCOUNT_RETIRED";
  readonly credentialKind: "SESSION" | "TOKEN" | "ADMIN" | null;
  readonly credentialId: string | null;
  readonly addressDigest: string | null;
  readonly client: string | null;
  readonly requestId: string;
  readonly createdAt: string;
};

export type Account = {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: string | null;
  readonly createdAt: string;
};

export type AccountExport = {
  readonly exportId: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  readonly counts: {
    readonly [name: string]: number;
  };
  readonly createdAt: string;
  readonly expiresAt: string;
};

export type AccountImport = {
  readonly importId: string;
  readonly sha256: string;
  readonly counts: {
    readonly [name: string]: number;
  };
};

export type Attachment = {
  readonly attachmentId: string;
  readonly size: number;
  readonly sha256: string;
  readonly mediaType: string;
  readonly filename: string;
  readonly createdAt: string;
};

export type AuditEntry = {
  readonly auditId: string;
  readonly actorId: string;
  readonly credentialKind: "SESSION" | "TOKEN" | "ADMIN" | "SYSTEM";
  readonly credentialId: string;
  readonly operation: string;
  readonly moduleCode: string | null;
  readonly subjectId: string | null;
  readonly revision: number | null;
  readonly requestId: string;
  readonly createdAt: string;
};

export type AuditProof = {
  readonly entry: AuditEntry | AccessEvent;
  readonly inclusion: Inclusion | null;
};

export type BackupStatus = {
  readonly schedule: {
    readonly everyHours: number;
    readonly keep: number | null;
    readonly encrypted: boolean;
  } | null;
  readonly lastRun: {
    readonly state: "RUNNING" | "SUCCEEDED" | "FAILED" | "INTERRUPTED";
    readonly startedAt: string;
    readonly endedAt: string | null;
  } | null;
  readonly newest: {
    readonly name: string;
    readonly at: string;
    readonly ageSeconds: number;
    readonly size: number;
  } | null;
};

export type CatalogFeature = {
  readonly id: string;
  readonly title: string;
  readonly strategy: string;
  readonly plannedVersion: "V1.0" | "V2.0" | "V3.0";
  readonly status: "partial" | "implemented_local";
  readonly annotations: readonly ("EXTERNAL_BLOCKER" | "HISTORICAL_PROVIDER")[];
};

export type CatalogField = {
  readonly name: string;
  readonly edit: "text" | "textarea" | "select" | "number" | "datetime" | "boolean" | "tags" | "file" | "json";
  readonly required: boolean;
  readonly sensitive: boolean;
  readonly options?: readonly (string)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
  readonly maximumLength?: number;
  readonly distinct?: boolean;
  readonly attachment?: boolean;
};

export type CatalogModule = {
  readonly code: string;
  readonly prefix: string;
  readonly group: string;
  readonly completion: "partial" | "implemented_local";
  readonly entry: "GENERIC" | "DEDICATED";
  readonly fields: readonly (CatalogField)[];
  readonly rules: readonly (CatalogRule)[];
  readonly features: readonly (CatalogFeature)[];
};

export type CatalogRule = {
  readonly name: string;
  readonly statement: string;
  readonly fields: readonly (string)[];
};

export type Comparison = {
  readonly comparisonId: string;
  readonly left: {
    readonly kind: "PROFILE_REVISION";
    readonly revision: number;
  } | {
    readonly kind: "SNAPSHOT";
    readonly snapshotId: string;
  };
  readonly right: {
    readonly kind: "PROFILE_REVISION";
    readonly revision: number;
  } | {
    readonly kind: "SNAPSHOT";
    readonly snapshotId: string;
  };
  readonly fields: readonly ({
    readonly field: "displayName" | "currentRole" | "lifeStage" | "startedAt" | "endedAt" | "biography" | "publicSummary" | "tags";
    readonly left: string | null | readonly (string)[] | null;
    readonly right: string | null | readonly (string)[] | null;
    readonly change: "SAME" | "CHANGED" | "ADDED" | "REMOVED";
  })[];
  readonly createdAt: string;
};

export type CreatedToken = {
  readonly tokenId: string;
  readonly name: string;
  readonly permissions: readonly ("platform.operate" | "record.read" | "record.write" | "attachment.read" | "attachment.write" | "memory.read" | "memory.write" | "memory.secret" | "identity.read" | "identity.write" | "identity.publish" | "relationship.person.read" | "relationship.person.write" | "relationship.status.control" | "relationship.ledger.read" | "relationship.ledger.write" | "relationship.ledger.secret" | "relationship.evaluation.propose" | "relationship.evaluation.confirm" | "decision.read" | "decision.write" | "resource.read" | "resource.write" | "taxonomy.read" | "taxonomy.write" | "search.read" | "changes.read" | "audit.read" | "token.manage" | "account.manage")[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly token: string;
};

export type Decision = {
  readonly decisionId: string;
  readonly question: string;
  readonly options: {
    readonly items: readonly (string)[];
  };
  readonly chosenOption: string | null;
  readonly rationale: string | null;
  readonly prediction: string | null;
  readonly actualOutcome: string | null;
  readonly decidedAt: string | null;
  readonly reviewAt: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
};

export type DecisionAnalysis = {
  readonly analysisId: string;
  readonly decisionId: string;
  readonly decisionRevision: number;
  readonly criteria: readonly ({
    readonly name: string;
    readonly weight: number;
    readonly normalisedWeight: number;
  })[];
  readonly scores: {
    readonly [name: string]: {
      readonly [name: string]: number;
    };
  };
  readonly totals: readonly ({
    readonly option: string;
    readonly total: number;
  })[];
  readonly ranking: readonly ({
    readonly rank: number;
    readonly option: string;
    readonly total: number;
  })[];
  readonly sensitivity: {
    readonly criterion: string;
    readonly weight: number;
    readonly criticalWeight: number;
    readonly change: number;
    readonly challenger: string;
  } | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type DecisionAnalysisRevision = {
  readonly analysisId: string;
  readonly decisionId: string;
  readonly decisionRevision: number;
  readonly criteria: readonly ({
    readonly name: string;
    readonly weight: number;
    readonly normalisedWeight: number;
  })[];
  readonly scores: {
    readonly [name: string]: {
      readonly [name: string]: number;
    };
  };
  readonly totals: readonly ({
    readonly option: string;
    readonly total: number;
  })[];
  readonly ranking: readonly ({
    readonly rank: number;
    readonly option: string;
    readonly total: number;
  })[];
  readonly sensitivity: {
    readonly criterion: string;
    readonly weight: number;
    readonly criticalWeight: number;
    readonly change: number;
    readonly challenger: string;
  } | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED";
};

export type DecisionCalibration = {
  readonly count: number;
  readonly brierScore: number | null;
  readonly logScore: number | null;
  readonly reliability: readonly ({
    readonly from: number;
    readonly to: number;
    readonly count: number;
    readonly meanProbability: number | null;
    readonly observedFrequency: number | null;
  })[];
};

export type DecisionCounterfactual = {
  readonly counterfactualId: string;
  readonly decisionId: string;
  readonly option: string;
  readonly narrative: string;
  readonly expectedValue: number | null;
  readonly confidence: number;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type DecisionCounterfactualRevision = {
  readonly counterfactualId: string;
  readonly decisionId: string;
  readonly option: string;
  readonly narrative: string;
  readonly expectedValue: number | null;
  readonly confidence: number;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED";
};

export type DecisionOutcome = {
  readonly outcomeId: string;
  readonly decisionId: string;
  readonly predictionId: string | null;
  readonly predictionRevision: number | null;
  readonly occurred: boolean;
  readonly description: string;
  readonly observedAt: string;
  readonly satisfaction: number | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type DecisionOutcomeRevision = {
  readonly outcomeId: string;
  readonly decisionId: string;
  readonly predictionId: string | null;
  readonly predictionRevision: number | null;
  readonly occurred: boolean;
  readonly description: string;
  readonly observedAt: string;
  readonly satisfaction: number | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED";
};

export type DecisionPrediction = {
  readonly predictionId: string;
  readonly decisionId: string;
  readonly statement: string;
  readonly probability: number;
  readonly dueAt: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type DecisionPredictionRevision = {
  readonly predictionId: string;
  readonly decisionId: string;
  readonly statement: string;
  readonly probability: number;
  readonly dueAt: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED";
};

export type DecisionRevision = {
  readonly decisionId: string;
  readonly question: string;
  readonly options: {
    readonly items: readonly (string)[];
  };
  readonly chosenOption: string | null;
  readonly rationale: string | null;
  readonly prediction: string | null;
  readonly actualOutcome: string | null;
  readonly decidedAt: string | null;
  readonly reviewAt: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED" | "ARCHIVED" | "RESTORED";
};

export type DecisionSimulation = {
  readonly simulationId: string;
  readonly decisionId: string;
  readonly decisionRevision: number;
  readonly algorithm: 1;
  readonly seed: number;
  readonly runs: number;
  readonly options: readonly ({
    readonly option: string;
    readonly factors: readonly ({
      readonly name: string;
      readonly weight: number;
      readonly distribution: "NORMAL";
      readonly mean: number;
      readonly standardDeviation: number;
    } | {
      readonly name: string;
      readonly weight: number;
      readonly distribution: "UNIFORM";
      readonly minimum: number;
      readonly maximum: number;
    } | {
      readonly name: string;
      readonly weight: number;
      readonly distribution: "TRIANGULAR";
      readonly minimum: number;
      readonly mode: number;
      readonly maximum: number;
    })[];
  })[];
  readonly results: readonly ({
    readonly option: string;
    readonly mean: number;
    readonly standardDeviation: number;
    readonly p5: number;
    readonly p50: number;
    readonly p95: number;
    readonly probabilityBest: number;
  })[];
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type DecisionSimulationRevision = {
  readonly simulationId: string;
  readonly decisionId: string;
  readonly decisionRevision: number;
  readonly algorithm: 1;
  readonly seed: number;
  readonly runs: number;
  readonly options: readonly ({
    readonly option: string;
    readonly factors: readonly ({
      readonly name: string;
      readonly weight: number;
      readonly distribution: "NORMAL";
      readonly mean: number;
      readonly standardDeviation: number;
    } | {
      readonly name: string;
      readonly weight: number;
      readonly distribution: "UNIFORM";
      readonly minimum: number;
      readonly maximum: number;
    } | {
      readonly name: string;
      readonly weight: number;
      readonly distribution: "TRIANGULAR";
      readonly minimum: number;
      readonly mode: number;
      readonly maximum: number;
    })[];
  })[];
  readonly results: readonly ({
    readonly option: string;
    readonly mean: number;
    readonly standardDeviation: number;
    readonly p5: number;
    readonly p50: number;
    readonly p95: number;
    readonly probabilityBest: number;
  })[];
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly change: "CREATED";
};

export type Execution = {
  readonly executionId: string;
  readonly recordId: string | null;
  readonly featureId: string;
  readonly strategy: string;
  readonly revision: number | null;
  readonly status: string;
  readonly output: {
    readonly [name: string]: unknown;
  };
  readonly createdAt: string;
  readonly redacted?: true;
};

export type ExportedRecord = {
  readonly recordId: string;
  readonly revisions: readonly (ExportedRevision)[];
};

export type ExportedRevision = {
  readonly revision: number;
  readonly change: "CREATED" | "MODIFIED" | "ARCHIVED" | "RESTORED";
  readonly title: string;
  readonly summary: string;
  readonly payload: {
    readonly [name: string]: unknown;
  };
  readonly archivedAt: string | null;
  readonly createdAt: string;
};

export type IdentityExport = {
  readonly format: "json" | "csv";
  readonly filename: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly content: string;
  readonly snapshotsLeftOut: number;
};

export type IdentityImport = {
  readonly executionId: string;
  readonly conflictMode: "REJECT" | "CREATE_SNAPSHOT";
  readonly revision: number;
  readonly snapshotId: string | null;
  readonly created: {
    readonly stages: number;
    readonly roles: number;
    readonly snapshots: number;
  };
  readonly skipped: {
    readonly stages: number;
    readonly roles: number;
    readonly snapshots: number;
  };
  readonly createdAt: string;
};

export type Inclusion = {
  readonly seal: Seal;
  readonly leafIndex: number;
  readonly path: readonly (string)[];
};

export type LegacyDrill = {
  readonly drillId: string;
  readonly planId: string;
  readonly planRevision: number;
  readonly profileRevision: number;
  readonly delivery: "BLOCKED";
  readonly fields: readonly ({
    readonly field: "displayName" | "currentRole" | "lifeStage" | "startedAt" | "endedAt" | "biography" | "publicSummary" | "tags";
    readonly present: boolean;
  })[];
  readonly createdAt: string;
};

export type LegacyPlan = {
  readonly planId: string;
  readonly recipientDescription: string;
  readonly releaseCondition: string;
  readonly instructions: string | null;
  readonly fields: readonly ("displayName" | "currentRole" | "lifeStage" | "startedAt" | "endedAt" | "biography" | "publicSummary" | "tags")[];
  readonly delivery: "BLOCKED";
  readonly lastDrillAt: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ListedMemoryExport = {
  readonly executionId: string;
  readonly format: "MARKDOWN" | "JSON";
  readonly filename: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly count: number;
  readonly createdAt: string;
};

export type ListedResourceExport = {
  readonly executionId: string;
  readonly format: "JSON" | "CSV";
  readonly dataset: "RESOURCES" | "SNAPSHOTS";
  readonly filename: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly count: number;
  readonly createdAt: string;
};

export type ListedSession = {
  readonly sessionId: string;
  readonly deviceName: string | null;
  readonly addressDigest: string | null;
  readonly client: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly current: boolean;
};

export type Memory = {
  readonly memoryId: string;
  readonly title: string;
  readonly summary: string;
  readonly memoryType: "EVENT" | "PERSON" | "PLACE" | "FEELING" | "DREAM" | "LESSON" | "STORY" | "OTHER";
  readonly originalContent: string;
  readonly currentContent: string;
  readonly occurredAt: string | null;
  readonly timePrecision: "EXACT" | "DAY" | "MONTH" | "SEASON" | "YEAR" | "DECADE" | "LIFE_PERIOD" | "UNKNOWN" | null;
  readonly timeText: string | null;
  readonly timeRange: MemoryTimeRange | null;
  readonly importance: number | null;
  readonly aiDraft: string | null;
  readonly aiDraftProvider: string | null;
  readonly aiDraftModel: string | null;
  readonly privacyLevel: "NORMAL" | "PRIVATE" | "SECRET";
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
};

export type MemoryDraft = {
  readonly draftId: string;
  readonly memoryId: string | null;
  readonly draftVersion: number;
  readonly content: {
    readonly [name: string]: unknown;
  } | null;
  readonly state: "OPEN" | "COMMITTED" | "DISCARDED";
  readonly committedMemoryId: string | null;
  readonly committedRevision: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly redacted?: true;
};

export type MemoryExport = {
  readonly executionId: string;
  readonly format: "MARKDOWN" | "JSON";
  readonly filename: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly count: number;
  readonly content: string | null;
  readonly nextCursor: string | null;
};

export type MemoryRevision = {
  readonly memoryId: string;
  readonly title: string;
  readonly summary: string;
  readonly memoryType: "EVENT" | "PERSON" | "PLACE" | "FEELING" | "DREAM" | "LESSON" | "STORY" | "OTHER";
  readonly originalContent: string;
  readonly currentContent: string;
  readonly occurredAt: string | null;
  readonly timePrecision: "EXACT" | "DAY" | "MONTH" | "SEASON" | "YEAR" | "DECADE" | "LIFE_PERIOD" | "UNKNOWN" | null;
  readonly timeText: string | null;
  readonly timeRange: MemoryTimeRange | null;
  readonly importance: number | null;
  readonly aiDraft: string | null;
  readonly aiDraftProvider: string | null;
  readonly aiDraftModel: string | null;
  readonly privacyLevel: "NORMAL" | "PRIVATE" | "SECRET";
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly revisionId: string;
  readonly change: "CREATED" | "REVISED" | "RECOVERED" | "AI_DRAFTED" | "AI_DRAFT_ADOPTED" | "AI_DRAFT_REJECTED" | "TIME_CHANGED" | "PRIVACY_CHANGED" | "ARCHIVED" | "RESTORED";
};

export type MemorySlice = {
  readonly sliceId: string;
  readonly memoryId: string;
  readonly label: string;
  readonly memoryRevision: number;
  readonly title: string;
  readonly summary: string;
  readonly memoryType: "EVENT" | "PERSON" | "PLACE" | "FEELING" | "DREAM" | "LESSON" | "STORY" | "OTHER";
  readonly currentContent: string | null;
  readonly occurredAt: string | null;
  readonly timePrecision: "EXACT" | "DAY" | "MONTH" | "SEASON" | "YEAR" | "DECADE" | "LIFE_PERIOD" | "UNKNOWN" | null;
  readonly timeText: string | null;
  readonly importance: number | null;
  readonly createdAt: string;
  readonly redacted?: true;
};

export type MemoryTimeRange = {
  readonly from: string;
  readonly to: string;
};

export type Meta = {
  readonly requestId: string;
};

export type NetworkItem = {
  readonly resource: Resource;
  readonly latestSnapshot: ResourceSnapshot | null;
};

export type OverloadAnalysis = {
  readonly executionId: string;
  readonly warningFrom: number;
  readonly overloadedFrom: number;
  readonly counts: {
    readonly overloaded: number;
    readonly warning: number;
    readonly normal: number;
    readonly unknown: number;
  };
  readonly items: readonly ({
    readonly resourceId: string;
    readonly resourceRevision: number;
    readonly utilisation: number | null;
    readonly state: "OVERLOADED" | "WARNING" | "NORMAL" | "UNKNOWN";
  })[];
  readonly createdAt: string;
};

export type Person = {
  readonly personId: string;
  readonly personName: string;
  readonly relationshipType: string;
  readonly importance: number;
  readonly lastContactAt: string | null;
  readonly desiredContactIntervalDays: number | null;
  readonly opinion: string | null;
  readonly evidence: string | null;
  readonly counterEvidence: string | null;
  readonly status: "ACTIVE" | "PAUSED" | "ARCHIVED" | "SEALED";
  readonly currentEvaluationRevision: number | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
};

export type PersonContact = {
  readonly contactId: string;
  readonly personId: string;
  readonly contactedAt: string;
  readonly channel: "IN_PERSON" | "CALL" | "VIDEO" | "MESSAGE" | "EMAIL" | "LETTER" | "OTHER";
  readonly direction: "OUTGOING" | "INCOMING" | "MUTUAL";
  readonly note: string | null;
  readonly privacy: "NORMAL" | "PRIVATE" | "SECRET";
  readonly contentHash: string | null;
  readonly state: "LIVE" | "RETRACTED";
  readonly personRevision: number;
  readonly recordedAt: string;
  readonly redacted?: true;
};

export type PersonEvaluation = {
  readonly evaluationId: string;
  readonly personId: string;
  readonly evaluationRevision: number;
  readonly proposalId: string;
  readonly origin: "USER_CONFIRMED";
  readonly text: string | null;
  readonly provider: "local-summary" | "http";
  readonly model: string | null;
  readonly sourceDigest: string;
  readonly sourceRevision: number;
  readonly personRevision: number;
  readonly createdAt: string;
  readonly redacted?: true;
};

export type PersonEvidence = {
  readonly evidenceId: string;
  readonly personId: string;
  readonly stance: "SUPPORTING" | "COUNTER";
  readonly content: string | null;
  readonly sourceKind: "OBSERVATION" | "MESSAGE" | "RECORD" | "THIRD_PARTY" | "OTHER";
  readonly sourceRef: string | null;
  readonly privacy: "NORMAL" | "PRIVATE" | "SECRET";
  readonly effectivePrivacy: "NORMAL" | "PRIVATE" | "SECRET";
  readonly providerConsent: boolean;
  readonly state: "LIVE" | "SUPERSEDED" | "RETRACTED";
  readonly supersededBy: string | null;
  readonly contentHash: string | null;
  readonly recordedAt: string;
  readonly redacted?: true;
};

export type PersonExperience = {
  readonly experienceId: string;
  readonly personId: string;
  readonly title: string;
  readonly narrative: string | null;
  readonly occurredAt: string | null;
  readonly timePrecision: "EXACT" | "DAY" | "MONTH" | "SEASON" | "YEAR" | "DECADE" | "LIFE_PERIOD" | "UNKNOWN";
  readonly timeText: string | null;
  readonly privacy: "NORMAL" | "PRIVATE" | "SECRET";
  readonly contentHash: string | null;
  readonly recordedAt: string;
  readonly redacted?: true;
};

export type PersonProposal = {
  readonly proposalId: string;
  readonly personId: string;
  readonly state: "REQUESTED" | "READY" | "CONFIRMED" | "REJECTED" | "EXPIRED" | "STALE";
  readonly providerConsent: boolean;
  readonly sourceDigest: string;
  readonly sourceRevision: number;
  readonly candidate: string | null;
  readonly provider: "local-summary" | "http" | null;
  readonly model: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly readyAt: string | null;
  readonly expiresAt: string | null;
  readonly decidedAt: string | null;
  readonly evaluationRevision: number | null;
  readonly redacted?: true;
};

export type PersonProposalEvent = {
  readonly eventId: string;
  readonly proposalId: string;
  readonly fromState: "REQUESTED" | "READY" | "CONFIRMED" | "REJECTED" | "EXPIRED" | "STALE" | null;
  readonly toState: "REQUESTED" | "READY" | "CONFIRMED" | "REJECTED" | "EXPIRED" | "STALE";
  readonly reason: string | null;
  readonly createdAt: string;
};

export type PersonRevision = {
  readonly personId: string;
  readonly personName: string;
  readonly relationshipType: string;
  readonly importance: number;
  readonly lastContactAt: string | null;
  readonly desiredContactIntervalDays: number | null;
  readonly opinion: string | null;
  readonly evidence: string | null;
  readonly counterEvidence: string | null;
  readonly status: "ACTIVE" | "PAUSED" | "ARCHIVED" | "SEALED";
  readonly currentEvaluationRevision: number | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED" | "STATUS_CHANGED" | "ARCHIVED" | "RESTORED" | "CONTACT_RECORDED" | "CONTACT_RETRACTED" | "EVALUATION_CONFIRMED";
};

export type PersonStatusEvent = {
  readonly eventId: string;
  readonly personId: string;
  readonly fromStatus: "ACTIVE" | "PAUSED" | "ARCHIVED" | "SEALED";
  readonly toStatus: "ACTIVE" | "PAUSED" | "ARCHIVED" | "SEALED";
  readonly reason: string | null;
  readonly revision: number;
  readonly createdAt: string;
};

export type PersonTimelineEntry = {
  readonly entryId: string;
  readonly personId: string;
  readonly kind: "CONTACT_RECORDED" | "CONTACT_RETRACTED" | "EXPERIENCE_RECORDED" | "STATUS_CHANGED" | "EVALUATION_CONFIRMED";
  readonly sourceId: string;
  readonly occurredAt: string | null;
  readonly recordedAt: string;
};

export type Profile = {
  readonly profileId: string;
  readonly displayName: string;
  readonly currentRole: string | null;
  readonly lifeStage: "CHILDHOOD" | "ADOLESCENCE" | "EARLY_ADULTHOOD" | "ADULTHOOD" | "MIDLIFE" | "LATER_LIFE" | "TRANSITION" | "OTHER" | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly biography: string | null;
  readonly publicSummary: string | null;
  readonly tags: readonly (string)[] | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ProfileRevision = {
  readonly profileId: string;
  readonly displayName: string;
  readonly currentRole: string | null;
  readonly lifeStage: "CHILDHOOD" | "ADOLESCENCE" | "EARLY_ADULTHOOD" | "ADULTHOOD" | "MIDLIFE" | "LATER_LIFE" | "TRANSITION" | "OTHER" | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly biography: string | null;
  readonly publicSummary: string | null;
  readonly tags: readonly (string)[] | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED" | "ROLE_CHANGED" | "IMPORTED";
};

export type PublicView = {
  readonly slug: string;
  readonly displayName?: string | null;
  readonly currentRole?: string | null;
  readonly lifeStage?: "CHILDHOOD" | "ADOLESCENCE" | "EARLY_ADULTHOOD" | "ADULTHOOD" | "MIDLIFE" | "LATER_LIFE" | "TRANSITION" | "OTHER" | null;
  readonly publicSummary?: string | null;
  readonly tags?: readonly (string)[] | null;
  readonly updatedAt: string;
};

export type Publication = {
  readonly slug: string;
  readonly fields: readonly ("displayName" | "currentRole" | "lifeStage" | "publicSummary" | "tags")[];
  readonly state: "PUBLISHED" | "REVOKED";
  readonly view: PublicView | null;
  readonly profileRevision: number;
  readonly revision: number;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly revokedAt: string | null;
};

export type Record = {
  readonly recordId: string;
  readonly moduleCode: string;
  readonly title: string;
  readonly summary: string;
  readonly payload: {
    readonly [name: string]: unknown;
  };
  readonly revision: number;
  readonly sourceType: "USER_INPUT" | "IMPORT" | "SEED" | "SYSTEM";
  readonly recordedAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly redacted?: true;
};

export type RecordChange = {
  readonly moduleCode: string;
  readonly recordId: string;
  readonly revision: number;
  readonly change: "CREATED" | "MODIFIED" | "ARCHIVED" | "RESTORED";
  readonly at: string;
};

export type RecordRevision = {
  readonly revisionId: string;
  readonly recordId: string;
  readonly revision: number;
  readonly change: "CREATED" | "MODIFIED" | "ARCHIVED" | "RESTORED";
  readonly title: string;
  readonly summary: string;
  readonly payload: {
    readonly [name: string]: unknown;
  };
  readonly archivedAt: string | null;
  readonly createdAt: string;
  readonly redacted?: true;
};

export type RedactedMemory = {
  readonly memoryId: string;
  readonly title: "";
  readonly summary: "";
  readonly memoryType: "EVENT" | "PERSON" | "PLACE" | "FEELING" | "DREAM" | "LESSON" | "STORY" | "OTHER";
  readonly originalContent: null;
  readonly currentContent: null;
  readonly occurredAt: string | null;
  readonly timePrecision: "EXACT" | "DAY" | "MONTH" | "SEASON" | "YEAR" | "DECADE" | "LIFE_PERIOD" | "UNKNOWN" | null;
  readonly timeText: null;
  readonly timeRange: MemoryTimeRange | null;
  readonly importance: number | null;
  readonly aiDraft: null;
  readonly aiDraftProvider: null;
  readonly aiDraftModel: null;
  readonly privacyLevel: "NORMAL" | "PRIVATE" | "SECRET";
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly redacted: true;
};

export type RedactedMemoryRevision = {
  readonly memoryId: string;
  readonly title: "";
  readonly summary: "";
  readonly memoryType: "EVENT" | "PERSON" | "PLACE" | "FEELING" | "DREAM" | "LESSON" | "STORY" | "OTHER";
  readonly originalContent: null;
  readonly currentContent: null;
  readonly occurredAt: string | null;
  readonly timePrecision: "EXACT" | "DAY" | "MONTH" | "SEASON" | "YEAR" | "DECADE" | "LIFE_PERIOD" | "UNKNOWN" | null;
  readonly timeText: null;
  readonly timeRange: MemoryTimeRange | null;
  readonly importance: number | null;
  readonly aiDraft: null;
  readonly aiDraftProvider: null;
  readonly aiDraftModel: null;
  readonly privacyLevel: "NORMAL" | "PRIVATE" | "SECRET";
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly redacted: true;
  readonly revisionId: string;
  readonly change: "CREATED" | "REVISED" | "RECOVERED" | "AI_DRAFTED" | "AI_DRAFT_ADOPTED" | "AI_DRAFT_REJECTED" | "TIME_CHANGED" | "PRIVACY_CHANGED" | "ARCHIVED" | "RESTORED";
};

export type Resource = {
  readonly resourceId: string;
  readonly resourceType: "TIME" | "ENERGY" | "SKILL" | "FINANCE" | "NETWORK" | "EQUIPMENT" | "SPACE" | "OTHER";
  readonly name: string;
  readonly amount: number | null;
  readonly unit: string | null;
  readonly capacity: number | null;
  readonly available: number | null;
  readonly level: number | null;
  readonly notes: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
};

export type ResourceExport = {
  readonly executionId: string;
  readonly format: "JSON" | "CSV";
  readonly dataset: "RESOURCES" | "SNAPSHOTS";
  readonly filename: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly count: number;
  readonly content: string | null;
  readonly nextCursor: string | null;
};

export type ResourceRevision = {
  readonly resourceId: string;
  readonly resourceType: "TIME" | "ENERGY" | "SKILL" | "FINANCE" | "NETWORK" | "EQUIPMENT" | "SPACE" | "OTHER";
  readonly name: string;
  readonly amount: number | null;
  readonly unit: string | null;
  readonly capacity: number | null;
  readonly available: number | null;
  readonly level: number | null;
  readonly notes: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED" | "ARCHIVED" | "RESTORED";
};

export type ResourceSnapshot = {
  readonly snapshotId: string;
  readonly resourceId: string;
  readonly resourceRevision: number;
  readonly observedAt: string;
  readonly amount: number | null;
  readonly unit: string | null;
  readonly capacity: number | null;
  readonly available: number | null;
  readonly level: number | null;
  readonly note: string | null;
  readonly createdAt: string;
};

export type Role = {
  readonly roleId: string;
  readonly role: string;
  readonly changedAt: string;
  readonly reason: string | null;
  readonly profileRevision: number | null;
  readonly createdAt: string;
};

export type Seal = {
  readonly sealId: string;
  readonly accountId: string;
  readonly kind: "audit" | "access";
  readonly number: number;
  readonly entries: number;
  readonly firstId: string;
  readonly lastId: string;
  readonly root: string;
  readonly previous: string | null;
  readonly createdAt: string;
  readonly digest: string;
};

export type SearchResult = {
  readonly moduleCode: string;
  readonly recordId: string;
  readonly title: string;
  readonly snippet: string;
};

export type Session = {
  readonly sessionId: string;
  readonly deviceName: string | null;
  readonly addressDigest: string | null;
  readonly client: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
};

export type Snapshot = {
  readonly snapshotId: string;
  readonly label: string;
  readonly asOf: string | null;
  readonly fields: {
    readonly displayName: string | null;
    readonly currentRole: string | null;
    readonly lifeStage: "CHILDHOOD" | "ADOLESCENCE" | "EARLY_ADULTHOOD" | "ADULTHOOD" | "MIDLIFE" | "LATER_LIFE" | "TRANSITION" | "OTHER" | null;
    readonly startedAt: string | null;
    readonly endedAt: string | null;
    readonly biography: string | null;
    readonly publicSummary: string | null;
    readonly tags: readonly (string)[] | null;
  };
  readonly profileRevision: number | null;
  readonly createdAt: string;
};

export type Stage = {
  readonly stageId: string;
  readonly lifeStage: "CHILDHOOD" | "ADOLESCENCE" | "EARLY_ADULTHOOD" | "ADULTHOOD" | "MIDLIFE" | "LATER_LIFE" | "TRANSITION" | "OTHER";
  readonly title: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly note: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
};

export type StageRevision = {
  readonly stageId: string;
  readonly lifeStage: "CHILDHOOD" | "ADOLESCENCE" | "EARLY_ADULTHOOD" | "ADULTHOOD" | "MIDLIFE" | "LATER_LIFE" | "TRANSITION" | "OTHER";
  readonly title: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly note: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly revisionId: string;
  readonly change: "CREATED" | "MODIFIED" | "ARCHIVED" | "RESTORED";
};

export type TaxonomyAssignment = {
  readonly assignmentId: string;
  readonly termId: string;
  readonly moduleCode: string;
  readonly recordId: string;
  readonly assignedAt: string;
};

export type TaxonomyFileTerm = {
  readonly kind: "TAG" | "CATEGORY";
  readonly name: string;
  readonly parent?: string;
  readonly aliases: readonly (string)[];
  readonly description?: string;
  readonly color?: string;
  readonly sortOrder?: number;
  readonly active: boolean;
};

export type TaxonomyFoundTerm = {
  readonly termId: string;
  readonly kind: "TAG" | "CATEGORY";
  readonly name: string;
  readonly aliases: readonly (string)[];
  readonly description: string | null;
  readonly color: string | null;
  readonly sortOrder: number | null;
  readonly parentId: string | null;
  readonly active: boolean;
  readonly mergedInto: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly matched: {
    readonly field: "name" | "aliases";
    readonly text: string;
  };
};

export type TaxonomyImport = {
  readonly executionId: string;
  readonly created: number;
  readonly skipped: number;
};

export type TaxonomyListedAssignment = {
  readonly assignmentId: string;
  readonly termId: string;
  readonly kind: "TAG" | "CATEGORY";
  readonly name: string;
  readonly moduleCode: string;
  readonly recordId: string;
  readonly assignedAt: string;
};

export type TaxonomyRemovedAssignment = {
  readonly termId: string;
  readonly moduleCode: string;
  readonly recordId: string;
  readonly assigned: false;
};

export type TaxonomyTerm = {
  readonly termId: string;
  readonly kind: "TAG" | "CATEGORY";
  readonly name: string;
  readonly aliases: readonly (string)[];
  readonly description: string | null;
  readonly color: string | null;
  readonly sortOrder: number | null;
  readonly parentId: string | null;
  readonly active: boolean;
  readonly mergedInto: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type TaxonomyTermRevision = {
  readonly termId: string;
  readonly kind: "TAG" | "CATEGORY";
  readonly name: string;
  readonly aliases: readonly (string)[];
  readonly description: string | null;
  readonly color: string | null;
  readonly sortOrder: number | null;
  readonly parentId: string | null;
  readonly active: boolean;
  readonly mergedInto: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly change: "CREATED" | "CHANGED" | "RENAMED" | "MOVED" | "DEACTIVATED" | "REACTIVATED" | "MERGED";
};

export type TaxonomyTreeNode = {
  readonly termId: string;
  readonly kind: "TAG" | "CATEGORY";
  readonly name: string;
  readonly aliases: readonly (string)[];
  readonly description: string | null;
  readonly color: string | null;
  readonly sortOrder: number | null;
  readonly parentId: string | null;
  readonly active: boolean;
  readonly mergedInto: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly depth: number;
  readonly children: readonly (TaxonomyTreeNode)[];
};

export type TaxonomyUsage = {
  readonly termId: string;
  readonly kind: "TAG" | "CATEGORY";
  readonly name: string;
  readonly active: boolean;
  readonly direct: number;
  readonly total: number;
  readonly lastAssignedAt: string | null;
  readonly modules: readonly ({
    readonly moduleCode: string;
    readonly count: number;
  })[];
};

export type Token = {
  readonly tokenId: string;
  readonly name: string;
  readonly permissions: readonly ("platform.operate" | "record.read" | "record.write" | "attachment.read" | "attachment.write" | "memory.read" | "memory.write" | "memory.secret" | "identity.read" | "identity.write" | "identity.publish" | "relationship.person.read" | "relationship.person.write" | "relationship.status.control" | "relationship.ledger.read" | "relationship.ledger.write" | "relationship.ledger.secret" | "relationship.evaluation.propose" | "relationship.evaluation.confirm" | "decision.read" | "decision.write" | "resource.read" | "resource.write" | "taxonomy.read" | "taxonomy.write" | "search.read" | "changes.read" | "audit.read" | "token.manage" | "account.manage")[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
};
