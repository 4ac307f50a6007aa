/** What may happen to the rows of every table. A table that is new must be put into one class. */
export const TABLE_CLASSES = {
  /** Rows are added and never change nor go. */
  appendOnly: [
    "attachments",
    "audit_entries",
    "executions",
    "record_revisions",
    "server_secret_check",
  ],
  /** Rows never change, and go only when they are old. */
  retained: ["idempotency_envelopes"],
  /** Rows may change and never go. */
  permanent: ["accounts", "attachment_usage", "maintenance_window", "records"],
  /** Rows come, change and go. */
  mutable: ["schema_migrations", "sessions", "setup_token"],
} as const;
