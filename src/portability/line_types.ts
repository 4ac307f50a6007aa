/**
 * The types of lines, in their order in a file: what a row refers to at once comes before it. A table that
 * belongs to an owner has its entry here, or among those that are left out.
 */

import type { LineType } from "./description.ts";
import { ATTACHMENTS } from "./lines/attachments.ts";
import {
  ANALYSES,
  COUNTERFACTUALS,
  DECISIONS,
  OUTCOMES,
  PREDICTIONS,
  SIMULATIONS,
} from "./lines/decision.ts";
import {
  COMPARISONS,
  LEGACY_DRILLS,
  LEGACY_PLANS,
  PROFILES,
  ROLES,
  SNAPSHOTS,
  STAGES,
} from "./lines/identity.ts";
import { DRAFTS, MEMORIES } from "./lines/memory.ts";
import { EXECUTIONS, RECORDS } from "./lines/records.ts";
import {
  CONTACT_CONTROLS,
  CONTACTS,
  EVALUATIONS,
  EVIDENCE,
  EVIDENCE_CONTROLS,
  EXPERIENCES,
  PEOPLE,
  PROPOSAL_EVENTS,
  PROPOSALS,
  STATUS_EVENTS,
  TIMELINE,
} from "./lines/relationship.ts";
import { RESOURCE_SNAPSHOTS, RESOURCES } from "./lines/resource.ts";
import { ASSIGNMENTS, TERMS } from "./lines/taxonomy.ts";

/** All types in their order. */
export const LINE_TYPES: readonly LineType[] = [
  RECORDS,
  EXECUTIONS,
  MEMORIES,
  DRAFTS,
  TERMS,
  ASSIGNMENTS,
  ...[DECISIONS, ANALYSES, PREDICTIONS, OUTCOMES, COUNTERFACTUALS, SIMULATIONS],
  ...[PROFILES, ROLES, STAGES, SNAPSHOTS, COMPARISONS, LEGACY_PLANS, LEGACY_DRILLS],
  // Before the people: an archived or sealed one takes no entries.
  ...[CONTACTS, CONTACT_CONTROLS, EXPERIENCES, EVIDENCE, EVIDENCE_CONTROLS],
  ...[PROPOSALS, PROPOSAL_EVENTS, EVALUATIONS],
  ...[PEOPLE, STATUS_EVENTS, TIMELINE],
  ...[RESOURCES, RESOURCE_SNAPSHOTS],
  // Last, so that everything else is read before any bytes are.
  ATTACHMENTS,
];

/** Tables with an owner that are in no line, and why. */
export const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  account_exports: "what was taken away is no part of it",
  account_permissions: "they are the account's",
  access_events: "they tell of sign-ins and credentials on one server",
  attachment_usage: "it is the sum of the attachments' sizes",
  audit_entries: "they tell who did what on one server",
  audit_late_entries: "they belong to the seals of one server's audit",
  audit_seals: "they seal the audit of one server",
  idempotency_envelopes: "they answer the clients of one server",
  identity_publication_revisions: "what is public stays with its server",
  identity_publications: "what is public stays with its server",
  identity_slugs: "a slug is one owner's on one server",
  pending_second_factors: "they are credentials",
  recovery_codes: "they are credentials",
  second_factors: "they are credentials",
  search_index: "it is made of the records",
  sessions: "they are credentials",
  step_up_proofs: "they are credentials",
  token_permissions: "they are credentials",
  tokens: "they are credentials",
};
