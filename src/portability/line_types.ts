/**
 * Line types in the order of a file: referenced rows come before the rows that refer to them. Every
 * table with an owner has an entry here, or in `TABLES_LEFT_OUT`.
 */

import type { LineType } from "./description.ts";
import { ASSISTANT_PROPOSAL_LINES } from "./lines/assistants.ts";
import { ATTACHMENT_LINES } from "./lines/attachments.ts";
import {
  ANALYSIS_LINES,
  COUNTERFACTUAL_LINES,
  DECISION_LINES,
  OUTCOME_LINES,
  PREDICTION_LINES,
  SIMULATION_LINES,
} from "./lines/decision.ts";
import {
  COMPARISON_LINES,
  PROFILE_LINES,
  PROFILE_SNAPSHOT_LINES,
  RELEASE_DRILL_LINES,
  RELEASE_PLAN_LINES,
  ROLE_LINES,
  STAGE_LINES,
} from "./lines/identity.ts";
import { ERASED_LINES } from "./lines/erased.ts";
import { IMPORT_LINES, ORIGIN_LINES } from "./lines/imports.ts";
import { DRAFT_LINES, MEMORY_LINES } from "./lines/memory.ts";
import { EXECUTION_LINES, RECORD_LINES } from "./lines/records.ts";
import {
  CONTACT_CONTROL_LINES,
  CONTACT_LINES,
  DETAIL_LINES,
  EVALUATION_LINES,
  EVIDENCE_CONTROL_LINES,
  EVIDENCE_LINES,
  EXPERIENCE_LINES,
  PERSON_LINES,
  PROPOSAL_EVENT_LINES,
  PROPOSAL_LINES,
  STATUS_EVENT_LINES,
  TIMELINE_LINES,
} from "./lines/relationship.ts";
import { RESOURCE_LINES, RESOURCE_SNAPSHOT_LINES } from "./lines/resource.ts";
import { ASSIGNMENT_LINES, TERM_LINES } from "./lines/taxonomy.ts";

export const LINE_TYPES: readonly LineType[] = [
  // First, because an import leaves out the rows of these subjects.
  ERASED_LINES,
  RECORD_LINES,
  EXECUTION_LINES,
  MEMORY_LINES,
  DRAFT_LINES,
  TERM_LINES,
  ASSIGNMENT_LINES,
  DECISION_LINES,
  ANALYSIS_LINES,
  PREDICTION_LINES,
  OUTCOME_LINES,
  COUNTERFACTUAL_LINES,
  SIMULATION_LINES,
  PROFILE_LINES,
  ROLE_LINES,
  STAGE_LINES,
  PROFILE_SNAPSHOT_LINES,
  COMPARISON_LINES,
  RELEASE_PLAN_LINES,
  RELEASE_DRILL_LINES,
  // Before people, because archived or sealed ones do not accept entries.
  CONTACT_LINES,
  CONTACT_CONTROL_LINES,
  EXPERIENCE_LINES,
  EVIDENCE_LINES,
  EVIDENCE_CONTROL_LINES,
  DETAIL_LINES,
  PROPOSAL_LINES,
  PROPOSAL_EVENT_LINES,
  EVALUATION_LINES,
  PERSON_LINES,
  STATUS_EVENT_LINES,
  TIMELINE_LINES,
  RESOURCE_LINES,
  RESOURCE_SNAPSHOT_LINES,
  IMPORT_LINES,
  ORIGIN_LINES,
  ASSISTANT_PROPOSAL_LINES,
  // Last, so that everything else is read before any bytes.
  ATTACHMENT_LINES,
];

/** Tables with an owner that are in no line, and why. */
export const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  account_exports: "they are earlier exports",
  account_permissions: "they belong to the account on one server",
  account_storage: "the bytes are counted again as rows are written",
  access_events: "they list sign-ins and credentials on one server",
  calendar_feeds: "they are credentials",
  assistants: "they are credentials",
  assistant_codes: "they are credentials",
  assistant_tokens: "they are credentials",
  attachment_chunks: "their bytes follow the lines of their attachments",
  attachment_thumbnails: "a browser draws them again",
  attachment_usage: "it is the sum of the attachments' sizes",
  audit_entries: "they are the audit trail of one server",
  audit_late_entries: "they belong to the seals of one server's audit",
  audit_seals: "they seal the audit of one server",
  erasure_certificates: "they hold the digests of one server's tables",
  idempotency_envelopes: "they answer the clients of one server",
  identity_publication_revisions: "public pages stay on their server",
  identity_publications: "public pages stay on their server",
  identity_slugs: "slugs are unique on one server only",
  passkey_ceremonies: "they are credentials",
  passkey_users: "they are credentials",
  passkeys: "they are credentials",
  pending_second_factors: "they are credentials",
  recovery_codes: "they are credentials",
  second_factors: "they are credentials",
  record_order: "it is derived from the records",
  search_index: "it is derived from the records",
  sessions: "they are credentials",
  step_up_proofs: "they are credentials",
  token_permissions: "they are credentials",
  tokens: "they are credentials",
};
