/** Every route of the service, one a line. There is no other: this table is the whole surface. */

import type { Permission } from "./access/permissions.ts";
import type { AccountEndpoints } from "./accounts/handlers.ts";
import type { AttachmentEndpoints } from "./attachments/handlers.ts";
import type { DecisionEndpoints } from "./decision/handlers.ts";
import type {
  Endpoint,
  IdempotencyRule,
  Method,
  ProtectedRoute,
  PublicEndpoint,
  PublicRoute,
  Route,
} from "./http/route.ts";
import type { MemoryEndpoints } from "./memory/handlers.ts";
import type { OperationsEndpoints } from "./operations/handlers.ts";
import type { RecordEndpoints } from "./records/handlers.ts";
import type { ResourceEndpoints } from "./resource/handlers.ts";

/** The endpoints of all families. */
export interface Endpoints {
  readonly accounts: AccountEndpoints;
  readonly catalog: Endpoint;
  readonly records: RecordEndpoints;
  readonly attachments: AttachmentEndpoints;
  readonly audit: Endpoint;
  readonly memory: MemoryEndpoints;
  readonly decision: DecisionEndpoints;
  readonly resource: ResourceEndpoints;
  readonly operations: OperationsEndpoints;
  readonly openapi: PublicEndpoint;
}

const AUTH = "/api/v2/auth";
const CATALOG = "/api/v2/catalog";
const RECORDS = "/api/v2/records/:moduleCode";
const RECORD = `${RECORDS}/:recordId`;
const FILES = "/api/v2/attachments";
const FILE = `${FILES}/:attachmentId`;
const TEXTS = "/api/v2/memory/texts";
const TEXT = `${TEXTS}/:memoryId`;
const SLICE = `${TEXT}/slices/:sliceId`;
const DRAFTS = "/api/v2/memory/drafts";
const DRAFT = `${DRAFTS}/:draftId`;
const EXPORTS = "/api/v2/memory/exports";
const DECISIONS = "/api/v2/decision/decisions";
const DECISION = `${DECISIONS}/:decisionId`;
const ANALYSES = `${DECISION}/analyses`;
const ANALYSIS = `${ANALYSES}/:analysisId`;
const PREDICTIONS = `${DECISION}/predictions`;
const PREDICTION = `${PREDICTIONS}/:predictionId`;
const OUTCOMES = `${DECISION}/outcomes`;
const OUTCOME = `${OUTCOMES}/:outcomeId`;
const COUNTERFACTUALS = `${DECISION}/counterfactuals`;
const COUNTERFACTUAL = `${COUNTERFACTUALS}/:counterfactualId`;
const SIMULATIONS = `${DECISION}/simulations`;
const SIMULATION = `${SIMULATIONS}/:simulationId`;
const RESOURCES = "/api/v2/resource/resources";
const RESOURCE = `${RESOURCES}/:resourceId`;
const RESOURCE_SNAPSHOTS = `${RESOURCE}/snapshots`;
const OVERLOAD_ANALYSES = "/api/v2/resource/overload-analyses";
const RESOURCE_EXPORTS = "/api/v2/resource/exports";

