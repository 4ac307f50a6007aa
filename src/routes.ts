/**
 * Every route of the service: method, path, permission, module, operation, key, endpoint. A comment
 * names the function that checks the modules if the endpoint "checks itself".
 */

import type { AccountEndpoints } from "./accounts/account_routes.ts";
import type { AssistantsEndpoints, SignInEndpoints } from "./assistants/endpoints.ts";
import { DOCUMENT_PATHS } from "./assistants/sign_in/documents.ts";
import type { AttachmentEndpoints } from "./attachments/attachment_routes.ts";
import type { AuditEndpoints } from "./audit/audit_routes.ts";
import type { DecisionEndpoints } from "./families/decision/decision_routes.ts";
import type { DueEndpoints } from "./due/endpoints.ts";
import {
  anyHost,
  assistant,
  document,
  keyed,
  oauth,
  open,
  probe,
  route,
  secretPath,
  session,
  yielding,
} from "./http/define_route.ts";
import type { Endpoint, Method, ProtectedRoute, PublicEndpoint, Route } from "./http/route.ts";
import type { IdentityEndpoints } from "./families/identity/identity_routes.ts";
import type { InsightEndpoints } from "./insight/endpoints.ts";
import type { LegacyEndpoints } from "./v1/v1_routes.ts";
import type { ImportEndpoints } from "./imports/import_routes.ts";
import { LEGACY_MODULES, type LegacyModuleCode } from "./v1/modules.ts";
import type { MemoryEndpoints } from "./families/memory/memory_routes.ts";
import type { OperationsEndpoints } from "./operator/metrics/operations_routes.ts";
import type { PortabilityEndpoints } from "./portability/portability_routes.ts";
import type { RecordEndpoints } from "./records/record_routes.ts";
import type { RelationshipEndpoints } from "./families/relationship/relationship_routes.ts";
import type { ResourceEndpoints } from "./families/resource/resource_routes.ts";
import type { TaxonomyEndpoints } from "./families/taxonomy/taxonomy_routes.ts";

interface Endpoints {
  readonly accounts: AccountEndpoints;
  readonly catalog: Endpoint;
  readonly records: RecordEndpoints;
  readonly attachments: AttachmentEndpoints;
  readonly storage: Endpoint;
  readonly audit: AuditEndpoints;
  readonly changes: Endpoint;
  readonly memory: MemoryEndpoints;
  readonly identity: IdentityEndpoints;
  readonly decision: DecisionEndpoints;
  readonly relationship: RelationshipEndpoints;
  readonly legacy: Readonly<Record<LegacyModuleCode, LegacyEndpoints>>;
  readonly resource: ResourceEndpoints;
  readonly taxonomy: TaxonomyEndpoints;
  readonly due: DueEndpoints;
  readonly insight: InsightEndpoints;
  /** Null without assistants. */
  readonly assistants: AssistantsEndpoints | null;
  readonly search: Endpoint;
  readonly portability: PortabilityEndpoints;
  readonly imports: ImportEndpoints;
  readonly operations: OperationsEndpoints;
  readonly openapi: PublicEndpoint;
}

const AUTH = "/api/v2/auth";
const PASSKEYS = `${AUTH}/passkeys`;
const ACCOUNT = "/api/v2/account";
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
const IDENTITY = "/api/v2/identity";
const PROFILE = `${IDENTITY}/profile`;
const STAGES = `${IDENTITY}/stages`;
const STAGE = `${STAGES}/:stageId`;
const ROLES = `${IDENTITY}/roles`;
const SNAPSHOTS = `${IDENTITY}/snapshots`;
const COMPARISONS = `${IDENTITY}/comparisons`;
const PUBLIC = `${IDENTITY}/public`;
const LEGACY_PLAN = `${IDENTITY}/legacy-release/plan`;
const LEGACY_DRILLS = `${IDENTITY}/legacy-release/drills`;
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
const PEOPLE = "/api/v2/relationship/people";
const PERSON = `${PEOPLE}/:personId`;
const EXPERIENCES = `${PERSON}/experiences`;
const CONTACTS = `${PERSON}/contacts`;
const CONTACT = `${CONTACTS}/:contactId`;
const DETAILS = `${PERSON}/details`;
const DETAIL = `${DETAILS}/:detailId`;
const PEOPLE_EXPORTS = "/api/v2/relationship/exports";
const EVIDENCE = `${PERSON}/evidence`;
const EVIDENCE_ENTRY = `${EVIDENCE}/:evidenceId`;
const PROPOSALS = `${PERSON}/proposals`;
const PROPOSAL = `${PROPOSALS}/:proposalId`;
const EVALUATIONS = `${PERSON}/evaluations`;
const TIMELINE = `${PERSON}/timeline`;
const RESOURCES = "/api/v2/resource/resources";
const RESOURCE = `${RESOURCES}/:resourceId`;
const RESOURCE_SNAPSHOTS = `${RESOURCE}/snapshots`;
const OVERLOAD_ANALYSES = "/api/v2/resource/overload-analyses";
const RESOURCE_EXPORTS = "/api/v2/resource/exports";
const FEEDS = "/api/v2/calendar/feeds";
const FEED = `${FEEDS}/:feedId`;
const ASSISTANTS = `${AUTH}/assistants`;
const ASSISTANT = `${ASSISTANTS}/:assistantId`;
const AUTHORIZATION = `${AUTH}/authorization`;
const ASSISTANT_PROPOSALS = "/api/v2/proposals";
const ASSISTANT_PROPOSAL = `${ASSISTANT_PROPOSALS}/:proposalId`;
const TAXONOMY = "/api/v2/taxonomy";
const TAGS = `${TAXONOMY}/tags`;
const TAG = `${TAGS}/:tagId`;
const CATEGORIES = `${TAXONOMY}/categories`;
const CATEGORY = `${CATEGORIES}/:categoryId`;
const IMPORTS = "/api/v2/imports";
const IMPORT = `${IMPORTS}/:importId`;
const INSIGHT = "/api/v2/insight";
const ASSIGNMENTS = `${TAXONOMY}/assignments`;

