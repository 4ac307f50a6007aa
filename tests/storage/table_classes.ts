/** What may happen to the rows of every table. A table that is new must be put into one class. */
export const TABLE_CLASSES = {
  /** Rows are added and never change nor go. */
  appendOnly: [
    "access_events",
    "attachments",
    "audit_entries",
    "decision_analysis_revisions",
    "decision_counterfactual_revisions",
    "decision_outcome_revisions",
    "decision_prediction_revisions",
    "decision_revisions",
    "decision_simulation_revisions",
    "executions",
    "memory_revisions",
    "memory_slices",
    "permissions",
    "record_revisions",
    "role_permissions",
    "roles",
    "server_secret_check",
    "taxonomy_term_revisions",
    "token_permissions",
  ],
  /** Rows never change, and go only when they are old. */
  retained: ["idempotency_envelopes"],
  /** Rows may change and never go. */
  permanent: [
    "accounts",
    "attachment_usage",
    "decision_analyses",
    "decision_counterfactuals",
    "decision_outcomes",
    "decision_predictions",
    "decision_simulations",
    "decisions",
    "maintenance_window",
    "memories",
    "memory_drafts",
    "records",
    "sessions",
    "step_up_proofs",
    "taxonomy_assignments",
    "taxonomy_terms",
    "tokens",
  ],
  /** Rows come and go with the rows that they follow from, and never change. */
  derived: ["taxonomy_names"],
  /** Rows come, change and go. */
  mutable: [
    "access_attempts",
    "account_permissions",
    "schema_migrations",
    "setup_token",
  ],
} as const;