/** The route table: method, path, permission, operation, key, endpoint. */
export function createRoutes(endpoints: Endpoints): readonly Route[] {
  const { accounts, catalog, records, attachments, audit, memory, operations } = endpoints;
  const { decisions, analyses, predictions, outcomes, counterfactuals, simulations } =
    endpoints.decision;
  const { resource } = endpoints;
  // deno-fmt-ignore: one route a line, in columns
  return [
    open("POST", `${AUTH}/setup`, accounts.setup),
    open("POST", `${AUTH}/login`, accounts.login),
    route("GET", `${AUTH}/session`, null, "auth.session", "none", accounts.session),
    session("POST", `${AUTH}/logout`, null, "auth.logout", accounts.logout),
    session("GET", `${AUTH}/sessions`, "account.manage", "session.list", accounts.listSessions),
    session("POST", `${AUTH}/sessions/:sessionId/revoke`, "account.manage", "session.revoke", accounts.revokeSession),
    session("POST", `${AUTH}/sessions/revoke-others`, "account.manage", "session.revoke_others", accounts.revokeOtherSessions),
    session("POST", `${AUTH}/password`, "account.manage", "password.change", accounts.changePassword),
    session("GET", `${AUTH}/tokens`, "token.manage", "token.list", accounts.listTokens),
    session("POST", `${AUTH}/tokens`, "token.manage", "token.create", accounts.createToken),
    session("GET", `${AUTH}/tokens/:tokenId`, "token.manage", "token.detail", accounts.token),
    session("POST", `${AUTH}/tokens/:tokenId/revoke`, "token.manage", "token.revoke", accounts.revokeToken),
    session("POST", `${AUTH}/step-up`, "platform.operate", "step_up.issue", accounts.stepUp),

    open("GET", "/api/v2/openapi.json", endpoints.openapi),
    route("GET", CATALOG, "platform.operate", "catalog.read", "none", catalog),

    route("POST", RECORDS, "record.write", "record.create", "required", records.create),
    route("GET", RECORDS, "record.read", "record.list", "none", records.list),
    route("GET", RECORD, "record.read", "record.detail", "none", records.detail),
    route("PATCH", RECORD, "record.write", "record.modify", "honoured", records.modify),
    route("POST", `${RECORD}/archive`, "record.write", "record.archive", "honoured", records.archive),
    route("POST", `${RECORD}/restore`, "record.write", "record.restore", "honoured", records.restore),
    route("GET", `${RECORD}/revisions`, "record.read", "record.revisions", "none", records.revisions),
    route("GET", `${RECORD}/executions`, "record.read", "record.executions", "none", records.executions),
    route("POST", `${RECORD}/features/:featureId`, "record.write", "record.feature", "required", records.feature),

    route("POST", FILES, "attachment.write", "attachment.create", "none", attachments.upload),
    route("GET", FILES, "attachment.read", "attachment.list", "none", attachments.list),
    route("GET", FILE, "attachment.read", "attachment.detail", "none", attachments.detail),
    route("GET", `${FILE}/content`, "attachment.read", "attachment.content", "none", attachments.content),

    route("POST", TEXTS, "memory.write", "memory.create", "required", memory.create),
    route("GET", TEXTS, "memory.read", "memory.list", "none", memory.list),
    route("GET", TEXT, "memory.read", "memory.detail", "none", memory.detail),
    route("POST", `${TEXT}/archive`, "memory.write", "memory.archive", "required", memory.archive),
    route("POST", `${TEXT}/restore`, "memory.write", "memory.restore", "required", memory.restore),
    route("POST", `${TEXT}/revisions`, "memory.write", "memory.revise", "required", memory.revise),
    route("GET", `${TEXT}/revisions`, "memory.read", "memory.revisions", "none", memory.listRevisions),
    route("GET", `${TEXT}/revisions/:revision`, "memory.read", "memory.revision", "none", memory.revision),
    route("POST", `${TEXT}/ai-draft`, "memory.write", "memory.ai_draft.keep", "required", memory.keepAiDraft),
    route("POST", `${TEXT}/ai-draft/adopt`, "memory.write", "memory.ai_draft.adopt", "required", memory.adoptAiDraft),
    route("POST", `${TEXT}/ai-draft/reject`, "memory.write", "memory.ai_draft.reject", "required", memory.rejectAiDraft),
    route("POST", `${TEXT}/time`, "memory.write", "memory.time.set", "required", memory.setTime),
    route("POST", `${TEXT}/privacy`, "memory.write", "memory.privacy.set", "required", memory.setPrivacy),
    route("POST", `${TEXT}/slices`, "memory.write", "memory.slice.create", "required", memory.createSlice),
    route("GET", `${TEXT}/slices`, "memory.read", "memory.slice.list", "none", memory.listSlices),
    route("GET", SLICE, "memory.read", "memory.slice.detail", "none", memory.slice),
    route("POST", `${SLICE}/recover`, "memory.write", "memory.slice.recover", "required", memory.recover),
    route("GET", DRAFTS, "memory.read", "memory.draft.list", "none", memory.listDrafts),
    route("PUT", DRAFT, "memory.write", "memory.draft.save", "none", memory.saveDraft),
    route("GET", DRAFT, "memory.read", "memory.draft.detail", "none", memory.draft),
    route("POST", `${DRAFT}/commit`, "memory.write", "memory.draft.commit", "honoured", memory.commitDraft),
    route("POST", `${DRAFT}/discard`, "memory.write", "memory.draft.discard", "honoured", memory.discardDraft),
    route("POST", EXPORTS, "memory.read", "memory.export.create", "required", memory.createExport),
    route("GET", EXPORTS, "memory.read", "memory.export.list", "none", memory.listExports),
    route("GET", `${EXPORTS}/:executionId`, "memory.read", "memory.export.detail", "none", memory.export),

    route("POST", DECISIONS, "decision.write", "decision.create", "required", decisions.create),
    route("GET", DECISIONS, "decision.read", "decision.list", "none", decisions.list),
    route("GET", DECISION, "decision.read", "decision.detail", "none", decisions.detail),
    route("PATCH", DECISION, "decision.write", "decision.modify", "required", decisions.change),
    route("POST", `${DECISION}/archive`, "decision.write", "decision.archive", "required", decisions.archive),
    route("POST", `${DECISION}/restore`, "decision.write", "decision.restore", "required", decisions.restore),
    route("GET", `${DECISION}/revisions`, "decision.read", "decision.revisions", "none", decisions.revisions),
    route("POST", ANALYSES, "decision.write", "decision.analysis.create", "required", analyses.create),
    route("GET", ANALYSES, "decision.read", "decision.analysis.list", "none", analyses.list),
    route("GET", ANALYSIS, "decision.read", "decision.analysis.detail", "none", analyses.detail),
    route("POST", `${ANALYSIS}/revisions`, "decision.write", "decision.analysis.revise", "required", analyses.revise),
    route("GET", `${ANALYSIS}/revisions`, "decision.read", "decision.analysis.revisions", "none", analyses.revisions),
    route("POST", PREDICTIONS, "decision.write", "decision.prediction.create", "required", predictions.create),
    route("GET", PREDICTIONS, "decision.read", "decision.prediction.list", "none", predictions.list),
    route("GET", PREDICTION, "decision.read", "decision.prediction.detail", "none", predictions.detail),
    route("PATCH", PREDICTION, "decision.write", "decision.prediction.modify", "required", predictions.change),
    route("GET", `${PREDICTION}/revisions`, "decision.read", "decision.prediction.revisions", "none", predictions.revisions),
    route("POST", OUTCOMES, "decision.write", "decision.outcome.create", "required", outcomes.create),
    route("GET", OUTCOMES, "decision.read", "decision.outcome.list", "none", outcomes.list),
    route("GET", OUTCOME, "decision.read", "decision.outcome.detail", "none", outcomes.detail),
    route("PATCH", OUTCOME, "decision.write", "decision.outcome.modify", "required", outcomes.change),
    route("GET", `${OUTCOME}/revisions`, "decision.read", "decision.outcome.revisions", "none", outcomes.revisions),
    route("POST", COUNTERFACTUALS, "decision.write", "decision.counterfactual.create", "required", counterfactuals.create),
    route("GET", COUNTERFACTUALS, "decision.read", "decision.counterfactual.list", "none", counterfactuals.list),
    route("GET", COUNTERFACTUAL, "decision.read", "decision.counterfactual.detail", "none", counterfactuals.detail),
    route("PATCH", COUNTERFACTUAL, "decision.write", "decision.counterfactual.modify", "required", counterfactuals.change),
    route("GET", `${COUNTERFACTUAL}/revisions`, "decision.read", "decision.counterfactual.revisions", "none", counterfactuals.revisions),
    route("POST", SIMULATIONS, "decision.write", "decision.simulation.create", "required", simulations.create),
    route("GET", SIMULATIONS, "decision.read", "decision.simulation.list", "none", simulations.list),
    route("GET", SIMULATION, "decision.read", "decision.simulation.detail", "none", simulations.detail),
    route("GET", `${SIMULATION}/revisions`, "decision.read", "decision.simulation.revisions", "none", simulations.revisions),
    route("GET", "/api/v2/decision/calibration", "decision.read", "decision.calibration", "none", endpoints.decision.calibration),

    route("POST", RESOURCES, "resource.write", "resource.create", "required", resource.resources.create),
    route("GET", RESOURCES, "resource.read", "resource.list", "none", resource.resources.list),
    route("GET", RESOURCE, "resource.read", "resource.detail", "none", resource.resources.detail),
    route("PATCH", RESOURCE, "resource.write", "resource.modify", "required", resource.resources.change),
    route("POST", `${RESOURCE}/archive`, "resource.write", "resource.archive", "required", resource.resources.archive),
    route("POST", `${RESOURCE}/restore`, "resource.write", "resource.restore", "required", resource.resources.restore),
    route("GET", `${RESOURCE}/revisions`, "resource.read", "resource.revisions", "none", resource.resources.revisions),
    route("POST", RESOURCE_SNAPSHOTS, "resource.write", "resource.snapshot.create", "required", resource.snapshots.append),
    route("GET", RESOURCE_SNAPSHOTS, "resource.read", "resource.snapshot.list", "none", resource.snapshots.list),
    route("GET", `${RESOURCE_SNAPSHOTS}/:snapshotId`, "resource.read", "resource.snapshot.detail", "none", resource.snapshots.detail),
    route("GET", "/api/v2/resource/network", "resource.read", "resource.network", "none", resource.network),
    route("POST", OVERLOAD_ANALYSES, "resource.read", "resource.overload_analysis.create", "required", resource.overloadAnalyses.create),
    route("GET", OVERLOAD_ANALYSES, "resource.read", "resource.overload_analysis.list", "none", resource.overloadAnalyses.list),
    route("GET", `${OVERLOAD_ANALYSES}/:executionId`, "resource.read", "resource.overload_analysis.detail", "none", resource.overloadAnalyses.detail),
    route("POST", RESOURCE_EXPORTS, "resource.read", "resource.export.create", "required", resource.exports.create),
    route("GET", RESOURCE_EXPORTS, "resource.read", "resource.export.list", "none", resource.exports.list),
    route("GET", `${RESOURCE_EXPORTS}/:executionId`, "resource.read", "resource.export.detail", "none", resource.exports.detail),

    route("GET", "/api/v2/audit", "audit.read", "audit.list", "none", audit),

    probe("/healthz", operations.health),
    probe("/readyz", operations.readiness),
    ...(operations.metrics === null ? [] : [probe("/metrics", operations.metrics)]),
  ];
}

function open(method: Method, path: string, endpoint: PublicEndpoint): PublicRoute {
  return { method, path, access: "public", isProbe: false, endpoint };
}

/** A probe of the service's health: it is served under any load, and until the process ends. */
function probe(path: string, endpoint: PublicEndpoint): PublicRoute {
  return { method: "GET", path, access: "public", isProbe: true, endpoint };
}

/** A route for sessions and personal access tokens alike. */
function route(
  method: Method,
  path: string,
  permission: Permission | null,
  operation: string,
  idempotency: IdempotencyRule,
  endpoint: Endpoint,
): ProtectedRoute {
  return { method, path, access: "credential", permission, operation, idempotency, endpoint };
}

/** A route for sessions only. It takes no key: what it makes is a secret, or an end. */
function session(
  method: Method,
  path: string,
  permission: Permission | null,
  operation: string,
  endpoint: Endpoint,
): ProtectedRoute {
  const idempotency = "none";
  return { method, path, access: "session", permission, operation, idempotency, endpoint };
}
