/** Tables of a backup. Each new table must be added to one class. */

import type { ErasableTable } from "../../erasure/rules.ts";

export interface BackedUpTable {
  readonly name: ErasableTable;
  /** Rows are the same in every database of the same schema; a restore compares them. */
  readonly fixed?: boolean;
  /** The column that ends a row: rows not ended are copied as ended by the backup. */
  readonly ended?: string;
  /** Holds a transaction id of this database; a restore writes its own instead. */
  readonly transaction?: string;
  /** True if a restored row also marks in `transaction` whether its seal was restored. */
  readonly isSealed?: boolean;
  /** Rows are useful only with the same server secret, and are copied only with it. */
  readonly needsSecret?: boolean;
}

/** In the order of a restore: referenced rows before the rows that refer to them. */
export const BACKED_UP_TABLES: readonly BackedUpTable[] = [
  { name: "permissions", fixed: true },
  { name: "roles", fixed: true },
  { name: "role_permissions", fixed: true },
  // Before all rows whose guards read the erased subjects.
  { name: "erasure_certificates" },
  { name: "erased_subjects" },
  { name: "accounts" },
  { name: "account_permissions" },
  // A stolen backup must not give access to its installation, so new tokens must be created after a
  // restore.
  { name: "tokens", ended: "revoked_at" },
  { name: "token_permissions" },
  { name: "calendar_feeds", ended: "revoked_at" },
  { name: "assistants", ended: "revoked_at" },
  { name: "second_factors", needsSecret: true },
  { name: "recovery_codes", needsSecret: true },
  { name: "passkey_host" },
  { name: "passkey_users" },
  { name: "passkeys" },
  { name: "access_events", transaction: "transaction_id", isSealed: true },
  { name: "audit_entries", transaction: "transaction_id", isSealed: true },
  { name: "audit_seals" },
  { name: "audit_late_entries" },
  { name: "idempotency_envelopes" },
  { name: "account_exports" },
  { name: "records" },
  { name: "record_revisions", transaction: "transaction_id" },
  { name: "executions" },
  // Before the proposals: the proposal of an erased record is erased too.
  { name: "assistant_proposal_events" },
  { name: "assistant_proposals" },
  { name: "memories" },
  { name: "memory_revisions" },
  { name: "memory_slices" },
  { name: "memory_drafts" },
  { name: "decisions" },
  { name: "decision_revisions" },
  { name: "decision_analyses" },
  { name: "decision_analysis_revisions" },
  { name: "decision_predictions" },
  { name: "decision_prediction_revisions" },
  { name: "decision_outcomes" },
  { name: "decision_outcome_revisions" },
  { name: "decision_counterfactuals" },
  { name: "decision_counterfactual_revisions" },
  { name: "decision_simulations" },
  { name: "decision_simulation_revisions" },
  { name: "identity_profiles" },
  { name: "identity_profile_revisions" },
  { name: "identity_roles" },
  { name: "identity_stages" },
  { name: "identity_stage_revisions" },
  { name: "identity_snapshots" },
  { name: "identity_comparisons" },
  { name: "identity_slugs" },
  { name: "identity_publications" },
  { name: "identity_publication_revisions" },
  { name: "identity_legacy_plans" },
  { name: "identity_legacy_plan_revisions" },
  { name: "identity_legacy_drills" },
  // Before people, because archived or sealed ones do not accept entries.
  { name: "person_contacts" },
  { name: "person_contact_controls" },
  { name: "person_experiences" },
  { name: "person_evidence" },
  { name: "person_evidence_controls" },
  { name: "person_details" },
  { name: "person_detail_controls" },
  { name: "person_proposals" },
  { name: "person_proposal_events" },
  { name: "person_evaluations" },
  { name: "people" },
  { name: "person_revisions" },
  { name: "person_status_events" },
  { name: "person_timeline_entries" },
  { name: "resources" },
  { name: "resource_revisions" },
  { name: "resource_snapshots" },
  { name: "taxonomy_terms" },
  { name: "taxonomy_term_revisions" },
  { name: "taxonomy_names" },
  { name: "taxonomy_assignments" },
  { name: "imports" },
  { name: "import_items" },
  { name: "import_origins" },
  // After all rows that name them.
  { name: "attachments" },
  { name: "attachment_thumbnails" },
  { name: "attachment_usage" },
];

/** Tables whose rows are not in a backup, with the reason. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  sessions: "people sign in again",
  pending_second_factors: "they end with their session, after ten minutes",
  step_up_proofs: "they end with their session, after five minutes",
  passkey_ceremonies: "they end with their session, or after five minutes",
  answered_passkey_sign_ins: "the sign-ins that they end expire after five minutes",
  assistant_codes: "their assistants end with a restore",
  assistant_tokens: "their assistants end with a restore",
  access_attempts: "the throttle starts again, under the server secret of the new installation",
  setup_token: "it is only for a database without accounts",
  account_storage: "a restore counts the rows that it inserts",
  record_order: "the service rebuilds it from the records",
  attachment_chunks: "the bytes of attachments follow the rows",
  search_index: "the service rebuilds it from the records",
  search_index_build: "a restore marks the index for a rebuild",
  audit_sealing:
    "it counts transactions of this database; a restored row shows whether it is sealed",
  maintenance_window: "a switch of the running service; it is off after a restore",
  scheduled_backups: "the new installation writes its own backups",
  server_secret_check: "the first start stores one for its own secret",
  change_feed: "cursors of another database mean nothing: each restore begins a new feed",
  schema_migrations: "the backup names its schema's version; a restore creates the schema",
};
