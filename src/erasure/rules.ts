/**
 * The rule of erasure for every table of a backup. A table without a rule is a type error in
 * `src/operator/backup/tables.ts`.
 */

/** The kinds of identifiers by which rows refer to each other. */
export type Space =
  /** A record, memory, decision, resource, person or term. */
  | "root"
  | "draft"
  | "attachment"
  /** A part of a root, such as an entry about a person. */
  | "part"
  /** The key of an item of an import. */
  | "key"
  /** Any of these: rows that name a root or an attachment by the same column. */
  | "any";

/** Rows that are erased with their account, or with a row that they belong to. */
export interface ErasableRows {
  /** The column that names the account. */
  readonly account: string;
  /** Columns that name the rows that a row belongs to; it is erased with any of them. */
  readonly belongsTo?: Readonly<Record<string, Space>>;
  /** A column that lists roots: without a record of its own, the row is erased with any of them. */
  readonly lists?: { readonly column: string; readonly without: string };
  /** The column with the identifier by which other rows, or idempotency keys, name the row. */
  readonly own?: readonly [column: string, space: Space];
  /** The module of roots that have no general record. */
  readonly module?: string;
}

type ErasureRule =
  | ErasableRows
  /** The reason why the rows are always retained. */
  | { readonly retained: string };

function ofAccount(account: string): ErasableRows {
  return { account };
}

/** Rows that belong to a root. */
function ofRoot(column: string, own?: string): ErasableRows {
  return {
    account: "owner_id",
    belongsTo: { [column]: "root" },
    ...(own !== undefined && { own: [own, "part"] as const }),
  };
}

/** Rows that belong to a part of a root. */
function ofPart(column: string): ErasableRows {
  return { account: "owner_id", belongsTo: { [column]: "part" } };
}

/** Typed rows of an identity, which are erased with their account only. */
function ofIdentity(own: string): ErasableRows {
  return { account: "owner_id", own: [own, "part"], module: "identity" };
}

const FIXED = { retained: "the same rows are in every installation" } as const;

