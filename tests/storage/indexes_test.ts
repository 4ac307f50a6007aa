/** Each index costs every write of its table: one that is new must say what needs it. */

import { assertEquals } from "@std/assert";
import { sharedWorld } from "../support/world.ts";
import { constraintsOf, type RootKind } from "./family_rows.ts";
import { ROOT_KINDS } from "./root_kinds.ts";

const world = sharedWorld();

/** What would read or sort a whole table without it; of the tables of one row, that there is only one. */
const INDEXES: Readonly<Record<string, string>> = {
  access_attempts_by_address: "throttle: the failures of an address",
  access_attempts_by_age: "throttle: which attempts are old enough to go",
  access_attempts_by_subject: "throttle: the failures of an email",
  access_attempts_known: "throttle: whether an address has signed in for an email lately",
  access_attempts_pkey: "throttle: an attempt that succeeded, or is withdrawn",
  access_events_pkey: "access trail: the list, newest first",
  account_email_unique: "login; one account an address",
  account_permissions_pkey: "credential look-up: what an account was granted singly",
  accounts_pkey: "credential look-up; references to an account",
  attachment_usage_pkey: "upload: what an owner's quota has left",
  attachments_pkey: "attachments: list, detail, references from a record",
  audit_entries_pkey: "audit: the list, newest first",
  contact_below_its_person: "contacts: the list; their controls refer to contact and person",
  decision_analyses_of_a_decision: "analyses of a decision: the list",
  decision_counterfactuals_of_a_decision: "counterfactuals of a decision: the list",
  decision_outcomes_of_a_decision: "outcomes of a decision: the list",
  decision_simulations_of_a_decision: "simulations of a decision: the list",
  decisions_archived_by_creation: "decisions: the list of archived ones",
  decisions_live_by_creation: "decisions: the list",
  evidence_below_its_person: "evidence: the list; controls refer to evidence and person",
  evidence_control_number_unique: "controls of evidence: the next number; none twice",
  executions_by_record: "executions of a record: the list",
  executions_of_a_family: "executions that concern no single record: the list of exports",
  executions_pkey: "executions: detail and replay",
  idempotency_envelopes_by_age: "retention: which envelopes are old enough to go",
  idempotency_envelopes_pkey: "claim: what a key has made",
  identity_comparisons_pkey: "comparisons: list, detail",
  identity_legacy_drills_pkey: "drills: list, detail, the newest",
  identity_roles_by_time: "roles: the list, the newest",
  identity_roles_pkey: "roles: detail, cursor, the last entry",
  identity_slugs_pkey: "a publication has a slug of its owner's",
  identity_snapshots_pkey: "snapshots: list, detail, sides of a comparison",
  identity_stages_archived_by_creation: "stages: the list of archived ones",
  identity_stages_live_by_creation: "stages: the list",
  maintenance_window_pkey: "one row",
  memories_archived_by_creation: "memories: the list of archived ones",
  memories_live_by_creation: "memories: the list",
  memories_with_time_by_creation: "memories: the list by a range of time",
  memory_drafts_by_state: "drafts: the list of open ones",
  memory_drafts_pkey: "drafts: detail, lock, commit",
  memory_slices_of_a_memory: "slices of a memory: the list",
  memory_slices_pkey: "slices: detail",
  one_contact_a_revision: "no two contacts of one revision; the one of a revision",
  one_contact_control_a_revision: "no two retractions of one revision; the one of a revision",
  one_control_a_contact: "a retraction is for good; whether a contact is retracted",
  one_end_an_evidence: "what ends evidence ends it once",
  one_legacy_plan_an_owner: "the plan: read, lock",
  one_outcome_a_prediction: "no second outcome of a prediction; whether it has one",
  one_profile_an_owner: "the profile: read, lock, references",
  one_publication_an_owner: "the publication: read, lock",
  one_status_event_a_revision: "status events: the history, one a revision",
  one_timeline_entry_a_source: "no source twice in a timeline; the line of a source",
  permission_name_unique: "a record's guard names a permission",
  permissions_pkey: "references to a permission",
  person_contact_controls_pkey: "no identifier twice",
  person_contacts_by_time: "contacts: the newest that is not retracted",
  person_contacts_pkey: "contacts: detail; references of controls",
  person_evidence_controls_of_an_entry: "evidence: what its controls came to",
  person_evidence_controls_pkey: "controls of evidence: the replay of one",
  person_evidence_pkey: "evidence: detail",
  person_experiences_of_a_person: "experiences: the list",
  person_experiences_pkey: "experiences: detail",
  person_status_events_pkey: "status events: the cursor of the history",
  person_timeline_by_time: "timeline: the list, by time",
  person_timeline_entries_pkey: "timeline: detail, and the cursor of the list",
  prediction_at_its_revision: "what an outcome refers to",
  prediction_below_its_decision: "predictions of a decision: the list; references",
  profile_revision_of_owner: "a revision of the profile: snapshots, comparisons, references",
  record_revisions_pkey: "revisions of a record: the list, one of them, replay; references",
  records_archived_by_creation: "records: the list of archived ones, in the order of creation",
  records_archived_by_update: "records: the list of archived ones, in the order of change",
  records_live_by_creation: "records: the list, in the order of creation",
  records_live_by_update: "records: the list, in the order of change",
  records_pkey: "records: detail, lock, the cursor of a list by creation; references",
  revision_id_unique: "records: the cursor of a list by change; no identifier twice",
  role_name_unique: "a role by its name",
  role_permissions_pkey: "what a role may do",
  roles_pkey: "references to a role",
  schema_migrations_pkey: "which steps were taken",
  server_secret_check_pkey: "one row",
  session_digest_unique: "credential look-up",
  sessions_pkey: "sessions: list, revocation, last use",
  setup_token_pkey: "one row",
  slug_of_one_owner: "what is public under a slug; no slug of two owners",
  stages_do_not_overlap: "no two stages at one time",
  step_up_proof_digest_unique: "no proof twice",
  step_up_proofs_open: "proofs: spending one, ending those of a session",
  step_up_proofs_pkey: "no identifier twice",
  token_digest_unique: "credential look-up",
  token_permissions_pkey: "credential look-up: what a token may do",
  tokens_pkey: "tokens: list, revocation, last use",
  ...Object.assign({}, ...ROOT_KINDS.map(indexesOf)),
};

/** What every root and its ledger have. */
function indexesOf(kind: RootKind): Readonly<Record<string, string>> {
  return {
    [`${kind.root}_pkey`]: "roots: detail, lock, the list of all; references",
    [`${kind.ledger}_pkey`]: "revisions of a root: the list, one of them, replay; references",
    [constraintsOf(kind).revisionIdUnique]: "no identifier twice, as a page's cursor names one",
  };
}

Deno.test("Each index is there for something", async () => {
  const rows = await world().rows(
    'select indexname from pg_indexes where schemaname = current_schema() order by indexname collate "C"',
  );
  assertEquals(rows.map(({ indexname }) => indexname), Object.keys(INDEXES).sort());
});