export function createRoutes(endpoints: Endpoints): readonly Route[] {
  const { accounts, catalog, records, attachments, audit, memory, legacy, operations } = endpoints;
  const { profile, stages, roles, snapshots, comparisons } = endpoints.identity;
  const { publication, publicView, legacyRelease: { plan, drills } } = endpoints.identity;
  const { decisions, analyses, predictions, outcomes, counterfactuals, simulations } =
    endpoints.decision;
  const { people, status, experiences, contacts, details, evidence, timeline } =
    endpoints.relationship;
  const { dates, exports, proposals, evaluations, vcard } = endpoints.relationship;
  const { resource, due: { feeds, ...due } } = endpoints;
  const { taxonomy, portability, imports, insight } = endpoints;
  const { tags, categories, assignments } = taxonomy;
  // deno-fmt-ignore: one route a line, in columns
  return [
    open("POST", `${AUTH}/setup`, "auth.setup", accounts.setup),
    open("GET", `${AUTH}/setup`, "auth.setup.state", accounts.setupState),
    open("POST", `${AUTH}/login`, "auth.login", accounts.login),
    route("GET", `${AUTH}/session`, null, null, "auth.session", "none", accounts.session),
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
    session("GET", `${AUTH}/totp`, "account.manage", "second_factor.detail", accounts.secondFactor),
    session("POST", `${AUTH}/totp`, "account.manage", "second_factor.begin", accounts.beginSecondFactor),
    session("POST", `${AUTH}/totp/confirm`, "account.manage", "second_factor.confirm", accounts.confirmSecondFactor),
    session("POST", `${AUTH}/totp/disable`, "account.manage", "second_factor.disable", accounts.disableSecondFactor),
    session("POST", `${AUTH}/totp/recovery-codes`, "account.manage", "second_factor.recovery_codes", accounts.replaceRecoveryCodes),
    session("POST", `${PASSKEYS}/registration/begin`, "account.manage", "passkey.register_begin", accounts.passkeys.beginRegistration),
    session("POST", `${PASSKEYS}/registration/finish`, "account.manage", "passkey.register", accounts.passkeys.finishRegistration),
    session("GET", PASSKEYS, "account.manage", "passkey.list", accounts.passkeys.list),
    yielding(session("GET", `${PASSKEYS}/signal`, "account.manage", "passkey.signal", accounts.passkeys.signal)),
    session("GET", `${PASSKEYS}/:passkeyId`, "account.manage", "passkey.detail", accounts.passkeys.detail),
    session("PATCH", `${PASSKEYS}/:passkeyId`, "account.manage", "passkey.rename", accounts.passkeys.rename),
    session("POST", `${PASSKEYS}/:passkeyId/remove`, "account.manage", "passkey.remove", accounts.passkeys.remove),
    open("POST", `${PASSKEYS}/sign-in/begin`, "passkey.sign_in_begin", accounts.passkeys.beginSignIn),
    open("POST", `${PASSKEYS}/sign-in/finish`, "passkey.sign_in", accounts.passkeys.finishSignIn),
    session("POST", `${PASSKEYS}/step-up/begin`, "platform.operate", "passkey.step_up_begin", accounts.passkeys.beginStepUp),
    session("POST", `${PASSKEYS}/step-up/finish`, "platform.operate", "passkey.step_up", accounts.passkeys.finishStepUp),
    anyHost("/.well-known/webauthn", "passkey.related_origins", accounts.passkeys.relatedOrigins),

    keyed("POST", `${ACCOUNT}/exports`, "account.manage", "account.export", portability.createExport),
    session("GET", `${ACCOUNT}/exports/:exportId`, "account.manage", "account.export_detail", portability.export),
    session("GET", `${ACCOUNT}/exports/:exportId/content`, "account.manage", "account.export_content", portability.exportContent),
    session("GET", `${ACCOUNT}/storage`, "account.manage", "account.storage", endpoints.storage),
    session("POST", `${ACCOUNT}/imports`, "account.manage", "account.import", portability.importAccount),

    open("GET", "/api/v2/version", "version", operations.version),
    open("GET", "/api/v2/openapi.json", "openapi.json", endpoints.openapi),
    route("GET", CATALOG, "platform.operate", null, "catalog.read", "none", catalog),

    route("GET", "/api/v2/record-counts", "record.read", "checks itself", "record.counts", "none", records.counts), // seesModule
    route("POST", RECORDS, "record.write", "checks itself", "record.create", "required", records.create), // refuseUnreached
    route("GET", RECORDS, "record.read", "checks itself", "record.list", "none", records.list), // requireReadable
    route("GET", RECORD, "record.read", "checks itself", "record.detail", "none", records.detail), // requireReadable
    route("PATCH", RECORD, "record.write", "checks itself", "record.modify", "honoured", records.modify), // refuseUnreached
    route("POST", `${RECORD}/archive`, "record.write", "checks itself", "record.archive", "honoured", records.archive), // refuseUnreached
    route("POST", `${RECORD}/restore`, "record.write", "checks itself", "record.restore", "honoured", records.restore), // refuseUnreached
    route("GET", `${RECORD}/revisions`, "record.read", "checks itself", "record.revisions", "none", records.revisions), // requireReadable
    route("GET", `${RECORD}/executions`, "record.read", "checks itself", "record.executions", "none", records.executions), // requireReadable
    route("POST", `${RECORD}/features/:featureId`, "record.write", "checks itself", "record.feature", "required", records.feature), // refuseUnreached

    route("POST", FILES, "attachment.write", "capture", "attachment.create", "none", attachments.upload),
    route("GET", FILES, "attachment.read", "capture", "attachment.list", "none", attachments.list),
    route("GET", FILE, "attachment.read", "capture", "attachment.detail", "none", attachments.detail),
    route("GET", `${FILE}/content`, "attachment.read", "capture", "attachment.content", "none", attachments.content),
    route("PUT", `${FILE}/thumbnail`, "attachment.write", "capture", "attachment.thumbnail.put", "none", attachments.putThumbnail),
    route("GET", `${FILE}/thumbnail`, "attachment.read", "capture", "attachment.thumbnail", "none", attachments.thumbnail),

    route("POST", TEXTS, "memory.write", "memory", "memory.create", "required", memory.create),
    route("GET", TEXTS, "memory.read", "memory", "memory.list", "none", memory.list),
    route("GET", TEXT, "memory.read", "memory", "memory.detail", "none", memory.detail),
    route("POST", `${TEXT}/archive`, "memory.write", "memory", "memory.archive", "required", memory.archive),
    route("POST", `${TEXT}/restore`, "memory.write", "memory", "memory.restore", "required", memory.restore),
    route("POST", `${TEXT}/revisions`, "memory.write", "memory", "memory.revise", "required", memory.revise),
    route("GET", `${TEXT}/revisions`, "memory.read", "memory", "memory.revisions", "none", memory.listRevisions),
    route("GET", `${TEXT}/revisions/:revision`, "memory.read", "memory", "memory.revision", "none", memory.revision),
    route("POST", `${TEXT}/ai-draft`, "memory.write", "memory", "memory.ai_draft.keep", "required", memory.keepAiDraft),
    route("POST", `${TEXT}/ai-draft/adopt`, "memory.write", "memory", "memory.ai_draft.adopt", "required", memory.adoptAiDraft),
    route("POST", `${TEXT}/ai-draft/reject`, "memory.write", "memory", "memory.ai_draft.reject", "required", memory.rejectAiDraft),
    route("POST", `${TEXT}/time`, "memory.write", "memory", "memory.time.set", "required", memory.setTime),
    route("POST", `${TEXT}/privacy`, "memory.write", "memory", "memory.privacy.set", "required", memory.setPrivacy),
    route("POST", `${TEXT}/slices`, "memory.write", "memory", "memory.slice.create", "required", memory.createSlice),
    route("GET", `${TEXT}/slices`, "memory.read", "memory", "memory.slice.list", "none", memory.listSlices),
    route("GET", SLICE, "memory.read", "memory", "memory.slice.detail", "none", memory.slice),
    route("POST", `${SLICE}/recover`, "memory.write", "memory", "memory.slice.recover", "required", memory.recover),
    route("GET", DRAFTS, "memory.read", "memory", "memory.draft.list", "none", memory.listDrafts),
    route("PUT", DRAFT, "memory.write", "memory", "memory.draft.save", "none", memory.saveDraft),
    route("GET", DRAFT, "memory.read", "memory", "memory.draft.detail", "none", memory.draft),
    route("POST", `${DRAFT}/commit`, "memory.write", "memory", "memory.draft.commit", "honoured", memory.commitDraft),
    route("POST", `${DRAFT}/discard`, "memory.write", "memory", "memory.draft.discard", "honoured", memory.discardDraft),
    route("POST", EXPORTS, "memory.read", "memory", "memory.export.create", "required", memory.createExport),
    route("GET", EXPORTS, "memory.read", "memory", "memory.export.list", "none", memory.listExports),
    route("GET", `${EXPORTS}/:executionId`, "memory.read", "memory", "memory.export.detail", "none", memory.export),

    route("POST", PROFILE, "identity.write", "identity", "identity.profile.create", "required", profile.create),
    route("GET", PROFILE, "identity.read", "identity", "identity.profile.detail", "none", profile.detail),
    route("PATCH", PROFILE, "identity.write", "identity", "identity.profile.modify", "required", profile.change),
    route("GET", `${PROFILE}/revisions`, "identity.read", "identity", "identity.profile.revisions", "none", profile.revisions),
    route("POST", STAGES, "identity.write", "identity", "identity.stage.create", "required", stages.create),
    route("GET", STAGES, "identity.read", "identity", "identity.stage.list", "none", stages.list),
    route("GET", STAGE, "identity.read", "identity", "identity.stage.detail", "none", stages.detail),
    route("PATCH", STAGE, "identity.write", "identity", "identity.stage.modify", "required", stages.change),
    route("POST", `${STAGE}/archive`, "identity.write", "identity", "identity.stage.archive", "required", stages.archive),
    route("POST", `${STAGE}/restore`, "identity.write", "identity", "identity.stage.restore", "required", stages.restore),
    route("GET", `${STAGE}/revisions`, "identity.read", "identity", "identity.stage.revisions", "none", stages.revisions),
    route("POST", ROLES, "identity.write", "identity", "identity.role.create", "required", roles.append),
    route("GET", ROLES, "identity.read", "identity", "identity.role.list", "none", roles.list),
    route("GET", `${ROLES}/:roleId`, "identity.read", "identity", "identity.role.detail", "none", roles.detail),
    route("POST", SNAPSHOTS, "identity.write", "identity", "identity.snapshot.create", "required", snapshots.append),
    route("GET", SNAPSHOTS, "identity.read", "identity", "identity.snapshot.list", "none", snapshots.list),
    route("GET", `${SNAPSHOTS}/:snapshotId`, "identity.read", "identity", "identity.snapshot.detail", "none", snapshots.detail),
    route("POST", COMPARISONS, "identity.write", "identity", "identity.comparison.create", "required", comparisons.append),
    route("GET", COMPARISONS, "identity.read", "identity", "identity.comparison.list", "none", comparisons.list),
    route("GET", `${COMPARISONS}/:comparisonId`, "identity.read", "identity", "identity.comparison.detail", "none", comparisons.detail),
    route("POST", `${PUBLIC}/publish`, "identity.publish", "identity", "identity.publication.publish", "required", publication.publish),
    route("POST", `${PUBLIC}/refresh`, "identity.publish", "identity", "identity.publication.refresh", "required", publication.refresh),
    route("POST", `${PUBLIC}/revoke`, "identity.publish", "identity", "identity.publication.revoke", "required", publication.revoke),
    route("GET", PUBLIC, "identity.read", "identity", "identity.publication.detail", "none", publication.detail),
    open("GET", `${PUBLIC}/:slug`, "identity.public.slug", publicView),
    route("POST", LEGACY_PLAN, "identity.write", "identity", "identity.legacy_plan.keep", "required", plan.keep),
    route("GET", LEGACY_PLAN, "identity.read", "identity", "identity.legacy_plan.detail", "none", plan.detail),
    route("POST", LEGACY_DRILLS, "identity.write", "identity", "identity.legacy_drill.create", "required", drills.append),
    route("GET", LEGACY_DRILLS, "identity.read", "identity", "identity.legacy_drill.list", "none", drills.list),
    route("GET", `${LEGACY_DRILLS}/:drillId`, "identity.read", "identity", "identity.legacy_drill.detail", "none", drills.detail),
    route("POST", `${IDENTITY}/imports`, "identity.write", "identity", "identity.import.create", "required", endpoints.identity.imports),
    route("GET", `${IDENTITY}/exports`, "identity.read", "identity", "identity.export.read", "none", endpoints.identity.exports),

    route("POST", DECISIONS, "decision.write", "decision", "decision.create", "required", decisions.create),
    route("GET", DECISIONS, "decision.read", "decision", "decision.list", "none", decisions.list),
    route("GET", DECISION, "decision.read", "decision", "decision.detail", "none", decisions.detail),
    route("PATCH", DECISION, "decision.write", "decision", "decision.modify", "required", decisions.change),
    route("POST", `${DECISION}/archive`, "decision.write", "decision", "decision.archive", "required", decisions.archive),
    route("POST", `${DECISION}/restore`, "decision.write", "decision", "decision.restore", "required", decisions.restore),
    route("GET", `${DECISION}/revisions`, "decision.read", "decision", "decision.revisions", "none", decisions.revisions),
    route("POST", ANALYSES, "decision.write", "decision", "decision.analysis.create", "required", analyses.create),
    route("GET", ANALYSES, "decision.read", "decision", "decision.analysis.list", "none", analyses.list),
    route("GET", ANALYSIS, "decision.read", "decision", "decision.analysis.detail", "none", analyses.detail),
    route("POST", `${ANALYSIS}/revisions`, "decision.write", "decision", "decision.analysis.revise", "required", analyses.revise),
    route("GET", `${ANALYSIS}/revisions`, "decision.read", "decision", "decision.analysis.revisions", "none", analyses.revisions),
    route("POST", PREDICTIONS, "decision.write", "decision", "decision.prediction.create", "required", predictions.create),
    route("GET", PREDICTIONS, "decision.read", "decision", "decision.prediction.list", "none", predictions.list),
    route("GET", PREDICTION, "decision.read", "decision", "decision.prediction.detail", "none", predictions.detail),
    route("PATCH", PREDICTION, "decision.write", "decision", "decision.prediction.modify", "required", predictions.change),
    route("GET", `${PREDICTION}/revisions`, "decision.read", "decision", "decision.prediction.revisions", "none", predictions.revisions),
    route("POST", OUTCOMES, "decision.write", "decision", "decision.outcome.create", "required", outcomes.create),
    route("GET", OUTCOMES, "decision.read", "decision", "decision.outcome.list", "none", outcomes.list),
    route("GET", OUTCOME, "decision.read", "decision", "decision.outcome.detail", "none", outcomes.detail),
    route("PATCH", OUTCOME, "decision.write", "decision", "decision.outcome.modify", "required", outcomes.change),
    route("GET", `${OUTCOME}/revisions`, "decision.read", "decision", "decision.outcome.revisions", "none", outcomes.revisions),
    route("POST", COUNTERFACTUALS, "decision.write", "decision", "decision.counterfactual.create", "required", counterfactuals.create),
    route("GET", COUNTERFACTUALS, "decision.read", "decision", "decision.counterfactual.list", "none", counterfactuals.list),
    route("GET", COUNTERFACTUAL, "decision.read", "decision", "decision.counterfactual.detail", "none", counterfactuals.detail),
    route("PATCH", COUNTERFACTUAL, "decision.write", "decision", "decision.counterfactual.modify", "required", counterfactuals.change),
    route("GET", `${COUNTERFACTUAL}/revisions`, "decision.read", "decision", "decision.counterfactual.revisions", "none", counterfactuals.revisions),
    route("POST", SIMULATIONS, "decision.write", "decision", "decision.simulation.create", "required", simulations.create),
    route("GET", SIMULATIONS, "decision.read", "decision", "decision.simulation.list", "none", simulations.list),
    route("GET", SIMULATION, "decision.read", "decision", "decision.simulation.detail", "none", simulations.detail),
    route("GET", `${SIMULATION}/revisions`, "decision.read", "decision", "decision.simulation.revisions", "none", simulations.revisions),
    route("GET", "/api/v2/decision/calibration", "decision.read", "decision", "decision.calibration", "none", endpoints.decision.calibration),

    route("POST", PEOPLE, "relationship.person.write", "relationship", "relationship.person.create", "required", people.create),
    route("GET", PEOPLE, "relationship.person.read", "relationship", "relationship.person.list", "none", people.list),
    yielding(route("POST", `${PEOPLE}/find`, "relationship.person.read", "relationship", "relationship.person.find", "none", people.find)),
    route("GET", PERSON, "relationship.person.read", "relationship", "relationship.person.detail", "none", people.detail),
    route("PATCH", PERSON, "relationship.person.write", "relationship", "relationship.person.modify", "required", people.change),
    route("POST", `${PERSON}/status`, "relationship.status.control", "relationship", "relationship.status.set", "required", status.set),
    route("POST", `${PERSON}/archive`, "relationship.status.control", "relationship", "relationship.person.archive", "required", status.archive),
    route("POST", `${PERSON}/restore`, "relationship.status.control", "relationship", "relationship.person.restore", "required", status.restore),
    route("GET", `${PERSON}/revisions`, "relationship.person.read", "relationship", "relationship.person.revisions", "none", people.revisions),
    route("GET", `${PERSON}/status/history`, "relationship.person.read", "relationship", "relationship.status.history", "none", status.history),
    route("POST", EXPERIENCES, "relationship.ledger.write", "relationship", "relationship.experience.create", "required", experiences.append),
    route("GET", EXPERIENCES, "relationship.ledger.read", "relationship", "relationship.experience.list", "none", experiences.list),
    route("GET", `${EXPERIENCES}/:experienceId`, "relationship.ledger.read", "relationship", "relationship.experience.detail", "none", experiences.detail),
    route("POST", CONTACTS, "relationship.ledger.write", "relationship", "relationship.contact.create", "required", contacts.append),
    route("GET", CONTACTS, "relationship.ledger.read", "relationship", "relationship.contact.list", "none", contacts.list),
    route("GET", CONTACT, "relationship.ledger.read", "relationship", "relationship.contact.detail", "none", contacts.detail),
    route("POST", `${CONTACT}/control`, "relationship.ledger.write", "relationship", "relationship.contact.control", "required", contacts.control),
    route("POST", DETAILS, "relationship.ledger.write", "relationship", "relationship.detail.create", "required", details.append),
    route("GET", DETAILS, "relationship.ledger.read", "relationship", "relationship.detail.list", "none", details.list),
    route("GET", DETAIL, "relationship.ledger.read", "relationship", "relationship.detail.detail", "none", details.detail),
    route("POST", `${DETAIL}/control`, "relationship.ledger.write", "relationship", "relationship.detail.control", "required", details.control),
    route("GET", "/api/v2/relationship/dates", "relationship.ledger.read", "relationship", "relationship.date.list", "none", dates),
    route("GET", `${PERSON}/vcard`, "relationship.ledger.read", "relationship", "relationship.person.vcard", "none", vcard),
    route("POST", PEOPLE_EXPORTS, "relationship.ledger.read", "relationship", "relationship.export.create", "required", exports.create),
    route("GET", PEOPLE_EXPORTS, "relationship.ledger.read", "relationship", "relationship.export.list", "none", exports.list),
    route("GET", `${PEOPLE_EXPORTS}/:executionId`, "relationship.ledger.read", "relationship", "relationship.export.detail", "none", exports.detail),
    route("POST", EVIDENCE, "relationship.ledger.write", "relationship", "relationship.evidence.create", "required", evidence.append),
    route("GET", EVIDENCE, "relationship.ledger.read", "relationship", "relationship.evidence.list", "none", evidence.list),
    route("GET", EVIDENCE_ENTRY, "relationship.ledger.read", "relationship", "relationship.evidence.detail", "none", evidence.detail),
    route("POST", `${EVIDENCE_ENTRY}/control`, "relationship.ledger.write", "relationship", "relationship.evidence.control", "required", evidence.control),
    route("POST", PROPOSALS, "relationship.evaluation.propose", "relationship", "relationship.proposal.create", "required", proposals.request),
    route("GET", PROPOSALS, "relationship.ledger.read", "relationship", "relationship.proposal.list", "none", proposals.list),
    route("GET", PROPOSAL, "relationship.ledger.read", "relationship", "relationship.proposal.detail", "none", proposals.detail),
    route("GET", `${PROPOSAL}/events`, "relationship.ledger.read", "relationship", "relationship.proposal.events", "none", proposals.events),
    route("POST", `${PROPOSAL}/confirm`, "relationship.evaluation.confirm", "relationship", "relationship.proposal.confirm", "required", proposals.confirm),
    route("POST", `${PROPOSAL}/reject`, "relationship.evaluation.propose", "relationship", "relationship.proposal.reject", "required", proposals.reject),
    route("GET", EVALUATIONS, "relationship.ledger.read", "relationship", "relationship.evaluation.list", "none", evaluations.list),
    route("GET", `${EVALUATIONS}/:evaluationId`, "relationship.ledger.read", "relationship", "relationship.evaluation.detail", "none", evaluations.detail),
    route("GET", TIMELINE, "relationship.ledger.read", "relationship", "relationship.timeline.list", "none", timeline.list),
    route("GET", `${TIMELINE}/:entryId`, "relationship.ledger.read", "relationship", "relationship.timeline.detail", "none", timeline.detail),

    route("POST", RESOURCES, "resource.write", "resource", "resource.create", "required", resource.resources.create),
    route("GET", RESOURCES, "resource.read", "resource", "resource.list", "none", resource.resources.list),
    route("GET", RESOURCE, "resource.read", "resource", "resource.detail", "none", resource.resources.detail),
    route("PATCH", RESOURCE, "resource.write", "resource", "resource.modify", "required", resource.resources.change),
    route("POST", `${RESOURCE}/archive`, "resource.write", "resource", "resource.archive", "required", resource.resources.archive),
    route("POST", `${RESOURCE}/restore`, "resource.write", "resource", "resource.restore", "required", resource.resources.restore),
    route("GET", `${RESOURCE}/revisions`, "resource.read", "resource", "resource.revisions", "none", resource.resources.revisions),
    route("POST", RESOURCE_SNAPSHOTS, "resource.write", "resource", "resource.snapshot.create", "required", resource.snapshots.append),
    route("GET", RESOURCE_SNAPSHOTS, "resource.read", "resource", "resource.snapshot.list", "none", resource.snapshots.list),
    route("GET", `${RESOURCE_SNAPSHOTS}/:snapshotId`, "resource.read", "resource", "resource.snapshot.detail", "none", resource.snapshots.detail),
    route("GET", "/api/v2/resource/network", "resource.read", "resource", "resource.network", "none", resource.network),
    route("POST", OVERLOAD_ANALYSES, "resource.read", "resource", "resource.overload_analysis.create", "required", resource.overloadAnalyses.create),
    route("GET", OVERLOAD_ANALYSES, "resource.read", "resource", "resource.overload_analysis.list", "none", resource.overloadAnalyses.list),
    route("GET", `${OVERLOAD_ANALYSES}/:executionId`, "resource.read", "resource", "resource.overload_analysis.detail", "none", resource.overloadAnalyses.detail),
    route("POST", RESOURCE_EXPORTS, "resource.read", "resource", "resource.export.create", "required", resource.exports.create),
    route("GET", RESOURCE_EXPORTS, "resource.read", "resource", "resource.export.list", "none", resource.exports.list),
    route("GET", `${RESOURCE_EXPORTS}/:executionId`, "resource.read", "resource", "resource.export.detail", "none", resource.exports.detail),

    route("GET", "/api/v2/due", "record.read", "checks itself", "due.list", "none", due.list), // readableKinds
    session("POST", FEEDS, "token.manage", "calendar.feed.create", feeds.create),
    session("GET", FEEDS, "token.manage", "calendar.feed.list", feeds.list),
    session("GET", FEED, "token.manage", "calendar.feed.detail", feeds.detail),
    session("POST", `${FEED}/revoke`, "token.manage", "calendar.feed.revoke", feeds.revoke),
    session("POST", `${FEED}/rotate`, "token.manage", "calendar.feed.rotate", feeds.rotate),
    secretPath("/calendar/:secret", "calendar.read", due.calendar),
    secretPath("/calendar/:secret/:name", "calendar.named.read", due.calendar),

    route("POST", TAGS, "taxonomy.write", "taxonomy", "taxonomy.tag.create", "required", tags.create),
    route("GET", TAGS, "taxonomy.read", "taxonomy", "taxonomy.tag.list", "none", tags.list),
    route("GET", TAG, "taxonomy.read", "taxonomy", "taxonomy.tag.detail", "none", tags.detail),
    route("PATCH", TAG, "taxonomy.write", "taxonomy", "taxonomy.tag.modify", "required", tags.change),
    route("POST", `${TAG}/rename`, "taxonomy.write", "taxonomy", "taxonomy.tag.rename", "required", tags.rename),
    route("POST", `${TAG}/merge`, "taxonomy.write", "taxonomy", "taxonomy.tag.merge", "required", tags.merge),
    route("POST", `${TAG}/deactivate`, "taxonomy.write", "taxonomy", "taxonomy.tag.deactivate", "required", tags.deactivate),
    route("POST", `${TAG}/reactivate`, "taxonomy.write", "taxonomy", "taxonomy.tag.reactivate", "required", tags.reactivate),
    route("GET", `${TAG}/revisions`, "taxonomy.read", "taxonomy", "taxonomy.tag.revisions", "none", tags.revisions),
    route("GET", `${TAG}/revisions/:revision`, "taxonomy.read", "taxonomy", "taxonomy.tag.revision", "none", tags.revision),
    route("POST", CATEGORIES, "taxonomy.write", "taxonomy", "taxonomy.category.create", "required", categories.create),
    route("GET", CATEGORIES, "taxonomy.read", "taxonomy", "taxonomy.category.list", "none", categories.list),
    route("GET", `${CATEGORIES}/tree`, "taxonomy.read", "taxonomy", "taxonomy.category.tree", "none", categories.tree),
    route("GET", CATEGORY, "taxonomy.read", "taxonomy", "taxonomy.category.detail", "none", categories.detail),
    route("PATCH", CATEGORY, "taxonomy.write", "taxonomy", "taxonomy.category.modify", "required", categories.change),
    route("POST", `${CATEGORY}/rename`, "taxonomy.write", "taxonomy", "taxonomy.category.rename", "required", categories.rename),
    route("POST", `${CATEGORY}/move`, "taxonomy.write", "taxonomy", "taxonomy.category.move", "required", categories.move),
    route("POST", `${CATEGORY}/deactivate`, "taxonomy.write", "taxonomy", "taxonomy.category.deactivate", "required", categories.deactivate),
    route("POST", `${CATEGORY}/reactivate`, "taxonomy.write", "taxonomy", "taxonomy.category.reactivate", "required", categories.reactivate),
    route("GET", `${CATEGORY}/revisions`, "taxonomy.read", "taxonomy", "taxonomy.category.revisions", "none", categories.revisions),
    route("GET", `${CATEGORY}/revisions/:revision`, "taxonomy.read", "taxonomy", "taxonomy.category.revision", "none", categories.revision),
    route("POST", `${TAXONOMY}/search`, "taxonomy.read", "taxonomy", "taxonomy.search", "none", taxonomy.search),
    route("GET", `${TAXONOMY}/usage`, "taxonomy.read", "taxonomy", "taxonomy.usage", "none", taxonomy.usage),
    route("GET", `${TAXONOMY}/exports`, "taxonomy.read", "taxonomy", "taxonomy.export", "none", taxonomy.export),
    route("POST", `${TAXONOMY}/imports`, "taxonomy.write", "taxonomy", "taxonomy.import", "required", taxonomy.import),
    route("POST", ASSIGNMENTS, "taxonomy.write", "taxonomy", "taxonomy.assignment.create", "required", assignments.assign),
    route("POST", `${ASSIGNMENTS}/remove`, "taxonomy.write", "taxonomy", "taxonomy.assignment.remove", "required", assignments.remove),
    route("GET", ASSIGNMENTS, "taxonomy.read", "taxonomy", "taxonomy.assignment.list", "none", assignments.list),

    route("POST", IMPORTS, "import.write", "all", "import.create", "none", imports.create),
    route("GET", IMPORTS, "import.write", "all", "import.list", "none", imports.list),
    route("GET", IMPORT, "import.write", "all", "import.detail", "none", imports.detail),
    route("GET", `${IMPORT}/items`, "import.write", "all", "import.items", "none", imports.items),
    route("GET", `${IMPORT}/sample`, "import.write", "all", "import.sample", "none", imports.sample),
    route("PUT", `${IMPORT}/mapping`, "import.write", "all", "import.map", "none", imports.map),
    route("POST", `${IMPORT}/run`, "import.write", "all", "import.run", "required", imports.run),
    route("POST", `${IMPORT}/stop`, "import.write", "all", "import.stop", "required", imports.stop),
    route("POST", `${IMPORT}/discard`, "import.write", "all", "import.discard", "required", imports.discard),
    keyed("POST", `${IMPORT}/withdraw`, "import.write", "import.withdraw", imports.withdraw),
    ...(endpoints.assistants === null ? [] : assistantRoutes(endpoints.assistants)),

    route("GET", "/api/v2/audit", "audit.read", "all", "audit.list", "none", audit.list),
    route("GET", "/api/v2/audit/seals", "audit.read", "all", "audit.seals", "none", audit.seals),
    route("GET", "/api/v2/audit/chain", "audit.read", "all", "audit.chain", "none", audit.chain),
    route("GET", "/api/v2/audit/summary", "audit.read", "all", "audit.summary", "none", audit.summary),
    route("GET", "/api/v2/audit/:auditId/proof", "audit.read", "all", "audit.proof", "none", audit.proof),
    route("GET", "/api/v2/changes", "changes.read", "checks itself", "changes.list", "none", endpoints.changes), // seesModule
    route("GET", "/api/v2/operations/backup", "account.manage", null, "operations.backup", "none", operations.backup),
    route("GET", `${INSIGHT}/series`, "record.read", "checks itself", "insight.series", "none", insight.series), // requireReadableModule
    route("GET", `${INSIGHT}/days`, "record.read", "checks itself", "insight.days", "none", insight.days), // seesModule
    route("GET", `${INSIGHT}/contacts`, "relationship.person.read", "relationship", "insight.contacts", "none", insight.contacts),
    route("GET", `${INSIGHT}/routines`, "record.read", "checks itself", "insight.routines", "none", insight.routines), // requireReadableModule
    route("GET", `${INSIGHT}/calibration`, "decision.read", "decision", "insight.calibration", "none", insight.calibration),
    route("GET", `${INSIGHT}/week`, "record.read", "checks itself", "insight.week", "none", insight.week), // seesModule

    route("POST", "/api/v2/search", "search.read", "checks itself", "search", "none", endpoints.search), // seesModule
    ...legacyRoutes("identity", legacy.identity),
    ...legacyRoutes("relationship", legacy.relationship),
    ...legacyRoutes("resource", legacy.resource),
    probe("/healthz", operations.health),
    probe("/readyz", operations.readiness),
    ...(operations.metrics === null ? [] : [probe("/metrics", operations.metrics)]),
  ];
}