export const ERASURE_RULES = {
  permissions: FIXED,
  roles: FIXED,
  role_permissions: FIXED,
  erasure_certificates: { retained: "they prove what was erased" },
  erased_subjects: { retained: "they are identifiers, and answer for what was erased" },

  accounts: ofAccount("account_id"),
  account_permissions: ofAccount("account_id"),
  tokens: ofAccount("account_id"),
  token_permissions: ofAccount("account_id"),
  calendar_feeds: ofAccount("account_id"),
  assistants: ofAccount("account_id"),
  second_factors: ofAccount("account_id"),
  recovery_codes: ofAccount("account_id"),
  passkey_host: { retained: "it is a name of the installation" },
  passkey_users: ofAccount("account_id"),
  passkeys: ofAccount("account_id"),
  // Without content, and sealed: these are erased with their account only.
  access_events: ofAccount("account_id"),
  audit_entries: ofAccount("owner_id"),
  audit_seals: ofAccount("account_id"),
  audit_late_entries: ofAccount("account_id"),
  // `ErasureFilter` shortens those that name something erased.
  idempotency_envelopes: ofAccount("owner_id"),
  account_exports: ofAccount("owner_id"),

  // `ErasureFilter` removes answers about possible duplicates that name something erased. The
  // original is erased too.
  imports: ofAccount("owner_id"),
  // A possible duplicate of an erased person is most likely that person.
  import_items: {
    account: "owner_id",
    belongsTo: { record_id: "any" },
    lists: { column: "matches", without: "record_id" },
    own: ["key", "key"],
  },
  import_origins: {
    account: "owner_id",
    belongsTo: { record_id: "any" },
    own: ["key", "key"],
  },

  records: ofRoot("record_id"),
  record_revisions: ofRoot("record_id"),
  executions: ofRoot("record_id", "execution_id"),
  assistant_proposal_events: {
    account: "owner_id",
    belongsTo: { target: "root", record_id: "root" },
    own: ["proposal_id", "part"],
  },
  // Erased with the record that it would change, or that it was accepted as.
  assistant_proposals: {
    account: "owner_id",
    belongsTo: { target: "root", proposal_id: "part" },
  },
  attachments: { account: "owner_id", belongsTo: { attachment_id: "attachment" } },
  attachment_thumbnails: { account: "owner_id", belongsTo: { attachment_id: "attachment" } },
  // `ErasureFilter` subtracts the sizes of erased attachments.
  attachment_usage: ofAccount("owner_id"),

  memories: ofRoot("memory_id"),
  memory_revisions: ofRoot("memory_id"),
  memory_slices: ofRoot("memory_id", "slice_id"),
  memory_drafts: {
    account: "owner_id",
    belongsTo: { memory_id: "root", committed_memory_id: "root", draft_id: "draft" },
    own: ["draft_id", "draft"],
  },

  decisions: ofRoot("decision_id"),
  decision_revisions: ofRoot("decision_id"),
  decision_analyses: ofRoot("decision_id", "analysis_id"),
  decision_analysis_revisions: ofPart("analysis_id"),
  decision_predictions: ofRoot("decision_id", "prediction_id"),
  decision_prediction_revisions: ofPart("prediction_id"),
  decision_outcomes: {
    account: "owner_id",
    belongsTo: { decision_id: "root", prediction_id: "part" },
    own: ["outcome_id", "part"],
  },
  decision_outcome_revisions: ofPart("outcome_id"),
  decision_counterfactuals: ofRoot("decision_id", "counterfactual_id"),
  decision_counterfactual_revisions: ofPart("counterfactual_id"),
  decision_simulations: ofRoot("decision_id", "simulation_id"),
  decision_simulation_revisions: ofPart("simulation_id"),

  identity_profiles: ofIdentity("profile_id"),
  identity_profile_revisions: ofIdentity("profile_id"),
  identity_roles: ofIdentity("role_id"),
  identity_stages: ofIdentity("stage_id"),
  identity_stage_revisions: ofIdentity("stage_id"),
  identity_snapshots: ofIdentity("snapshot_id"),
  identity_comparisons: ofPart("comparison_id"),
  identity_slugs: { retained: "an address that was public is never another owner's" },
  identity_publications: ofAccount("owner_id"),
  identity_publication_revisions: ofAccount("owner_id"),
  identity_legacy_plans: ofIdentity("plan_id"),
  identity_legacy_plan_revisions: ofIdentity("plan_id"),
  identity_legacy_drills: ofPart("drill_id"),

  people: ofRoot("person_id"),
  person_revisions: ofRoot("person_id"),
  person_contacts: ofRoot("person_id", "contact_id"),
  person_contact_controls: ofRoot("person_id", "control_id"),
  person_experiences: ofRoot("person_id", "experience_id"),
  person_evidence: ofRoot("person_id", "evidence_id"),
  person_evidence_controls: ofRoot("person_id", "control_id"),
  person_details: ofRoot("person_id", "detail_id"),
  person_detail_controls: {
    account: "owner_id",
    belongsTo: { person_id: "root", detail_id: "part", superseded_by: "part" },
    own: ["control_id", "part"],
  },
  person_proposals: ofRoot("person_id", "proposal_id"),
  person_proposal_events: ofRoot("person_id", "event_id"),
  person_evaluations: ofRoot("person_id", "evaluation_id"),
  person_status_events: ofRoot("person_id", "event_id"),
  person_timeline_entries: ofRoot("person_id"),

  resources: ofRoot("resource_id"),
  resource_revisions: ofRoot("resource_id"),
  resource_snapshots: ofRoot("resource_id", "snapshot_id"),

  taxonomy_terms: ofRoot("term_id"),
  taxonomy_term_revisions: ofRoot("term_id"),
  taxonomy_names: ofRoot("term_id"),
  taxonomy_assignments: {
    account: "owner_id",
    belongsTo: { term_id: "root", record_id: "root" },
    own: ["assignment_id", "part"],
  },
} as const satisfies Readonly<Record<string, ErasureRule>>;

export type ErasableTable = keyof typeof ERASURE_RULES;

const RULES: ReadonlyMap<string, ErasureRule> = new Map(Object.entries(ERASURE_RULES));

/** Returns the rule of a table, or null for a table whose rows are always retained. */
export function erasableRows(table: string): ErasableRows | null {
  const rule = RULES.get(table);
  if (rule === undefined) throw new Error(`Erasure has no rule for ${table}`);
  return "retained" in rule ? null : rule;
}