function assistantRoutes(
  { mcp, credentials, proposals, signIn }: AssistantsEndpoints,
): Route[] {
  // deno-fmt-ignore: one route a line, in columns
  return [
    assistant("/mcp", "mcp", mcp),
    session("POST", ASSISTANTS, "token.manage", "assistant.create", credentials.create),
    session("GET", ASSISTANTS, "token.manage", "assistant.list", credentials.list),
    session("GET", ASSISTANT, "token.manage", "assistant.detail", credentials.detail),
    session("POST", `${ASSISTANT}/revoke`, "token.manage", "assistant.revoke", credentials.revoke),
    session("GET", ASSISTANT_PROPOSALS, "record.read", "proposal.list", proposals.list),
    session("GET", ASSISTANT_PROPOSAL, "record.read", "proposal.detail", proposals.detail),
    keyed("POST", `${ASSISTANT_PROPOSAL}/accept`, "platform.operate", "proposal.accept", proposals.accept),
    keyed("POST", `${ASSISTANT_PROPOSAL}/reject`, "platform.operate", "proposal.reject", proposals.reject),
    ...(signIn === null ? [] : signInRoutes(signIn)),
  ];
}

function signInRoutes({ registration, authorization, ...endpoints }: SignInEndpoints): Route[] {
  // deno-fmt-ignore: one route a line, in columns
  return [
    session("POST", `${AUTHORIZATION}/read`, "token.manage", "authorization.read", authorization.read),
    session("POST", `${AUTHORIZATION}/decide`, "token.manage", "authorization.decide", authorization.decide),
    document(DOCUMENT_PATHS.resource, "oauth.resource", endpoints.resourceDocument),
    document(DOCUMENT_PATHS.resourceAtRoot, "oauth.root_resource", endpoints.resourceDocument),
    document(DOCUMENT_PATHS.server, "oauth.server", endpoints.serverDocument),
    oauth("/oauth/token", "oauth.token", endpoints.token),
    ...(registration === null ? [] : [oauth("/oauth/register", "oauth.register", registration)]),
  ];
}

function legacyRoutes(module: LegacyModuleCode, endpoints: LegacyEndpoints): ProtectedRoute[] {
  const { readPermission, writePermission, headers } = LEGACY_MODULES[module];
  const list = `/api/v1/${module}`;
  const record = `${list}/:recordId`;
  const operation = (name: string) => `legacy.${module}.${name}`;
  const read = (path: string, name: string, endpoint: Endpoint) => ({
    ...route("GET", path, readPermission, module, operation(name), "none", endpoint),
    headers,
  });
  const write = (method: Method, path: string, name: string) => ({
    ...route(method, path, writePermission, module, operation(name), "none", endpoints.write),
    headers,
  });
  return [
    read(list, "list", endpoints.list),
    read(`${list}/export`, "export", endpoints.export),
    read(record, "detail", endpoints.detail),
    read(`${record}/revisions`, "revisions", endpoints.revisions),
    write("POST", list, "create"),
    write("PUT", record, "modify"),
    write("POST", `${record}/archive`, "archive"),
    write("POST", `${record}/restore`, "restore"),
    write("DELETE", record, "delete"),
    write("POST", `${record}/features/:featureId`, "feature"),
  ];
}
