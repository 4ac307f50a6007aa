-- The net schema of all migrations, read from the catalog tables of a migrated database.
-- Written by `deno task snapshot`; a test compares it with both engines. Do not edit.

create domain ulid as text collate "C"
  constraint canonical_ulid CHECK (octet_length(VALUE) = 26 AND VALUE ~ '^[0-7][0-9A-HJKMNP-TV-Z]+$'::text) NOT VALID;

create table access_attempts (
  attempt_id ulid not null,
  subject bytea,
  address bytea not null,
  attempted_at timestamp(3) with time zone not null,
  succeeded boolean not null default false,
  constraint access_attempts_pkey PRIMARY KEY (attempt_id),
  constraint access_attempt_address_length CHECK (octet_length(address) = 32),
  constraint access_attempt_subject_length CHECK (octet_length(subject) = 32)
);
CREATE INDEX access_attempts_by_address ON access_attempts USING btree (address, attempted_at) WHERE NOT succeeded;
CREATE INDEX access_attempts_by_age ON access_attempts USING btree (succeeded, attempted_at);
CREATE INDEX access_attempts_by_subject ON access_attempts USING btree (subject, attempted_at) WHERE NOT succeeded;
CREATE INDEX access_attempts_known ON access_attempts USING btree (subject, address, attempted_at) WHERE succeeded;

create table access_events (
  account_id ulid not null,
  event_id ulid not null,
  event text not null,
  credential_kind text,
  credential_id ulid,
  request_id text not null,
  created_at timestamp(3) with time zone not null,
  address_digest text,
  client text,
  transaction_id bigint default pg_current_xact_id()::text::bigint,
  constraint access_events_pkey PRIMARY KEY (account_id, event_id),
  constraint access_event_address_digest_form CHECK (address_digest ~ '^[0-9a-f]{16}$'::text),
  constraint access_event_client_form CHECK (client ~ '^[A-Za-z ]{1,64}$'::text),
  constraint access_event_credential_known CHECK (credential_kind = ANY (ARRAY['SESSION'::text, 'TOKEN'::text, 'ADMIN'::text])),
  constraint access_event_known CHECK (event = ANY (ARRAY['ACCOUNT_CREATED'::text, 'ACCOUNT_DISABLED'::text, 'ACCOUNT_ENABLED'::text, 'LOGIN'::text, 'LOGIN_FAILED'::text, 'LOGOUT'::text, 'SESSION_REVOKED'::text, 'PASSWORD_CHANGED'::text, 'PASSWORD_RESET'::text, 'TOKEN_CREATED'::text, 'TOKEN_REVOKED'::text, 'STEP_UP'::text, 'STEP_UP_FAILED'::text, 'ROLE_GRANTED'::text, 'ROLE_REVOKED'::text, 'PERMISSION_GRANTED'::text, 'PERMISSION_REVOKED'::text, 'SECOND_FACTOR_ENABLED'::text, 'SECOND_FACTOR_DISABLED'::text, 'SECOND_FACTOR_RESET'::text, 'SECOND_FACTOR_REQUIRED'::text, 'SECOND_FACTOR_FAILED'::text, 'RECOVERY_CODES_REPLACED'::text, 'RECOVERY_CODE_USED'::text, 'ACCOUNT_FROZEN'::text, 'ACCOUNT_UNFROZEN'::text, 'ACCOUNT_EXPORTED'::text, 'ACCOUNT_IMPORTED'::text, 'ACCOUNT_RETIRED'::text]))
);
CREATE INDEX access_events_by_transaction ON access_events USING brin (transaction_id) WITH (autosummarize='on');
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON access_events FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table access_events enable always trigger append_only;

create table account_exports (
  owner_id ulid not null,
  export_id ulid not null,
  session_id ulid not null,
  filename text not null,
  media_type text not null,
  size bigint not null,
  sha256 bytea not null,
  counts json not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint account_exports_pkey PRIMARY KEY (owner_id, export_id),
  constraint account_export_counts_object CHECK (json_typeof(counts) = 'object'::text),
  constraint account_export_digest_length CHECK (octet_length(sha256) = 32),
  constraint account_export_lifetime CHECK (expires_at > created_at),
  constraint account_export_size_positive CHECK (size > 0),
  constraint account_export_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON account_exports FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table account_exports enable always trigger append_only;

create table account_permissions (
  account_id ulid not null,
  permission_id ulid not null,
  constraint account_permissions_pkey PRIMARY KEY (account_id, permission_id),
  constraint account_permission_of_account FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint account_permission_of_permission FOREIGN KEY (permission_id) REFERENCES permissions(permission_id)
);

create table accounts (
  account_id ulid not null,
  email text not null,
  email_key text not null,
  display_name text not null,
  password_hash text not null,
  role text default 'OWNER'::text,
  created_at timestamp(3) with time zone not null,
  disabled_at timestamp(3) with time zone,
  frozen_at timestamp(3) with time zone,
  moved_to text,
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint account_email_unique UNIQUE (email_key),
  constraint account_display_name_length CHECK (char_length(display_name) >= 1 AND char_length(display_name) <= 200),
  constraint account_email_length CHECK (char_length(email) >= 3 AND char_length(email) <= 254),
  constraint account_moved_is_frozen CHECK (moved_to IS NULL OR frozen_at IS NOT NULL),
  constraint account_moved_to_length CHECK (char_length(moved_to) >= 1 AND char_length(moved_to) <= 2048),
  constraint account_role_known CHECK (role = ANY (ARRAY['OWNER'::text, 'EDITOR'::text, 'VIEWER'::text, 'SERVICE'::text]))
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON accounts FOR EACH ROW WHEN (new.account_id::text IS DISTINCT FROM old.account_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'identifier and creation are fixed');
alter table accounts enable always trigger fixed_columns;
CREATE TRIGGER moved_for_good BEFORE UPDATE ON accounts FOR EACH ROW WHEN (old.moved_to IS NOT NULL AND new.moved_to IS NULL) EXECUTE FUNCTION refuse('PRS04', 'an account that has moved does not come back');
alter table accounts enable always trigger moved_for_good;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table accounts enable always trigger permanent;

create table attachment_usage (
  owner_id ulid not null,
  bytes bigint not null,
  constraint attachment_usage_pkey PRIMARY KEY (owner_id),
  constraint attachment_quota CHECK (bytes >= 0 AND bytes <= '10737418240'::bigint),
  constraint attachment_usage_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON attachment_usage FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table attachment_usage enable always trigger permanent;
CREATE TRIGGER usage_grows BEFORE UPDATE ON attachment_usage FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.bytes < old.bytes) EXECUTE FUNCTION refuse('PRS04', 'the owner is fixed and the sum only grows');
alter table attachment_usage enable always trigger usage_grows;

create table attachments (
  owner_id ulid not null,
  attachment_id ulid not null,
  size bigint not null,
  sha256 bytea not null,
  media_type text not null,
  filename text not null,
  created_at timestamp(3) with time zone not null,
  constraint attachments_pkey PRIMARY KEY (owner_id, attachment_id),
  constraint attachment_digest_length CHECK (octet_length(sha256) = 32),
  constraint attachment_filename_length CHECK (char_length(filename) >= 1 AND char_length(filename) <= 255),
  constraint attachment_media_type_length CHECK (char_length(media_type) >= 1 AND char_length(media_type) <= 255),
  constraint attachment_size_not_negative CHECK (size >= 0),
  constraint attachment_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON attachments FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table attachments enable always trigger append_only;

create table audit_entries (
  owner_id ulid not null,
  audit_id ulid not null,
  actor_id ulid not null,
  credential_kind text not null,
  credential_id ulid not null,
  operation text not null,
  module_code text,
  subject_id ulid,
  revision integer,
  request_id text not null,
  created_at timestamp(3) with time zone not null,
  transaction_id bigint default pg_current_xact_id()::text::bigint,
  constraint audit_entries_pkey PRIMARY KEY (owner_id, audit_id)
);
CREATE INDEX audit_entries_by_transaction ON audit_entries USING brin (transaction_id) WITH (autosummarize='on');
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table audit_entries enable always trigger append_only;

create table audit_late_entries (
  account_id ulid not null,
  kind text not null,
  entry_id ulid not null,
  number integer not null,
  constraint audit_late_entries_pkey PRIMARY KEY (account_id, kind, entry_id),
  constraint audit_late_entry_of_seal FOREIGN KEY (account_id, kind, number) REFERENCES audit_seals(account_id, kind, number)
);
CREATE INDEX audit_late_entries_of_a_seal ON audit_late_entries USING btree (account_id, kind, number, entry_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_late_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table audit_late_entries enable always trigger append_only;

create table audit_sealing (
  singleton boolean not null default true,
  sealed_below bigint not null default 0,
  constraint audit_sealing_pkey PRIMARY KEY (singleton),
  constraint audit_sealing_single CHECK (singleton)
);
CREATE TRIGGER only_rises BEFORE UPDATE ON audit_sealing FOR EACH ROW WHEN (new.sealed_below <= old.sealed_below) EXECUTE FUNCTION refuse('PRS03', 'sealing only goes on');
alter table audit_sealing enable always trigger only_rises;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON audit_sealing FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table audit_sealing enable always trigger permanent;

create table audit_seals (
  account_id ulid not null,
  kind text not null,
  number integer not null,
  seal_id ulid not null,
  entries integer not null,
  first_id ulid not null,
  last_id ulid not null,
  through_id ulid not null,
  root bytea not null,
  previous bytea,
  digest bytea not null,
  created_at timestamp(3) with time zone not null,
  previous_number integer generated always as (NULLIF(number - 1, 0)) stored,
  constraint audit_seals_pkey PRIMARY KEY (account_id, kind, number),
  constraint audit_seal_digest_unique UNIQUE (account_id, kind, number, digest),
  constraint audit_seal_id_unique UNIQUE (account_id, kind, seal_id),
  constraint audit_seal_begins CHECK ((number = 1) = (previous IS NULL)),
  constraint audit_seal_digest_length CHECK (octet_length(digest) = 32),
  constraint audit_seal_entries_positive CHECK (entries >= 1),
  constraint audit_seal_ids_ordered CHECK (first_id::text <= last_id::text AND last_id::text <= through_id::text),
  constraint audit_seal_kind_known CHECK (kind = ANY (ARRAY['audit'::text, 'access'::text])),
  constraint audit_seal_number_positive CHECK (number >= 1),
  constraint audit_seal_root_length CHECK (octet_length(root) = 32),
  constraint audit_seal_follows FOREIGN KEY (account_id, kind, previous_number, previous) REFERENCES audit_seals(account_id, kind, number, digest)
);
CREATE INDEX audit_seals_by_range ON audit_seals USING btree (account_id, kind, through_id, number);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table audit_seals enable always trigger append_only;

create table change_feed (
  singleton boolean not null default true,
  feed_id ulid not null,
  constraint change_feed_pkey PRIMARY KEY (singleton),
  constraint change_feed_single CHECK (singleton)
);
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON change_feed FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table change_feed enable always trigger permanent;

create table decision_analyses (
  owner_id ulid not null,
  analysis_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  decision_revision integer not null,
  criteria json not null,
  scores json not null,
  totals json not null,
  ranking json not null,
  sensitivity json,
  constraint decision_analyses_pkey PRIMARY KEY (owner_id, analysis_id),
  constraint analysis_criteria_listed CHECK (json_array_length(criteria) >= 1 AND json_array_length(criteria) <= 20),
  constraint analysis_scores_object CHECK (json_typeof(scores) = 'object'::text),
  constraint decision_analyses_times_ordered CHECK (updated_at >= created_at),
  constraint analysis_of_decision FOREIGN KEY (owner_id, decision_id, decision_revision) REFERENCES decision_revisions(owner_id, decision_id, revision),
  constraint decision_analyses_have_revision FOREIGN KEY (owner_id, analysis_id, revision) REFERENCES decision_analysis_revisions(owner_id, analysis_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX decision_analyses_of_a_decision ON decision_analyses USING btree (owner_id, decision_id, analysis_id);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON decision_analyses FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.analysis_id::text IS DISTINCT FROM old.analysis_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.decision_id::text IS DISTINCT FROM old.decision_id::text) EXECUTE FUNCTION refuse('PRS04', 'owner_id, analysis_id, created_at, decision_id are fixed');
alter table decision_analyses enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON decision_analyses FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table decision_analyses enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON decision_analyses FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table decision_analyses enable always trigger revision_step;

create table decision_analysis_revisions (
  owner_id ulid not null,
  analysis_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  decision_revision integer not null,
  criteria json not null,
  scores json not null,
  totals json not null,
  ranking json not null,
  sensitivity json,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint decision_analysis_revisions_pkey PRIMARY KEY (owner_id, analysis_id, revision),
  constraint decision_analysis_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint analysis_change_known CHECK (change =
CASE revision
    WHEN 1 THEN 'CREATED'::text
    ELSE 'MODIFIED'::text
END),
  constraint decision_analysis_revisions_revision_positive CHECK (revision >= 1),
  constraint decision_analysis_revisions_follow FOREIGN KEY (owner_id, analysis_id, previous_revision) REFERENCES decision_analysis_revisions(owner_id, analysis_id, revision),
  constraint decision_analysis_revisions_have_root FOREIGN KEY (owner_id, analysis_id) REFERENCES decision_analyses(owner_id, analysis_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON decision_analysis_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table decision_analysis_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER decision_analysis_revisions_match_root AFTER INSERT ON decision_analysis_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION decision_analysis_revisions_match_root();
alter table decision_analysis_revisions enable always trigger decision_analysis_revisions_match_root;

create table decision_counterfactual_revisions (
  owner_id ulid not null,
  counterfactual_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  option text not null,
  narrative text not null,
  expected_value double precision,
  confidence double precision not null,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint decision_counterfactual_revisions_pkey PRIMARY KEY (owner_id, counterfactual_id, revision),
  constraint decision_counterfactual_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint counterfactual_change_known CHECK (change =
CASE revision
    WHEN 1 THEN 'CREATED'::text
    ELSE 'MODIFIED'::text
END),
  constraint decision_counterfactual_revisions_revision_positive CHECK (revision >= 1),
  constraint decision_counterfactual_revisions_follow FOREIGN KEY (owner_id, counterfactual_id, previous_revision) REFERENCES decision_counterfactual_revisions(owner_id, counterfactual_id, revision),
  constraint decision_counterfactual_revisions_have_root FOREIGN KEY (owner_id, counterfactual_id) REFERENCES decision_counterfactuals(owner_id, counterfactual_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON decision_counterfactual_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table decision_counterfactual_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER decision_counterfactual_revisions_match_root AFTER INSERT ON decision_counterfactual_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION decision_counterfactual_revisions_match_root();
alter table decision_counterfactual_revisions enable always trigger decision_counterfactual_revisions_match_root;

create table decision_counterfactuals (
  owner_id ulid not null,
  counterfactual_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  option text not null,
  narrative text not null,
  expected_value double precision,
  confidence double precision not null,
  constraint decision_counterfactuals_pkey PRIMARY KEY (owner_id, counterfactual_id),
  constraint counterfactual_confidence_range CHECK (confidence >= 0::double precision AND confidence <= 1::double precision),
  constraint counterfactual_narrative_length CHECK (char_length(narrative) >= 1 AND char_length(narrative) <= 100000),
  constraint counterfactual_option_length CHECK (char_length(option) >= 1 AND char_length(option) <= 200),
  constraint counterfactual_value_range CHECK (expected_value >= '-1000000000000'::bigint::double precision AND expected_value <= '1000000000000'::bigint::double precision),
  constraint decision_counterfactuals_times_ordered CHECK (updated_at >= created_at),
  constraint counterfactual_of_decision FOREIGN KEY (owner_id, decision_id) REFERENCES decisions(owner_id, decision_id),
  constraint decision_counterfactuals_have_revision FOREIGN KEY (owner_id, counterfactual_id, revision) REFERENCES decision_counterfactual_revisions(owner_id, counterfactual_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX decision_counterfactuals_of_a_decision ON decision_counterfactuals USING btree (owner_id, decision_id, counterfactual_id);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON decision_counterfactuals FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.counterfactual_id::text IS DISTINCT FROM old.counterfactual_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.decision_id::text IS DISTINCT FROM old.decision_id::text) EXECUTE FUNCTION refuse('PRS04', 'owner_id, counterfactual_id, created_at, decision_id are fixed');
alter table decision_counterfactuals enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON decision_counterfactuals FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table decision_counterfactuals enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON decision_counterfactuals FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table decision_counterfactuals enable always trigger revision_step;

create table decision_outcome_revisions (
  owner_id ulid not null,
  outcome_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  occurred boolean not null,
  description text not null,
  observed_at timestamp(3) with time zone not null,
  satisfaction integer,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint decision_outcome_revisions_pkey PRIMARY KEY (owner_id, outcome_id, revision),
  constraint decision_outcome_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint decision_outcome_revisions_revision_positive CHECK (revision >= 1),
  constraint outcome_change_known CHECK (change =
CASE revision
    WHEN 1 THEN 'CREATED'::text
    ELSE 'MODIFIED'::text
END),
  constraint outcome_not_in_the_future CHECK (observed_at <= (created_at + '00:05:00'::interval)),
  constraint decision_outcome_revisions_follow FOREIGN KEY (owner_id, outcome_id, previous_revision) REFERENCES decision_outcome_revisions(owner_id, outcome_id, revision),
  constraint decision_outcome_revisions_have_root FOREIGN KEY (owner_id, outcome_id) REFERENCES decision_outcomes(owner_id, outcome_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON decision_outcome_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table decision_outcome_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER decision_outcome_revisions_match_root AFTER INSERT ON decision_outcome_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION decision_outcome_revisions_match_root();
alter table decision_outcome_revisions enable always trigger decision_outcome_revisions_match_root;

create table decision_outcomes (
  owner_id ulid not null,
  outcome_id ulid not null,
  decision_id ulid not null,
  prediction_id ulid,
  prediction_revision integer,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  occurred boolean not null,
  description text not null,
  observed_at timestamp(3) with time zone not null,
  satisfaction integer,
  constraint decision_outcomes_pkey PRIMARY KEY (owner_id, outcome_id),
  constraint one_outcome_a_prediction UNIQUE (owner_id, prediction_id),
  constraint decision_outcomes_times_ordered CHECK (updated_at >= created_at),
  constraint outcome_description_length CHECK (char_length(description) >= 1 AND char_length(description) <= 100000),
  constraint outcome_names_revision CHECK ((prediction_id IS NULL) = (prediction_revision IS NULL)),
  constraint outcome_satisfaction_range CHECK (satisfaction >= 1 AND satisfaction <= 5),
  constraint decision_outcomes_have_revision FOREIGN KEY (owner_id, outcome_id, revision) REFERENCES decision_outcome_revisions(owner_id, outcome_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint outcome_of_decision FOREIGN KEY (owner_id, decision_id) REFERENCES decisions(owner_id, decision_id),
  constraint outcome_of_prediction_revision FOREIGN KEY (owner_id, prediction_id, prediction_revision) REFERENCES decision_predictions(owner_id, prediction_id, revision),
  constraint outcome_prediction_of_decision FOREIGN KEY (owner_id, decision_id, prediction_id) REFERENCES decision_predictions(owner_id, decision_id, prediction_id)
);
CREATE INDEX decision_outcomes_of_a_decision ON decision_outcomes USING btree (owner_id, decision_id, outcome_id);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON decision_outcomes FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.outcome_id::text IS DISTINCT FROM old.outcome_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.decision_id::text IS DISTINCT FROM old.decision_id::text OR new.prediction_id::text IS DISTINCT FROM old.prediction_id::text OR new.prediction_revision IS DISTINCT FROM old.prediction_revision) EXECUTE FUNCTION refuse('PRS04', 'owner_id, outcome_id, created_at, decision_id, prediction_id, prediction_revision are fixed');
alter table decision_outcomes enable always trigger fixed_columns;
CREATE TRIGGER outcome_fits_prediction BEFORE INSERT ON decision_outcomes FOR EACH ROW WHEN (new.prediction_id IS NOT NULL) EXECUTE FUNCTION outcome_fits_prediction();
alter table decision_outcomes enable always trigger outcome_fits_prediction;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON decision_outcomes FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table decision_outcomes enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON decision_outcomes FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table decision_outcomes enable always trigger revision_step;

create table decision_prediction_revisions (
  owner_id ulid not null,
  prediction_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  statement text not null,
  probability double precision not null,
  due_at timestamp(3) with time zone not null,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint decision_prediction_revisions_pkey PRIMARY KEY (owner_id, prediction_id, revision),
  constraint decision_prediction_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint decision_prediction_revisions_revision_positive CHECK (revision >= 1),
  constraint prediction_change_known CHECK (change =
CASE revision
    WHEN 1 THEN 'CREATED'::text
    ELSE 'MODIFIED'::text
END),
  constraint decision_prediction_revisions_follow FOREIGN KEY (owner_id, prediction_id, previous_revision) REFERENCES decision_prediction_revisions(owner_id, prediction_id, revision),
  constraint decision_prediction_revisions_have_root FOREIGN KEY (owner_id, prediction_id) REFERENCES decision_predictions(owner_id, prediction_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON decision_prediction_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table decision_prediction_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER decision_prediction_revisions_match_root AFTER INSERT ON decision_prediction_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION decision_prediction_revisions_match_root();
alter table decision_prediction_revisions enable always trigger decision_prediction_revisions_match_root;

create table decision_predictions (
  owner_id ulid not null,
  prediction_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  statement text not null,
  probability double precision not null,
  due_at timestamp(3) with time zone not null,
  constraint decision_predictions_pkey PRIMARY KEY (owner_id, prediction_id),
  constraint prediction_at_its_revision UNIQUE (owner_id, prediction_id, revision),
  constraint prediction_below_its_decision UNIQUE (owner_id, decision_id, prediction_id),
  constraint decision_predictions_times_ordered CHECK (updated_at >= created_at),
  constraint prediction_probability_range CHECK (probability >= 0::double precision AND probability <= 1::double precision),
  constraint prediction_statement_length CHECK (char_length(statement) >= 1 AND char_length(statement) <= 100000),
  constraint decision_predictions_have_revision FOREIGN KEY (owner_id, prediction_id, revision) REFERENCES decision_prediction_revisions(owner_id, prediction_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint prediction_of_decision FOREIGN KEY (owner_id, decision_id) REFERENCES decisions(owner_id, decision_id)
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON decision_predictions FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.prediction_id::text IS DISTINCT FROM old.prediction_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.decision_id::text IS DISTINCT FROM old.decision_id::text) EXECUTE FUNCTION refuse('PRS04', 'owner_id, prediction_id, created_at, decision_id are fixed');
alter table decision_predictions enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON decision_predictions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table decision_predictions enable always trigger permanent;
CREATE TRIGGER prediction_is_open BEFORE UPDATE ON decision_predictions FOR EACH ROW EXECUTE FUNCTION prediction_is_open();
alter table decision_predictions enable always trigger prediction_is_open;
CREATE TRIGGER revision_step BEFORE UPDATE ON decision_predictions FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table decision_predictions enable always trigger revision_step;

create table decision_revisions (
  owner_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  question text not null,
  options json not null,
  chosen_option text,
  rationale text,
  prediction text,
  actual_outcome text,
  decided_at timestamp(3) with time zone,
  review_at timestamp(3) with time zone,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint decision_revisions_pkey PRIMARY KEY (owner_id, decision_id, revision),
  constraint decision_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint decision_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'ARCHIVED'::text OR archived_at IS NOT NULL) AND (change <> 'RESTORED'::text OR archived_at IS NULL)),
  constraint decision_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'MODIFIED'::text, 'ARCHIVED'::text, 'RESTORED'::text])),
  constraint decision_not_in_the_future CHECK (decided_at <= (created_at + '00:05:00'::interval)),
  constraint decision_revisions_revision_positive CHECK (revision >= 1),
  constraint decision_revision_is_projected FOREIGN KEY (owner_id, decision_id, revision) REFERENCES record_revisions(owner_id, record_id, revision),
  constraint decision_revisions_follow FOREIGN KEY (owner_id, decision_id, previous_revision) REFERENCES decision_revisions(owner_id, decision_id, revision),
  constraint decision_revisions_have_root FOREIGN KEY (owner_id, decision_id) REFERENCES decisions(owner_id, decision_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON decision_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table decision_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER decision_revisions_match_root AFTER INSERT ON decision_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION decision_revisions_match_root();
alter table decision_revisions enable always trigger decision_revisions_match_root;

create table decision_simulation_revisions (
  owner_id ulid not null,
  simulation_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  decision_revision integer not null,
  algorithm integer not null,
  seed bigint not null,
  runs integer not null,
  options json not null,
  results json not null,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint decision_simulation_revisions_pkey PRIMARY KEY (owner_id, simulation_id, revision),
  constraint decision_simulation_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint decision_simulation_revisions_revision_positive CHECK (revision >= 1),
  constraint simulation_change_known CHECK (change = 'CREATED'::text),
  constraint decision_simulation_revisions_follow FOREIGN KEY (owner_id, simulation_id, previous_revision) REFERENCES decision_simulation_revisions(owner_id, simulation_id, revision),
  constraint decision_simulation_revisions_have_root FOREIGN KEY (owner_id, simulation_id) REFERENCES decision_simulations(owner_id, simulation_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON decision_simulation_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table decision_simulation_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER decision_simulation_revisions_match_root AFTER INSERT ON decision_simulation_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION decision_simulation_revisions_match_root();
alter table decision_simulation_revisions enable always trigger decision_simulation_revisions_match_root;

create table decision_simulations (
  owner_id ulid not null,
  simulation_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  decision_revision integer not null,
  algorithm integer not null,
  seed bigint not null,
  runs integer not null,
  options json not null,
  results json not null,
  constraint decision_simulations_pkey PRIMARY KEY (owner_id, simulation_id),
  constraint decision_simulations_times_ordered CHECK (updated_at >= created_at),
  constraint simulation_algorithm_known CHECK (algorithm = 1),
  constraint simulation_has_one_revision CHECK (revision = 1),
  constraint simulation_options_listed CHECK (json_array_length(options) >= 2 AND json_array_length(options) <= 50),
  constraint simulation_results_complete CHECK (json_array_length(results) = json_array_length(options)),
  constraint simulation_runs_range CHECK (runs >= 1 AND runs <= 100000),
  constraint simulation_seed_range CHECK (seed >= 0 AND seed <= '9007199254740991'::bigint),
  constraint decision_simulations_have_revision FOREIGN KEY (owner_id, simulation_id, revision) REFERENCES decision_simulation_revisions(owner_id, simulation_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint simulation_of_decision FOREIGN KEY (owner_id, decision_id, decision_revision) REFERENCES decision_revisions(owner_id, decision_id, revision)
);
CREATE INDEX decision_simulations_of_a_decision ON decision_simulations USING btree (owner_id, decision_id, simulation_id);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON decision_simulations FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.simulation_id::text IS DISTINCT FROM old.simulation_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.decision_id::text IS DISTINCT FROM old.decision_id::text) EXECUTE FUNCTION refuse('PRS04', 'owner_id, simulation_id, created_at, decision_id are fixed');
alter table decision_simulations enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON decision_simulations FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table decision_simulations enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON decision_simulations FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table decision_simulations enable always trigger revision_step;

create table decisions (
  owner_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  question text not null,
  options json not null,
  chosen_option text,
  rationale text,
  prediction text,
  actual_outcome text,
  decided_at timestamp(3) with time zone,
  review_at timestamp(3) with time zone,
  constraint decisions_pkey PRIMARY KEY (owner_id, decision_id),
  constraint decision_actual_outcome_length CHECK (char_length(actual_outcome) <= 100000),
  constraint decision_choice_is_an_option CHECK (chosen_option IS NULL OR ((options -> 'items'::text)::jsonb) ? chosen_option),
  constraint decision_options_listed CHECK (COALESCE(json_array_length(options -> 'items'::text), 0) >= 2 AND COALESCE(json_array_length(options -> 'items'::text), 0) <= 50),
  constraint decision_prediction_length CHECK (char_length(prediction) <= 100000),
  constraint decision_question_length CHECK (char_length(question) >= 1 AND char_length(question) <= 100000),
  constraint decision_rationale_length CHECK (char_length(rationale) <= 100000),
  constraint decision_review_not_before_choice CHECK (review_at >= decided_at),
  constraint decision_time_has_choice CHECK (decided_at IS NULL OR chosen_option IS NOT NULL),
  constraint decisions_times_ordered CHECK (updated_at >= created_at),
  constraint decision_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id),
  constraint decisions_have_revision FOREIGN KEY (owner_id, decision_id, revision) REFERENCES decision_revisions(owner_id, decision_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX decisions_archived_by_creation ON decisions USING btree (owner_id, decision_id) WHERE archived_at IS NOT NULL;
CREATE INDEX decisions_live_by_creation ON decisions USING btree (owner_id, decision_id) WHERE archived_at IS NULL;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON decisions FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.decision_id::text IS DISTINCT FROM old.decision_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner_id, decision_id, created_at are fixed');
alter table decisions enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table decisions enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON decisions FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table decisions enable always trigger revision_step;

create table executions (
  owner_id ulid not null,
  execution_id ulid not null,
  record_id ulid,
  module_code text collate "C" not null,
  feature_id text not null,
  strategy text not null,
  revision integer,
  status text not null,
  output json not null,
  created_at timestamp(3) with time zone not null,
  constraint executions_pkey PRIMARY KEY (owner_id, execution_id),
  constraint execution_feature_shape CHECK (feature_id ~ '^[A-Z]{3}-[0-9]{3}$'::text),
  constraint execution_names_its_revision CHECK ((record_id IS NULL) = (revision IS NULL)),
  constraint execution_status_known CHECK (status = 'SUCCEEDED'::text),
  constraint execution_of_revision FOREIGN KEY (owner_id, record_id, revision) REFERENCES record_revisions(owner_id, record_id, revision)
);
CREATE INDEX executions_by_record ON executions USING btree (owner_id, record_id, execution_id);
CREATE INDEX executions_of_a_family ON executions USING btree (owner_id, feature_id, execution_id) WHERE record_id IS NULL;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON executions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table executions enable always trigger append_only;
CREATE TRIGGER execution_matches_record AFTER INSERT ON executions FOR EACH ROW WHEN (new.record_id IS NOT NULL) EXECUTE FUNCTION execution_matches_record();
alter table executions enable always trigger execution_matches_record;

create table idempotency_envelopes (
  owner_id ulid not null,
  operation text not null,
  target text not null,
  idempotency_key text collate "C" not null,
  fingerprint bytea not null,
  fingerprint_key text not null,
  envelope json not null,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_envelopes_pkey PRIMARY KEY (owner_id, operation, target, idempotency_key)
);
CREATE INDEX idempotency_envelopes_by_age ON idempotency_envelopes USING brin (created_at);
CREATE TRIGGER fixed BEFORE UPDATE OR TRUNCATE ON idempotency_envelopes FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table idempotency_envelopes enable always trigger fixed;
CREATE TRIGGER retained BEFORE DELETE ON idempotency_envelopes FOR EACH ROW WHEN (old.created_at > (now() - '30 days'::interval)) EXECUTE FUNCTION refuse('PRS01', 'retained for 30 days');
alter table idempotency_envelopes enable always trigger retained;

create table identity_comparisons (
  owner_id ulid not null,
  comparison_id ulid not null,
  left_revision integer,
  left_snapshot_id ulid,
  right_revision integer,
  right_snapshot_id ulid,
  created_at timestamp(3) with time zone not null,
  constraint identity_comparisons_pkey PRIMARY KEY (owner_id, comparison_id),
  constraint comparison_has_two_sides CHECK (num_nonnulls(left_revision, left_snapshot_id) = 1 AND num_nonnulls(right_revision, right_snapshot_id) = 1),
  constraint comparison_is_execution FOREIGN KEY (owner_id, comparison_id) REFERENCES executions(owner_id, execution_id),
  constraint comparison_of_left_revision FOREIGN KEY (owner_id, left_revision) REFERENCES identity_profile_revisions(owner_id, revision),
  constraint comparison_of_left_snapshot FOREIGN KEY (owner_id, left_snapshot_id) REFERENCES identity_snapshots(owner_id, snapshot_id),
  constraint comparison_of_right_revision FOREIGN KEY (owner_id, right_revision) REFERENCES identity_profile_revisions(owner_id, revision),
  constraint comparison_of_right_snapshot FOREIGN KEY (owner_id, right_snapshot_id) REFERENCES identity_snapshots(owner_id, snapshot_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_comparisons FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_comparisons enable always trigger append_only;

create table identity_legacy_drills (
  owner_id ulid not null,
  drill_id ulid not null,
  plan_id ulid not null,
  plan_revision integer not null,
  profile_revision integer not null,
  created_at timestamp(3) with time zone not null,
  constraint identity_legacy_drills_pkey PRIMARY KEY (owner_id, drill_id),
  constraint legacy_drill_is_execution FOREIGN KEY (owner_id, drill_id) REFERENCES executions(owner_id, execution_id),
  constraint legacy_drill_of_plan_revision FOREIGN KEY (owner_id, plan_id, plan_revision) REFERENCES identity_legacy_plan_revisions(owner_id, plan_id, revision),
  constraint legacy_drill_of_profile_revision FOREIGN KEY (owner_id, profile_revision) REFERENCES identity_profile_revisions(owner_id, revision)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_legacy_drills FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_legacy_drills enable always trigger append_only;

create table identity_legacy_plan_revisions (
  owner_id ulid not null,
  plan_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  recipient_description text not null,
  release_condition text not null,
  instructions text,
  fields text[] not null,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint identity_legacy_plan_revisions_pkey PRIMARY KEY (owner_id, plan_id, revision),
  constraint identity_legacy_plan_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint identity_legacy_plan_revisions_revision_positive CHECK (revision >= 1),
  constraint legacy_plan_change_known CHECK (change =
CASE revision
    WHEN 1 THEN 'CREATED'::text
    ELSE 'REPLACED'::text
END),
  constraint identity_legacy_plan_revisions_follow FOREIGN KEY (owner_id, plan_id, previous_revision) REFERENCES identity_legacy_plan_revisions(owner_id, plan_id, revision),
  constraint identity_legacy_plan_revisions_have_root FOREIGN KEY (owner_id, plan_id) REFERENCES identity_legacy_plans(owner_id, plan_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_legacy_plan_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_legacy_plan_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER identity_legacy_plan_revisions_match_root AFTER INSERT ON identity_legacy_plan_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION identity_legacy_plan_revisions_match_root();
alter table identity_legacy_plan_revisions enable always trigger identity_legacy_plan_revisions_match_root;

create table identity_legacy_plans (
  owner_id ulid not null,
  plan_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  recipient_description text not null,
  release_condition text not null,
  instructions text,
  fields text[] not null,
  constraint identity_legacy_plans_pkey PRIMARY KEY (owner_id, plan_id),
  constraint one_legacy_plan_an_owner UNIQUE (owner_id),
  constraint identity_legacy_plans_times_ordered CHECK (updated_at >= created_at),
  constraint legacy_plan_condition_length CHECK (char_length(release_condition) >= 1 AND char_length(release_condition) <= 100000),
  constraint legacy_plan_fields_known CHECK (cardinality(fields) > 0 AND is_sublist(fields, '{displayName,currentRole,lifeStage,startedAt,endedAt,biography,publicSummary,tags}'::text[])),
  constraint legacy_plan_instructions_length CHECK (char_length(instructions) <= 100000),
  constraint legacy_plan_recipient_length CHECK (char_length(recipient_description) >= 1 AND char_length(recipient_description) <= 100000),
  constraint identity_legacy_plans_have_revision FOREIGN KEY (owner_id, plan_id, revision) REFERENCES identity_legacy_plan_revisions(owner_id, plan_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint legacy_plan_of_profile FOREIGN KEY (owner_id) REFERENCES identity_profiles(owner_id)
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON identity_legacy_plans FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.plan_id::text IS DISTINCT FROM old.plan_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner_id, plan_id, created_at are fixed');
alter table identity_legacy_plans enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON identity_legacy_plans FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table identity_legacy_plans enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON identity_legacy_plans FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table identity_legacy_plans enable always trigger revision_step;

create table identity_profile_revisions (
  owner_id ulid not null,
  profile_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  display_name text not null,
  role text,
  role_id ulid,
  life_stage text,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  biography text,
  public_summary text,
  tags json,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint identity_profile_revisions_pkey PRIMARY KEY (owner_id, profile_id, revision),
  constraint identity_profile_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint profile_revision_of_owner UNIQUE (owner_id, revision),
  constraint identity_profile_revisions_revision_positive CHECK (revision >= 1),
  constraint profile_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'ROLE_CHANGED'::text OR role_id IS NOT NULL)),
  constraint profile_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'MODIFIED'::text, 'ROLE_CHANGED'::text, 'IMPORTED'::text])),
  constraint identity_profile_revisions_follow FOREIGN KEY (owner_id, profile_id, previous_revision) REFERENCES identity_profile_revisions(owner_id, profile_id, revision),
  constraint identity_profile_revisions_have_root FOREIGN KEY (owner_id, profile_id) REFERENCES identity_profiles(owner_id, profile_id),
  constraint profile_role_exists FOREIGN KEY (owner_id, role_id) REFERENCES identity_roles(owner_id, role_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_profile_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_profile_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER identity_profile_revisions_match_root AFTER INSERT ON identity_profile_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION identity_profile_revisions_match_root();
alter table identity_profile_revisions enable always trigger identity_profile_revisions_match_root;
CREATE CONSTRAINT TRIGGER profile_has_newest_role AFTER INSERT ON identity_profile_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION profile_has_newest_role();
alter table identity_profile_revisions enable always trigger profile_has_newest_role;

create table identity_profiles (
  owner_id ulid not null,
  profile_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  display_name text not null,
  role text,
  role_id ulid,
  life_stage text,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  biography text,
  public_summary text,
  tags json,
  constraint identity_profiles_pkey PRIMARY KEY (owner_id, profile_id),
  constraint one_profile_an_owner UNIQUE (owner_id),
  constraint identity_profiles_times_ordered CHECK (updated_at >= created_at),
  constraint profile_biography_length CHECK (char_length(biography) <= 100000),
  constraint profile_name_length CHECK (char_length(display_name) >= 1 AND char_length(display_name) <= 500),
  constraint profile_period_ordered CHECK (ended_at >= started_at),
  constraint profile_role_length CHECK (char_length(role) <= 500),
  constraint profile_summary_length CHECK (char_length(public_summary) <= 100000),
  constraint profile_tags_listed CHECK (json_typeof(tags) = 'array'::text),
  constraint identity_profile_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id),
  constraint identity_profiles_have_revision FOREIGN KEY (owner_id, profile_id, revision) REFERENCES identity_profile_revisions(owner_id, profile_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON identity_profiles FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.profile_id::text IS DISTINCT FROM old.profile_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner_id, profile_id, created_at are fixed');
alter table identity_profiles enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON identity_profiles FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table identity_profiles enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON identity_profiles FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table identity_profiles enable always trigger revision_step;

create table identity_publication_revisions (
  owner_id ulid not null,
  publication_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  slug text collate "C" not null,
  fields text[] not null,
  state text not null,
  profile_revision integer not null,
  published_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint identity_publication_revisions_pkey PRIMARY KEY (owner_id, publication_id, revision),
  constraint identity_publication_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint identity_publication_revisions_revision_positive CHECK (revision >= 1),
  constraint publication_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change = 'REVOKED'::text) = (state = 'REVOKED'::text)),
  constraint publication_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'PUBLISHED'::text, 'REFRESHED'::text, 'REVOKED'::text])),
  constraint identity_publication_revisions_follow FOREIGN KEY (owner_id, publication_id, previous_revision) REFERENCES identity_publication_revisions(owner_id, publication_id, revision),
  constraint identity_publication_revisions_have_root FOREIGN KEY (owner_id, publication_id) REFERENCES identity_publications(owner_id, publication_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_publication_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_publication_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER identity_publication_revisions_match_root AFTER INSERT ON identity_publication_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION identity_publication_revisions_match_root();
alter table identity_publication_revisions enable always trigger identity_publication_revisions_match_root;

create table identity_publications (
  owner_id ulid not null,
  publication_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  slug text collate "C" not null,
  fields text[] not null,
  state text not null,
  profile_revision integer not null,
  published_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  constraint identity_publications_pkey PRIMARY KEY (owner_id, publication_id),
  constraint one_publication_an_owner UNIQUE (owner_id),
  constraint identity_publications_times_ordered CHECK (updated_at >= created_at),
  constraint publication_fields_public CHECK (cardinality(fields) > 0 AND is_sublist(fields, '{displayName,currentRole,lifeStage,publicSummary,tags}'::text[])),
  constraint publication_not_before_creation CHECK (published_at >= created_at),
  constraint publication_state_fits CHECK ((revoked_at IS NOT NULL) = (state = 'REVOKED'::text)),
  constraint publication_state_known CHECK (state = ANY (ARRAY['PUBLISHED'::text, 'REVOKED'::text])),
  constraint identity_publications_have_revision FOREIGN KEY (owner_id, publication_id, revision) REFERENCES identity_publication_revisions(owner_id, publication_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint publication_of_revision FOREIGN KEY (owner_id, profile_revision) REFERENCES identity_profile_revisions(owner_id, revision),
  constraint publication_slug_of_owner FOREIGN KEY (owner_id, slug) REFERENCES identity_slugs(owner_id, slug)
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON identity_publications FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.publication_id::text IS DISTINCT FROM old.publication_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner_id, publication_id, created_at are fixed');
alter table identity_publications enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON identity_publications FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table identity_publications enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON identity_publications FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table identity_publications enable always trigger revision_step;

create table identity_roles (
  owner_id ulid not null,
  role_id ulid not null,
  role text not null,
  changed_at timestamp(3) with time zone not null,
  reason text,
  profile_revision integer,
  created_at timestamp(3) with time zone not null,
  constraint identity_roles_pkey PRIMARY KEY (owner_id, role_id),
  constraint role_length CHECK (char_length(role) >= 1 AND char_length(role) <= 500),
  constraint role_not_in_the_future CHECK (changed_at <= (created_at + '00:05:00'::interval)),
  constraint role_reason_length CHECK (char_length(reason) <= 100000),
  constraint role_of_profile FOREIGN KEY (owner_id) REFERENCES identity_profiles(owner_id),
  constraint role_of_revision FOREIGN KEY (owner_id, profile_revision) REFERENCES identity_profile_revisions(owner_id, revision)
);
CREATE INDEX identity_roles_by_time ON identity_roles USING btree (owner_id, changed_at, role_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_roles FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_roles enable always trigger append_only;
CREATE CONSTRAINT TRIGGER profile_has_newest_role AFTER INSERT ON identity_roles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION profile_has_newest_role();
alter table identity_roles enable always trigger profile_has_newest_role;

create table identity_slugs (
  slug text collate "C" not null,
  owner_id ulid not null,
  created_at timestamp(3) with time zone not null,
  constraint identity_slugs_pkey PRIMARY KEY (owner_id, slug),
  constraint slug_of_one_owner UNIQUE (slug),
  constraint slug_shape CHECK (slug ~ '^[a-z0-9-]{3,64}$'::text AND (slug <> ALL (ARRAY['publish'::text, 'refresh'::text, 'revoke'::text]))),
  constraint slug_of_profile FOREIGN KEY (owner_id) REFERENCES identity_profiles(owner_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_slugs FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_slugs enable always trigger append_only;

create table identity_snapshots (
  owner_id ulid not null,
  snapshot_id ulid not null,
  label text not null,
  as_of timestamp(3) with time zone,
  profile_revision integer,
  display_name text,
  role text,
  life_stage text,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  biography text,
  public_summary text,
  tags json,
  created_at timestamp(3) with time zone not null,
  constraint identity_snapshots_pkey PRIMARY KEY (owner_id, snapshot_id),
  constraint snapshot_biography_length CHECK (char_length(biography) <= 100000),
  constraint snapshot_has_one_source CHECK ((profile_revision IS NULL) = (num_nonnulls(display_name, role, life_stage, started_at, ended_at, biography, public_summary, tags) > 0)),
  constraint snapshot_label_length CHECK (char_length(label) >= 1 AND char_length(label) <= 200),
  constraint snapshot_name_length CHECK (char_length(display_name) >= 1 AND char_length(display_name) <= 500),
  constraint snapshot_not_in_the_future CHECK (as_of <= (created_at + '00:05:00'::interval)),
  constraint snapshot_period_ordered CHECK (ended_at >= started_at),
  constraint snapshot_role_length CHECK (char_length(role) <= 500),
  constraint snapshot_summary_length CHECK (char_length(public_summary) <= 100000),
  constraint snapshot_tags_listed CHECK (json_typeof(tags) = 'array'::text),
  constraint snapshot_of_profile FOREIGN KEY (owner_id) REFERENCES identity_profiles(owner_id),
  constraint snapshot_of_revision FOREIGN KEY (owner_id, profile_revision) REFERENCES identity_profile_revisions(owner_id, revision)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_snapshots FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_snapshots enable always trigger append_only;

create table identity_stage_revisions (
  owner_id ulid not null,
  stage_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  life_stage text not null,
  title text not null,
  started_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  note text,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint identity_stage_revisions_pkey PRIMARY KEY (owner_id, stage_id, revision),
  constraint identity_stage_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint identity_stage_revisions_revision_positive CHECK (revision >= 1),
  constraint stage_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'ARCHIVED'::text OR archived_at IS NOT NULL) AND (change <> 'RESTORED'::text OR archived_at IS NULL)),
  constraint stage_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'MODIFIED'::text, 'ARCHIVED'::text, 'RESTORED'::text])),
  constraint identity_stage_revisions_follow FOREIGN KEY (owner_id, stage_id, previous_revision) REFERENCES identity_stage_revisions(owner_id, stage_id, revision),
  constraint identity_stage_revisions_have_root FOREIGN KEY (owner_id, stage_id) REFERENCES identity_stages(owner_id, stage_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity_stage_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table identity_stage_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER identity_stage_revisions_match_root AFTER INSERT ON identity_stage_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION identity_stage_revisions_match_root();
alter table identity_stage_revisions enable always trigger identity_stage_revisions_match_root;

create table identity_stages (
  owner_id ulid not null,
  stage_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  life_stage text not null,
  title text not null,
  started_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  note text,
  constraint identity_stages_pkey PRIMARY KEY (owner_id, stage_id),
  constraint identity_stages_times_ordered CHECK (updated_at >= created_at),
  constraint stage_note_length CHECK (char_length(note) <= 100000),
  constraint stage_period_ordered CHECK (ended_at > started_at),
  constraint stage_title_length CHECK (char_length(title) >= 1 AND char_length(title) <= 200),
  constraint identity_stages_have_revision FOREIGN KEY (owner_id, stage_id, revision) REFERENCES identity_stage_revisions(owner_id, stage_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint stage_of_profile FOREIGN KEY (owner_id) REFERENCES identity_profiles(owner_id),
  constraint stages_do_not_overlap EXCLUDE USING gist (text_range(owner_id::text, owner_id::text, '[]'::text) WITH =, tstzrange(started_at, ended_at) WITH &&) WHERE (archived_at IS NULL)
);
CREATE INDEX identity_stages_archived_by_creation ON identity_stages USING btree (owner_id, stage_id) WHERE archived_at IS NOT NULL;
CREATE INDEX identity_stages_live_by_creation ON identity_stages USING btree (owner_id, stage_id) WHERE archived_at IS NULL;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON identity_stages FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.stage_id::text IS DISTINCT FROM old.stage_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner_id, stage_id, created_at are fixed');
alter table identity_stages enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON identity_stages FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table identity_stages enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON identity_stages FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table identity_stages enable always trigger revision_step;

create table maintenance_window (
  singleton boolean not null default true,
  active boolean not null default false,
  constraint maintenance_window_pkey PRIMARY KEY (singleton),
  constraint maintenance_window_single CHECK (singleton)
);
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON maintenance_window FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table maintenance_window enable always trigger permanent;

create table memories (
  owner_id ulid not null,
  memory_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  title text not null,
  summary text not null,
  memory_type text not null,
  original_content text not null,
  current_content text not null,
  occurred_at timestamp(3) with time zone,
  time_precision text,
  time_text text,
  time_from timestamp(3) with time zone,
  time_to timestamp(3) with time zone,
  importance integer,
  ai_draft text,
  ai_draft_provider text,
  ai_draft_model text,
  privacy_level text not null,
  constraint memories_pkey PRIMARY KEY (owner_id, memory_id),
  constraint memory_ai_draft_whole CHECK ((ai_draft IS NULL) = (ai_draft_provider IS NULL) AND (ai_draft IS NOT NULL OR ai_draft_model IS NULL)),
  constraint memory_content_length CHECK (char_length(current_content) >= 1 AND char_length(current_content) <= 100000),
  constraint memory_importance_range CHECK (importance >= 1 AND importance <= 5),
  constraint memory_original_length CHECK (char_length(original_content) >= 1 AND char_length(original_content) <= 100000),
  constraint memory_privacy_known CHECK (privacy_level = ANY (ARRAY['NORMAL'::text, 'PRIVATE'::text, 'SECRET'::text])),
  constraint memory_revision_positive CHECK (revision >= 1),
  constraint memory_summary_length CHECK (char_length(summary) <= 1000),
  constraint memory_time_range CHECK (time_from IS NULL AND time_to IS NULL OR occurred_at IS NOT NULL AND time_from IS NOT NULL AND time_to IS NOT NULL AND time_from < time_to),
  constraint memory_times_ordered CHECK (updated_at >= created_at),
  constraint memory_title_length CHECK (char_length(title) >= 1 AND char_length(title) <= 200),
  constraint memory_has_its_revision FOREIGN KEY (owner_id, memory_id, revision) REFERENCES memory_revisions(owner_id, memory_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint memory_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE INDEX memories_archived_by_creation ON memories USING btree (owner_id, memory_id) WHERE archived_at IS NOT NULL;
CREATE INDEX memories_live_by_creation ON memories USING btree (owner_id, memory_id) WHERE archived_at IS NULL;
CREATE INDEX memories_with_time_by_creation ON memories USING btree (owner_id, memory_id) WHERE time_from IS NOT NULL;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON memories FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.memory_id::text IS DISTINCT FROM old.memory_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.original_content IS DISTINCT FROM old.original_content) EXECUTE FUNCTION refuse('PRS04', 'owner_id, memory_id, created_at, original_content are fixed');
alter table memories enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON memories FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table memories enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON memories FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table memories enable always trigger revision_step;

create table memory_drafts (
  owner_id ulid not null,
  draft_id ulid not null,
  memory_id ulid,
  draft_version integer not null,
  content json not null,
  state text not null,
  committed_memory_id ulid,
  committed_revision integer,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint memory_drafts_pkey PRIMARY KEY (owner_id, draft_id),
  constraint memory_draft_content_object CHECK (json_typeof(content) = 'object'::text),
  constraint memory_draft_result CHECK ((state = 'COMMITTED'::text) = (committed_memory_id IS NOT NULL) AND (committed_memory_id IS NULL) = (committed_revision IS NULL) AND (memory_id IS NULL OR committed_memory_id IS NULL OR committed_memory_id::text = memory_id::text)),
  constraint memory_draft_state_known CHECK (state = ANY (ARRAY['OPEN'::text, 'COMMITTED'::text, 'DISCARDED'::text])),
  constraint memory_draft_version_positive CHECK (draft_version >= 1),
  constraint memory_draft_made_revision FOREIGN KEY (owner_id, committed_memory_id, committed_revision) REFERENCES memory_revisions(owner_id, memory_id, revision),
  constraint memory_draft_of_memory FOREIGN KEY (owner_id, memory_id) REFERENCES memories(owner_id, memory_id),
  constraint memory_draft_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE INDEX memory_drafts_by_state ON memory_drafts USING btree (owner_id, state, draft_id);
CREATE TRIGGER ended_for_good BEFORE UPDATE ON memory_drafts FOR EACH ROW WHEN (old.state <> 'OPEN'::text) EXECUTE FUNCTION refuse('PRS04', 'a committed or discarded draft stays as it is');
alter table memory_drafts enable always trigger ended_for_good;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON memory_drafts FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.draft_id::text IS DISTINCT FROM old.draft_id::text OR new.memory_id::text IS DISTINCT FROM old.memory_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner, identifier, memory and creation are fixed');
alter table memory_drafts enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON memory_drafts FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table memory_drafts enable always trigger permanent;
CREATE TRIGGER version_rises BEFORE UPDATE ON memory_drafts FOR EACH ROW WHEN (new.draft_version < old.draft_version OR new.draft_version = old.draft_version AND new.content::text <> old.content::text) EXECUTE FUNCTION refuse('PRS03', 'the content changes with a higher version only');
alter table memory_drafts enable always trigger version_rises;

create table memory_revisions (
  owner_id ulid not null,
  memory_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  title text not null,
  summary text not null,
  memory_type text not null,
  current_content text not null,
  occurred_at timestamp(3) with time zone,
  time_precision text,
  time_text text,
  time_from timestamp(3) with time zone,
  time_to timestamp(3) with time zone,
  importance integer,
  ai_draft text,
  ai_draft_provider text,
  ai_draft_model text,
  privacy_level text not null,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint memory_revisions_pkey PRIMARY KEY (owner_id, memory_id, revision),
  constraint memory_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint memory_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'ARCHIVED'::text OR archived_at IS NOT NULL) AND (change <> 'RESTORED'::text OR archived_at IS NULL) AND (change <> 'AI_DRAFTED'::text OR ai_draft IS NOT NULL) AND ((change <> ALL (ARRAY['AI_DRAFT_ADOPTED'::text, 'AI_DRAFT_REJECTED'::text])) OR ai_draft IS NULL)),
  constraint memory_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'REVISED'::text, 'RECOVERED'::text, 'AI_DRAFTED'::text, 'AI_DRAFT_ADOPTED'::text, 'AI_DRAFT_REJECTED'::text, 'TIME_CHANGED'::text, 'PRIVACY_CHANGED'::text, 'ARCHIVED'::text, 'RESTORED'::text])),
  constraint memory_ledger_revision_positive CHECK (revision >= 1),
  constraint memory_not_in_the_future CHECK (occurred_at <= (created_at + '00:05:00'::interval)),
  constraint memory_revision_follows FOREIGN KEY (owner_id, memory_id, previous_revision) REFERENCES memory_revisions(owner_id, memory_id, revision),
  constraint memory_revision_is_projected FOREIGN KEY (owner_id, memory_id, revision) REFERENCES record_revisions(owner_id, record_id, revision),
  constraint memory_revision_of_memory FOREIGN KEY (owner_id, memory_id) REFERENCES memories(owner_id, memory_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON memory_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table memory_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER memory_revisions_match_root AFTER INSERT ON memory_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION memory_revisions_match_root();
alter table memory_revisions enable always trigger memory_revisions_match_root;

create table memory_slices (
  owner_id ulid not null,
  slice_id ulid not null,
  memory_id ulid not null,
  memory_revision integer not null,
  label text not null,
  created_at timestamp(3) with time zone not null,
  constraint memory_slices_pkey PRIMARY KEY (owner_id, slice_id),
  constraint memory_slice_label_length CHECK (char_length(label) >= 1 AND char_length(label) <= 200),
  constraint memory_slice_of_revision FOREIGN KEY (owner_id, memory_id, memory_revision) REFERENCES memory_revisions(owner_id, memory_id, revision)
);
CREATE INDEX memory_slices_of_a_memory ON memory_slices USING btree (owner_id, memory_id, slice_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON memory_slices FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table memory_slices enable always trigger append_only;

create table pending_second_factors (
  account_id ulid not null,
  session_id ulid not null,
  encrypted_secret bytea not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint pending_second_factors_pkey PRIMARY KEY (account_id),
  constraint pending_second_factor_lifetime CHECK (expires_at > created_at AND expires_at <= (created_at + '00:10:00'::interval)),
  constraint pending_second_factor_secret_length CHECK (octet_length(encrypted_secret) = 48),
  constraint pending_second_factor_of_session FOREIGN KEY (account_id, session_id) REFERENCES sessions(account_id, session_id)
);
CREATE TRIGGER never_changed BEFORE UPDATE ON pending_second_factors FOR EACH ROW EXECUTE FUNCTION refuse('PRS04', 'a pending secret is replaced, never changed');
alter table pending_second_factors enable always trigger never_changed;

create table people (
  owner_id ulid not null,
  person_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  person_name text not null,
  relationship_type text not null,
  importance integer not null,
  last_contact_at timestamp(3) with time zone,
  desired_contact_interval_days integer,
  opinion text,
  evidence text,
  counter_evidence text,
  status text not null,
  status_before text,
  current_evaluation_revision integer,
  constraint people_pkey PRIMARY KEY (owner_id, person_id),
  constraint people_times_ordered CHECK (updated_at >= created_at),
  constraint person_archival_fits CHECK ((status = 'ARCHIVED'::text) = (status_before IS NOT NULL) AND (status <> 'ARCHIVED'::text OR archived_at IS NOT NULL) AND ((status <> ALL (ARRAY['ACTIVE'::text, 'PAUSED'::text])) OR archived_at IS NULL)),
  constraint person_contact_interval_range CHECK (desired_contact_interval_days >= 1 AND desired_contact_interval_days <= 3650),
  constraint person_counter_evidence_length CHECK (char_length(counter_evidence) <= 100000),
  constraint person_evidence_length CHECK (char_length(evidence) <= 100000),
  constraint person_importance_range CHECK (importance >= 1 AND importance <= 5),
  constraint person_name_length CHECK (char_length(person_name) >= 1 AND char_length(person_name) <= 200),
  constraint person_opinion_length CHECK (char_length(opinion) <= 100000),
  constraint person_status_before_known CHECK (status_before = ANY (ARRAY['ACTIVE'::text, 'PAUSED'::text])),
  constraint person_status_known CHECK (status = ANY (ARRAY['ACTIVE'::text, 'PAUSED'::text, 'ARCHIVED'::text, 'SEALED'::text])),
  constraint people_have_revision FOREIGN KEY (owner_id, person_id, revision) REFERENCES person_revisions(owner_id, person_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint person_evaluation_exists FOREIGN KEY (owner_id, person_id, current_evaluation_revision) REFERENCES person_evaluations(owner_id, person_id, evaluation_revision) DEFERRABLE INITIALLY DEFERRED,
  constraint person_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE TRIGGER ended_for_good BEFORE UPDATE ON people FOR EACH ROW WHEN (old.status = 'SEALED'::text) EXECUTE FUNCTION refuse_by_status('a sealed person stays as it is');
alter table people enable always trigger ended_for_good;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON people FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.person_id::text IS DISTINCT FROM old.person_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner_id, person_id, created_at are fixed');
alter table people enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON people FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table people enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON people FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table people enable always trigger revision_step;
CREATE TRIGGER status_moves BEFORE UPDATE ON people FOR EACH ROW WHEN (old.status = 'ARCHIVED'::text AND new.status <> old.status_before AND new.status <> 'SEALED'::text OR old.status <> 'ARCHIVED'::text AND new.status = 'ARCHIVED'::text AND new.status_before IS DISTINCT FROM old.status OR new.status = 'SEALED'::text AND new.archived_at IS DISTINCT FROM old.archived_at) EXECUTE FUNCTION refuse_by_status('no such move of the status');
alter table people enable always trigger status_moves;

create table permissions (
  permission_id ulid not null,
  name text not null,
  constraint permissions_pkey PRIMARY KEY (permission_id),
  constraint permission_name_unique UNIQUE (name)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON permissions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table permissions enable always trigger append_only;

create table person_contact_controls (
  owner_id ulid not null,
  control_id ulid not null,
  person_id ulid not null,
  contact_id ulid not null,
  person_revision integer not null,
  kind text not null,
  recorded_at timestamp(3) with time zone not null,
  constraint person_contact_controls_pkey PRIMARY KEY (owner_id, person_id, control_id),
  constraint one_contact_control_a_revision UNIQUE (owner_id, person_id, person_revision),
  constraint one_control_a_contact UNIQUE (owner_id, person_id, contact_id),
  constraint contact_control_known CHECK (kind = 'RETRACTED'::text),
  constraint contact_control_of_contact FOREIGN KEY (owner_id, person_id, contact_id) REFERENCES person_contacts(owner_id, person_id, contact_id),
  constraint contact_control_of_revision FOREIGN KEY (owner_id, person_id, person_revision) REFERENCES person_revisions(owner_id, person_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_contact_controls FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_contact_controls enable always trigger append_only;
CREATE CONSTRAINT TRIGGER last_contact_is_newest AFTER INSERT ON person_contact_controls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION last_contact_is_newest();
alter table person_contact_controls enable always trigger last_contact_is_newest;
CREATE CONSTRAINT TRIGGER person_entry_fits_revision AFTER INSERT ON person_contact_controls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_fits_revision('CONTACT_RETRACTED');
alter table person_contact_controls enable always trigger person_entry_fits_revision;
CREATE CONSTRAINT TRIGGER person_entry_is_on_timeline AFTER INSERT ON person_contact_controls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_is_on_timeline('CONTACT_RETRACTED', 'contact_id');
alter table person_contact_controls enable always trigger person_entry_is_on_timeline;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_contact_controls FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_contact_controls enable always trigger person_takes_entries;

create table person_contacts (
  owner_id ulid not null,
  contact_id ulid not null,
  person_id ulid not null,
  person_revision integer not null,
  contacted_at timestamp(3) with time zone not null,
  channel text not null,
  direction text not null,
  note text,
  privacy text not null,
  content_hash text,
  recorded_at timestamp(3) with time zone not null,
  constraint person_contacts_pkey PRIMARY KEY (owner_id, person_id, contact_id),
  constraint one_contact_a_revision UNIQUE (owner_id, person_id, person_revision),
  constraint contact_channel_known CHECK (channel = ANY (ARRAY['IN_PERSON'::text, 'CALL'::text, 'VIDEO'::text, 'MESSAGE'::text, 'EMAIL'::text, 'LETTER'::text, 'OTHER'::text])),
  constraint contact_direction_known CHECK (direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text, 'MUTUAL'::text])),
  constraint contact_hash_fits CHECK (NOT content_hash IS DISTINCT FROM encode(sha256(convert_to(note, 'UTF8'::name)), 'hex'::text)),
  constraint contact_note_length CHECK (char_length(note) <= 100000),
  constraint contact_privacy_known CHECK (privacy = ANY (ARRAY['NORMAL'::text, 'PRIVATE'::text, 'SECRET'::text])),
  constraint contact_of_revision FOREIGN KEY (owner_id, person_id, person_revision) REFERENCES person_revisions(owner_id, person_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX person_contacts_by_time ON person_contacts USING btree (owner_id, person_id, contacted_at);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_contacts FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_contacts enable always trigger append_only;
CREATE CONSTRAINT TRIGGER last_contact_is_newest AFTER INSERT ON person_contacts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION last_contact_is_newest();
alter table person_contacts enable always trigger last_contact_is_newest;
CREATE TRIGGER not_in_the_future BEFORE INSERT ON person_contacts FOR EACH ROW WHEN (new.contacted_at > (new.recorded_at + '00:05:00'::interval)) EXECUTE FUNCTION refuse('PRS06', 'the contact lies in the future');
alter table person_contacts enable always trigger not_in_the_future;
CREATE CONSTRAINT TRIGGER person_entry_fits_revision AFTER INSERT ON person_contacts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_fits_revision('CREATED', 'CONTACT_RECORDED');
alter table person_contacts enable always trigger person_entry_fits_revision;
CREATE CONSTRAINT TRIGGER person_entry_is_on_timeline AFTER INSERT ON person_contacts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_is_on_timeline('CONTACT_RECORDED', 'contact_id');
alter table person_contacts enable always trigger person_entry_is_on_timeline;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_contacts FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_contacts enable always trigger person_takes_entries;

create table person_evaluations (
  owner_id ulid not null,
  evaluation_id ulid not null,
  person_id ulid not null,
  evaluation_revision integer not null,
  previous_revision integer generated always as (NULLIF(evaluation_revision - 1, 0)) stored,
  proposal_id ulid not null,
  origin text not null,
  text text not null,
  provider text not null,
  model text,
  source_digest text not null,
  source_revision integer not null,
  person_revision integer not null,
  recorded_at timestamp(3) with time zone not null,
  constraint person_evaluations_pkey PRIMARY KEY (owner_id, person_id, evaluation_id),
  constraint evaluation_revision_unique UNIQUE (owner_id, person_id, evaluation_revision),
  constraint one_evaluation_a_revision UNIQUE (owner_id, person_id, person_revision),
  constraint evaluation_origin_known CHECK (origin = 'USER_CONFIRMED'::text),
  constraint evaluation_revision_positive CHECK (evaluation_revision >= 1),
  constraint evaluation_follows FOREIGN KEY (owner_id, person_id, previous_revision) REFERENCES person_evaluations(owner_id, person_id, evaluation_revision),
  constraint evaluation_of_proposal FOREIGN KEY (owner_id, person_id, proposal_id) REFERENCES person_proposals(owner_id, person_id, proposal_id),
  constraint evaluation_of_revision FOREIGN KEY (owner_id, person_id, person_revision) REFERENCES person_revisions(owner_id, person_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_evaluations FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_evaluations enable always trigger append_only;
CREATE CONSTRAINT TRIGGER evaluation_is_its_candidate AFTER INSERT ON person_evaluations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION evaluation_is_its_candidate();
alter table person_evaluations enable always trigger evaluation_is_its_candidate;
CREATE CONSTRAINT TRIGGER person_entry_fits_revision AFTER INSERT ON person_evaluations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_fits_revision('EVALUATION_CONFIRMED');
alter table person_evaluations enable always trigger person_entry_fits_revision;
CREATE CONSTRAINT TRIGGER person_entry_is_on_timeline AFTER INSERT ON person_evaluations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_is_on_timeline('EVALUATION_CONFIRMED', 'evaluation_id');
alter table person_evaluations enable always trigger person_entry_is_on_timeline;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_evaluations FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_evaluations enable always trigger person_takes_entries;

create table person_evidence (
  owner_id ulid not null,
  evidence_id ulid not null,
  person_id ulid not null,
  stance text not null,
  content text not null,
  source_kind text not null,
  source_ref ulid,
  privacy text collate "C" not null,
  provider_consent boolean not null,
  content_hash text not null,
  recorded_at timestamp(3) with time zone not null,
  constraint person_evidence_pkey PRIMARY KEY (owner_id, person_id, evidence_id),
  constraint evidence_id_unique UNIQUE (evidence_id, owner_id),
  constraint evidence_content_length CHECK (char_length(content) >= 1 AND char_length(content) <= 100000),
  constraint evidence_hash_fits CHECK (content_hash = encode(sha256(convert_to(content, 'UTF8'::name)), 'hex'::text)),
  constraint evidence_privacy_known CHECK (privacy = ANY (ARRAY['NORMAL'::text, 'PRIVATE'::text, 'SECRET'::text])),
  constraint evidence_source_fits CHECK ((source_kind = 'RECORD'::text) = (source_ref IS NOT NULL)),
  constraint evidence_source_known CHECK (source_kind = ANY (ARRAY['OBSERVATION'::text, 'MESSAGE'::text, 'RECORD'::text, 'THIRD_PARTY'::text, 'OTHER'::text])),
  constraint evidence_stance_known CHECK (stance = ANY (ARRAY['SUPPORTING'::text, 'COUNTER'::text])),
  constraint evidence_of_person FOREIGN KEY (owner_id, person_id) REFERENCES people(owner_id, person_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_evidence FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_evidence enable always trigger append_only;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_evidence FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_evidence enable always trigger person_takes_entries;

create table person_evidence_controls (
  owner_id ulid not null,
  control_id ulid not null,
  person_id ulid not null,
  evidence_id ulid not null,
  control_number integer not null,
  previous_number integer generated always as (NULLIF(control_number - 1, 0)) stored,
  kind text not null,
  superseded_by ulid,
  privacy text collate "C",
  recorded_at timestamp(3) with time zone not null,
  constraint person_evidence_controls_pkey PRIMARY KEY (owner_id, person_id, control_id),
  constraint evidence_control_number_unique UNIQUE (owner_id, person_id, control_number),
  constraint evidence_control_known CHECK (kind = ANY (ARRAY['SUPERSEDED'::text, 'RETRACTED'::text, 'PRIVACY_RECLASSIFIED'::text])),
  constraint evidence_control_number_positive CHECK (control_number >= 1),
  constraint evidence_control_parts CHECK ((kind = 'SUPERSEDED'::text) = (superseded_by IS NOT NULL) AND (kind = 'PRIVACY_RECLASSIFIED'::text) = (privacy IS NOT NULL)),
  constraint evidence_control_privacy_known CHECK (privacy = ANY (ARRAY['NORMAL'::text, 'PRIVATE'::text, 'SECRET'::text])),
  constraint evidence_not_superseded_by_itself CHECK (superseded_by::text <> evidence_id::text),
  constraint evidence_control_follows FOREIGN KEY (owner_id, person_id, previous_number) REFERENCES person_evidence_controls(owner_id, person_id, control_number),
  constraint evidence_control_of_evidence FOREIGN KEY (owner_id, person_id, evidence_id) REFERENCES person_evidence(owner_id, person_id, evidence_id),
  constraint evidence_superseded_by_evidence FOREIGN KEY (owner_id, person_id, superseded_by) REFERENCES person_evidence(owner_id, person_id, evidence_id)
);
CREATE UNIQUE INDEX one_end_an_evidence ON person_evidence_controls USING btree (owner_id, person_id, evidence_id) WHERE kind <> 'PRIVACY_RECLASSIFIED'::text;
CREATE INDEX person_evidence_controls_of_an_entry ON person_evidence_controls USING btree (owner_id, person_id, evidence_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_evidence_controls FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_evidence_controls enable always trigger append_only;
CREATE CONSTRAINT TRIGGER evidence_control_fits AFTER INSERT ON person_evidence_controls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION evidence_control_fits();
alter table person_evidence_controls enable always trigger evidence_control_fits;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_evidence_controls FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_evidence_controls enable always trigger person_takes_entries;

create table person_experiences (
  owner_id ulid not null,
  experience_id ulid not null,
  person_id ulid not null,
  title text not null,
  narrative text,
  occurred_at timestamp(3) with time zone,
  time_precision text not null,
  time_text text,
  privacy text not null,
  content_hash text,
  recorded_at timestamp(3) with time zone not null,
  constraint person_experiences_pkey PRIMARY KEY (owner_id, person_id, experience_id),
  constraint experience_hash_fits CHECK (NOT content_hash IS DISTINCT FROM encode(sha256(convert_to(narrative, 'UTF8'::name)), 'hex'::text)),
  constraint experience_narrative_length CHECK (char_length(narrative) <= 100000),
  constraint experience_privacy_known CHECK (privacy = ANY (ARRAY['NORMAL'::text, 'PRIVATE'::text, 'SECRET'::text])),
  constraint experience_time_fits CHECK (((time_precision <> ALL (ARRAY['EXACT'::text, 'DAY'::text])) OR occurred_at IS NOT NULL) AND (time_precision <> 'UNKNOWN'::text OR occurred_at IS NULL) AND (time_precision <> 'LIFE_PERIOD'::text OR time_text IS NOT NULL)),
  constraint experience_time_precision_known CHECK (time_precision = ANY (ARRAY['EXACT'::text, 'DAY'::text, 'MONTH'::text, 'SEASON'::text, 'YEAR'::text, 'DECADE'::text, 'LIFE_PERIOD'::text, 'UNKNOWN'::text])),
  constraint experience_time_text_length CHECK (char_length(time_text) <= 500),
  constraint experience_title_length CHECK (char_length(title) >= 1 AND char_length(title) <= 200),
  constraint experience_of_person FOREIGN KEY (owner_id, person_id) REFERENCES people(owner_id, person_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_experiences FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_experiences enable always trigger append_only;
CREATE TRIGGER not_in_the_future BEFORE INSERT ON person_experiences FOR EACH ROW WHEN (new.occurred_at > (new.recorded_at + '00:05:00'::interval)) EXECUTE FUNCTION refuse('PRS06', 'the experience lies in the future');
alter table person_experiences enable always trigger not_in_the_future;
CREATE CONSTRAINT TRIGGER person_entry_is_on_timeline AFTER INSERT ON person_experiences DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_is_on_timeline('EXPERIENCE_RECORDED', 'experience_id');
alter table person_experiences enable always trigger person_entry_is_on_timeline;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_experiences FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_experiences enable always trigger person_takes_entries;

create table person_proposal_events (
  owner_id ulid not null,
  event_id ulid not null,
  person_id ulid not null,
  proposal_id ulid not null,
  from_state text,
  to_state text not null,
  reason text,
  recorded_at timestamp(3) with time zone not null,
  constraint person_proposal_events_pkey PRIMARY KEY (owner_id, person_id, proposal_id, event_id),
  constraint one_event_from_a_state UNIQUE (owner_id, person_id, proposal_id, from_state),
  constraint one_event_to_a_state UNIQUE (owner_id, person_id, proposal_id, to_state),
  constraint proposal_event_moves CHECK (COALESCE(from_state, ''::text) = ''::text AND to_state = 'REQUESTED'::text OR COALESCE(from_state, ''::text) = 'REQUESTED'::text AND to_state = 'READY'::text OR COALESCE(from_state, ''::text) = 'REQUESTED'::text AND to_state = 'STALE'::text OR COALESCE(from_state, ''::text) = 'READY'::text AND to_state = 'CONFIRMED'::text OR COALESCE(from_state, ''::text) = 'READY'::text AND to_state = 'REJECTED'::text OR COALESCE(from_state, ''::text) = 'READY'::text AND to_state = 'EXPIRED'::text OR COALESCE(from_state, ''::text) = 'READY'::text AND to_state = 'STALE'::text),
  constraint proposal_event_reason_fits CHECK (reason IS NULL OR to_state = 'REJECTED'::text AND char_length(reason) <= 500),
  constraint event_of_proposal FOREIGN KEY (owner_id, person_id, proposal_id) REFERENCES person_proposals(owner_id, person_id, proposal_id),
  constraint proposal_event_follows FOREIGN KEY (owner_id, person_id, proposal_id, from_state) REFERENCES person_proposal_events(owner_id, person_id, proposal_id, to_state)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_proposal_events FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_proposal_events enable always trigger append_only;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_proposal_events FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_proposal_events enable always trigger person_takes_entries;
CREATE CONSTRAINT TRIGGER proposal_state_is_its_last_event AFTER INSERT ON person_proposal_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION proposal_state_is_its_last_event();
alter table person_proposal_events enable always trigger proposal_state_is_its_last_event;

create table person_proposals (
  owner_id ulid not null,
  proposal_id ulid not null,
  person_id ulid not null,
  created_at timestamp(3) with time zone not null,
  provider_consent boolean not null,
  source_digest text not null,
  source_revision integer not null,
  sources json not null,
  state text not null,
  attempts integer not null,
  lease_id ulid,
  claimable_at timestamp(3) with time zone not null,
  candidate text,
  provider text,
  model text,
  ready_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  decided_at timestamp(3) with time zone,
  evaluation_revision integer,
  constraint person_proposals_pkey PRIMARY KEY (owner_id, person_id, proposal_id),
  constraint one_proposal_an_evaluation UNIQUE (owner_id, person_id, evaluation_revision),
  constraint proposal_attempts_range CHECK (attempts >= 0 AND attempts <= 5),
  constraint proposal_candidate_length CHECK (char_length(candidate) >= 1 AND char_length(candidate) <= 100000),
  constraint proposal_candidate_whole CHECK ((num_nulls(candidate, provider, ready_at, expires_at) = ANY (ARRAY[0, 4])) AND COALESCE(provider = 'http'::text, false) = (model IS NOT NULL) AND (candidate IS NULL OR attempts > 0) AND (candidate IS NULL OR state <> 'REQUESTED'::text) AND (candidate IS NOT NULL OR (state = ANY (ARRAY['REQUESTED'::text, 'STALE'::text])))),
  constraint proposal_decision_fits CHECK ((decided_at IS NOT NULL) = (state = ANY (ARRAY['CONFIRMED'::text, 'REJECTED'::text])) AND (evaluation_revision IS NOT NULL) = (state = 'CONFIRMED'::text)),
  constraint proposal_digest_shape CHECK (source_digest ~ '^[0-9a-f]{64}$'::text),
  constraint proposal_lasts CHECK (expires_at > ready_at),
  constraint proposal_lease_fits CHECK (lease_id IS NULL OR state = 'REQUESTED'::text AND attempts > 0),
  constraint proposal_provider_known CHECK (provider = ANY (ARRAY['local-summary'::text, 'http'::text])),
  constraint proposal_sources_listed CHECK (json_typeof(sources) = 'array'::text),
  constraint proposal_state_known CHECK (state = ANY (ARRAY['REQUESTED'::text, 'READY'::text, 'CONFIRMED'::text, 'REJECTED'::text, 'EXPIRED'::text, 'STALE'::text])),
  constraint proposal_made_evaluation FOREIGN KEY (owner_id, person_id, evaluation_revision) REFERENCES person_evaluations(owner_id, person_id, evaluation_revision) DEFERRABLE INITIALLY DEFERRED,
  constraint proposal_of_revision FOREIGN KEY (owner_id, person_id, source_revision) REFERENCES person_revisions(owner_id, person_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX one_open_proposal_a_person ON person_proposals USING btree (owner_id, person_id) WHERE state = 'READY'::text OR state = 'REQUESTED'::text AND (attempts < 5 OR lease_id IS NOT NULL);
CREATE INDEX person_proposals_claimable ON person_proposals USING btree (claimable_at, owner_id, person_id, proposal_id) WHERE state = 'REQUESTED'::text AND attempts < 5;
CREATE TRIGGER attempts_step BEFORE UPDATE ON person_proposals FOR EACH ROW WHEN (
        CASE
            WHEN new.lease_id::text IS DISTINCT FROM old.lease_id::text AND new.lease_id IS NOT NULL THEN new.attempts <> (old.attempts + 1)
            WHEN new.lease_id::text IS DISTINCT FROM old.lease_id::text THEN new.attempts <> old.attempts AND new.attempts <> (old.attempts - 1)
            ELSE new.attempts <> old.attempts
        END) EXECUTE FUNCTION refuse('PRS03', 'each claim is one attempt');
alter table person_proposals enable always trigger attempts_step;
CREATE TRIGGER ended_for_good BEFORE UPDATE ON person_proposals FOR EACH ROW WHEN (old.state <> ALL (ARRAY['REQUESTED'::text, 'READY'::text])) EXECUTE FUNCTION refuse('PRS04', 'an ended proposal stays as it is');
alter table person_proposals enable always trigger ended_for_good;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON person_proposals FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.person_id::text IS DISTINCT FROM old.person_id::text OR new.proposal_id::text IS DISTINCT FROM old.proposal_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.provider_consent IS DISTINCT FROM old.provider_consent OR new.source_digest IS DISTINCT FROM old.source_digest OR new.source_revision IS DISTINCT FROM old.source_revision OR new.sources::text IS DISTINCT FROM old.sources::text) EXECUTE FUNCTION refuse('PRS04', 'what a proposal was requested with is fixed');
alter table person_proposals enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON person_proposals FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table person_proposals enable always trigger permanent;
CREATE TRIGGER person_takes_entries AFTER INSERT ON person_proposals FOR EACH ROW EXECUTE FUNCTION person_takes_entries();
alter table person_proposals enable always trigger person_takes_entries;
CREATE TRIGGER proposal_of_open_person BEFORE UPDATE ON person_proposals FOR EACH ROW EXECUTE FUNCTION proposal_of_open_person();
alter table person_proposals enable always trigger proposal_of_open_person;
CREATE TRIGGER proposal_sources_are_evidence AFTER INSERT ON person_proposals FOR EACH ROW EXECUTE FUNCTION proposal_sources_are_evidence();
alter table person_proposals enable always trigger proposal_sources_are_evidence;
CREATE CONSTRAINT TRIGGER proposal_state_is_its_last_event AFTER INSERT OR UPDATE OF state ON person_proposals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION proposal_state_is_its_last_event();
alter table person_proposals enable always trigger proposal_state_is_its_last_event;
CREATE TRIGGER ready_for_good BEFORE UPDATE ON person_proposals FOR EACH ROW WHEN (old.state = 'READY'::text AND ((new.state = ANY (ARRAY['READY'::text, 'REQUESTED'::text])) OR new.attempts IS DISTINCT FROM old.attempts OR new.candidate IS DISTINCT FROM old.candidate OR new.provider IS DISTINCT FROM old.provider OR new.model IS DISTINCT FROM old.model OR new.ready_at IS DISTINCT FROM old.ready_at OR new.expires_at IS DISTINCT FROM old.expires_at)) EXECUTE FUNCTION refuse('PRS04', 'a ready proposal ends with its candidate');
alter table person_proposals enable always trigger ready_for_good;

create table person_revisions (
  owner_id ulid not null,
  person_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  person_name text not null,
  relationship_type text not null,
  importance integer not null,
  last_contact_at timestamp(3) with time zone,
  desired_contact_interval_days integer,
  opinion text,
  evidence text,
  counter_evidence text,
  status text not null,
  status_before text,
  current_evaluation_revision integer,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint person_revisions_pkey PRIMARY KEY (owner_id, person_id, revision),
  constraint person_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint person_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'CREATED'::text OR status = 'ACTIVE'::text) AND (change = 'ARCHIVED'::text) = (status = 'ARCHIVED'::text) AND (status <> 'SEALED'::text OR change = 'STATUS_CHANGED'::text)),
  constraint person_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'MODIFIED'::text, 'STATUS_CHANGED'::text, 'ARCHIVED'::text, 'RESTORED'::text, 'CONTACT_RECORDED'::text, 'CONTACT_RETRACTED'::text, 'EVALUATION_CONFIRMED'::text])),
  constraint person_revisions_revision_positive CHECK (revision >= 1),
  constraint person_revision_is_projected FOREIGN KEY (owner_id, person_id, revision) REFERENCES record_revisions(owner_id, record_id, revision),
  constraint person_revisions_follow FOREIGN KEY (owner_id, person_id, previous_revision) REFERENCES person_revisions(owner_id, person_id, revision),
  constraint person_revisions_have_root FOREIGN KEY (owner_id, person_id) REFERENCES people(owner_id, person_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_revisions enable always trigger append_only;
CREATE TRIGGER person_projection_fits AFTER INSERT ON person_revisions FOR EACH ROW EXECUTE FUNCTION person_projection_fits();
alter table person_revisions enable always trigger person_projection_fits;
CREATE CONSTRAINT TRIGGER person_revision_has_its_entry AFTER INSERT ON person_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_revision_has_its_entry();
alter table person_revisions enable always trigger person_revision_has_its_entry;
CREATE CONSTRAINT TRIGGER person_revisions_match_root AFTER INSERT ON person_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_revisions_match_root();
alter table person_revisions enable always trigger person_revisions_match_root;

create table person_status_events (
  owner_id ulid not null,
  event_id ulid not null,
  person_id ulid not null,
  person_revision integer not null,
  from_status text not null,
  to_status text not null,
  reason text,
  recorded_at timestamp(3) with time zone not null,
  constraint person_status_events_pkey PRIMARY KEY (owner_id, person_id, event_id),
  constraint one_status_event_a_revision UNIQUE (owner_id, person_id, person_revision),
  constraint status_event_moves CHECK (from_status = 'ACTIVE'::text AND to_status = 'PAUSED'::text OR from_status = 'PAUSED'::text AND to_status = 'ACTIVE'::text OR from_status = 'ACTIVE'::text AND to_status = 'ARCHIVED'::text OR from_status = 'PAUSED'::text AND to_status = 'ARCHIVED'::text OR from_status = 'ARCHIVED'::text AND to_status = 'ACTIVE'::text OR from_status = 'ARCHIVED'::text AND to_status = 'PAUSED'::text OR from_status = 'ACTIVE'::text AND to_status = 'SEALED'::text OR from_status = 'PAUSED'::text AND to_status = 'SEALED'::text OR from_status = 'ARCHIVED'::text AND to_status = 'SEALED'::text),
  constraint status_event_reason_length CHECK (char_length(reason) <= 500),
  constraint status_event_of_revision FOREIGN KEY (owner_id, person_id, person_revision) REFERENCES person_revisions(owner_id, person_id, revision)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_status_events FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_status_events enable always trigger append_only;
CREATE CONSTRAINT TRIGGER person_entry_fits_revision AFTER INSERT ON person_status_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_fits_revision('STATUS_CHANGED', 'ARCHIVED', 'RESTORED');
alter table person_status_events enable always trigger person_entry_fits_revision;
CREATE CONSTRAINT TRIGGER person_entry_is_on_timeline AFTER INSERT ON person_status_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION person_entry_is_on_timeline('STATUS_CHANGED', 'event_id');
alter table person_status_events enable always trigger person_entry_is_on_timeline;

create table person_timeline_entries (
  owner_id ulid not null,
  entry_id ulid not null,
  person_id ulid not null,
  kind text not null,
  source_id ulid not null,
  occurred_at timestamp(3) with time zone,
  recorded_at timestamp(3) with time zone not null,
  constraint person_timeline_entries_pkey PRIMARY KEY (owner_id, person_id, entry_id),
  constraint one_timeline_entry_a_source UNIQUE (owner_id, person_id, kind, source_id),
  constraint timeline_kind_known CHECK (kind = ANY (ARRAY['CONTACT_RECORDED'::text, 'CONTACT_RETRACTED'::text, 'EXPERIENCE_RECORDED'::text, 'STATUS_CHANGED'::text, 'EVALUATION_CONFIRMED'::text]))
);
CREATE INDEX person_timeline_by_time ON person_timeline_entries USING btree (owner_id, person_id, COALESCE(occurred_at, recorded_at), entry_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON person_timeline_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table person_timeline_entries enable always trigger append_only;
CREATE CONSTRAINT TRIGGER timeline_entry_fits_source AFTER INSERT ON person_timeline_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION timeline_entry_fits_source();
alter table person_timeline_entries enable always trigger timeline_entry_fits_source;

create table record_revisions (
  owner_id ulid not null,
  record_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  module_code text collate "C" not null,
  change text not null,
  title text not null,
  summary text not null,
  payload json not null,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  transaction_id xid8 not null default pg_current_xact_id(),
  constraint record_revisions_pkey PRIMARY KEY (owner_id, record_id, revision),
  constraint revision_id_unique UNIQUE (revision_id, owner_id),
  constraint revision_follows FOREIGN KEY (owner_id, record_id, previous_revision) REFERENCES record_revisions(owner_id, record_id, revision)
);
CREATE INDEX revisions_by_transaction ON record_revisions USING btree (owner_id, transaction_id, revision_id) WHERE transaction_id IS NOT NULL;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON record_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table record_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER ledger_matches_root AFTER INSERT ON record_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_matches_root();
alter table record_revisions enable always trigger ledger_matches_root;
CREATE TRIGGER own_transaction BEFORE INSERT ON record_revisions FOR EACH ROW WHEN (new.transaction_id IS DISTINCT FROM pg_current_xact_id()) EXECUTE FUNCTION refuse('PRS04', 'a revision has the number of its own transaction');
alter table record_revisions enable always trigger own_transaction;

create table records (
  owner_id ulid not null,
  record_id ulid not null,
  module_code text collate "C" not null,
  revision integer not null,
  revision_id ulid not null,
  source_type text not null,
  recorded_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  title text not null,
  summary text not null,
  payload json not null,
  guard text,
  constraint records_pkey PRIMARY KEY (owner_id, record_id),
  constraint record_is_record CHECK (is_record(module_code, revision, source_type, created_at, updated_at, title, summary, payload)) NOT VALID,
  constraint record_guard_is_a_permission FOREIGN KEY (guard) REFERENCES permissions(name),
  constraint record_has_its_revision FOREIGN KEY (owner_id, record_id, revision) REFERENCES record_revisions(owner_id, record_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint record_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE INDEX records_archived_by_creation ON records USING btree (owner_id, module_code, record_id) WHERE archived_at IS NOT NULL;
CREATE INDEX records_archived_by_update ON records USING btree (owner_id, module_code, revision_id) WHERE archived_at IS NOT NULL;
CREATE INDEX records_live_by_creation ON records USING btree (owner_id, module_code, record_id) WHERE archived_at IS NULL;
CREATE INDEX records_live_by_update ON records USING btree (owner_id, module_code, revision_id) WHERE archived_at IS NULL;
CREATE TRIGGER follows_in_feed BEFORE UPDATE ON records FOR EACH ROW WHEN (age(old.xmin) < age(pg_current_xact_id()::xid)) EXECUTE FUNCTION revision_follows_in_feed();
alter table records enable always trigger follows_in_feed;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON records FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table records enable always trigger permanent;
CREATE TRIGGER steps BEFORE UPDATE ON records FOR EACH ROW EXECUTE FUNCTION record_steps();
alter table records enable always trigger steps;

create table recovery_codes (
  account_id ulid not null,
  code_digest bytea not null,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (account_id, code_digest),
  constraint recovery_code_digest_length CHECK (octet_length(code_digest) = 32),
  constraint recovery_code_of_factor FOREIGN KEY (account_id) REFERENCES second_factors(account_id)
);
CREATE TRIGGER used_once BEFORE UPDATE ON recovery_codes FOR EACH ROW WHEN (old.used_at IS NOT NULL OR new.account_id::text IS DISTINCT FROM old.account_id::text OR new.code_digest IS DISTINCT FROM old.code_digest OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'a recovery code is used once and never changes');
alter table recovery_codes enable always trigger used_once;

create table resource_revisions (
  owner_id ulid not null,
  resource_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  resource_type text not null,
  name text not null,
  amount double precision,
  unit text,
  capacity double precision,
  available double precision,
  level double precision,
  notes text,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint resource_revisions_pkey PRIMARY KEY (owner_id, resource_id, revision),
  constraint resource_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint resource_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'ARCHIVED'::text OR archived_at IS NOT NULL) AND (change <> 'RESTORED'::text OR archived_at IS NULL)),
  constraint resource_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'MODIFIED'::text, 'ARCHIVED'::text, 'RESTORED'::text])),
  constraint resource_revisions_revision_positive CHECK (revision >= 1),
  constraint resource_revision_is_projected FOREIGN KEY (owner_id, resource_id, revision) REFERENCES record_revisions(owner_id, record_id, revision),
  constraint resource_revisions_follow FOREIGN KEY (owner_id, resource_id, previous_revision) REFERENCES resource_revisions(owner_id, resource_id, revision),
  constraint resource_revisions_have_root FOREIGN KEY (owner_id, resource_id) REFERENCES resources(owner_id, resource_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON resource_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table resource_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER resource_revisions_match_root AFTER INSERT ON resource_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION resource_revisions_match_root();
alter table resource_revisions enable always trigger resource_revisions_match_root;

create table resource_snapshots (
  owner_id ulid not null,
  snapshot_id ulid not null,
  resource_id ulid not null,
  resource_revision integer not null,
  observed_at timestamp(3) with time zone not null,
  amount double precision,
  capacity double precision,
  available double precision,
  level double precision,
  note text,
  created_at timestamp(3) with time zone not null,
  constraint resource_snapshots_pkey PRIMARY KEY (owner_id, snapshot_id),
  constraint resource_snapshot_amount_range CHECK (amount >= '-1000000000000'::bigint::double precision AND amount <= '1000000000000'::bigint::double precision),
  constraint resource_snapshot_available_range CHECK (available >= '-1000000000000'::bigint::double precision AND available <= '1000000000000'::bigint::double precision),
  constraint resource_snapshot_available_within_capacity CHECK (available <= capacity),
  constraint resource_snapshot_capacity_range CHECK (capacity >= 0::double precision AND capacity <= '1000000000000'::bigint::double precision),
  constraint resource_snapshot_has_a_figure CHECK (num_nonnulls(amount, capacity, available, level) > 0),
  constraint resource_snapshot_level_range CHECK (level >= 0::double precision AND level <= 100::double precision),
  constraint resource_snapshot_not_in_the_future CHECK (observed_at <= (created_at + '00:05:00'::interval)),
  constraint resource_snapshot_note_length CHECK (char_length(note) <= 100000),
  constraint resource_snapshot_of_revision FOREIGN KEY (owner_id, resource_id, resource_revision) REFERENCES resource_revisions(owner_id, resource_id, revision)
);
CREATE INDEX resource_snapshots_by_observation ON resource_snapshots USING btree (owner_id, resource_id, observed_at, snapshot_id);
CREATE INDEX resource_snapshots_of_a_resource ON resource_snapshots USING btree (owner_id, resource_id, snapshot_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON resource_snapshots FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table resource_snapshots enable always trigger append_only;

create table resources (
  owner_id ulid not null,
  resource_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  resource_type text not null,
  name text not null,
  amount double precision,
  unit text,
  capacity double precision,
  available double precision,
  level double precision,
  notes text,
  constraint resources_pkey PRIMARY KEY (owner_id, resource_id),
  constraint resource_amount_range CHECK (amount >= '-1000000000000'::bigint::double precision AND amount <= '1000000000000'::bigint::double precision),
  constraint resource_available_range CHECK (available >= '-1000000000000'::bigint::double precision AND available <= '1000000000000'::bigint::double precision),
  constraint resource_available_within_capacity CHECK (available <= capacity),
  constraint resource_capacity_range CHECK (capacity >= 0::double precision AND capacity <= '1000000000000'::bigint::double precision),
  constraint resource_level_range CHECK (level >= 0::double precision AND level <= 100::double precision),
  constraint resource_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 500),
  constraint resource_notes_length CHECK (char_length(notes) <= 100000),
  constraint resource_unit_length CHECK (char_length(unit) <= 500),
  constraint resources_times_ordered CHECK (updated_at >= created_at),
  constraint resource_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id),
  constraint resources_have_revision FOREIGN KEY (owner_id, resource_id, revision) REFERENCES resource_revisions(owner_id, resource_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX resources_archived_by_creation ON resources USING btree (owner_id, resource_id) WHERE archived_at IS NOT NULL;
CREATE INDEX resources_live_by_creation ON resources USING btree (owner_id, resource_id) WHERE archived_at IS NULL;
CREATE INDEX resources_of_the_network ON resources USING btree (owner_id, resource_id) WHERE archived_at IS NULL AND resource_type = 'NETWORK'::text;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON resources FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.resource_id::text IS DISTINCT FROM old.resource_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner_id, resource_id, created_at are fixed');
alter table resources enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON resources FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table resources enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON resources FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table resources enable always trigger revision_step;

create table role_permissions (
  role_id ulid not null,
  permission_id ulid not null,
  constraint role_permissions_pkey PRIMARY KEY (role_id, permission_id),
  constraint role_permission_of_permission FOREIGN KEY (permission_id) REFERENCES permissions(permission_id),
  constraint role_permission_of_role FOREIGN KEY (role_id) REFERENCES roles(role_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON role_permissions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table role_permissions enable always trigger append_only;

create table roles (
  role_id ulid not null,
  name text not null,
  constraint roles_pkey PRIMARY KEY (role_id),
  constraint role_name_unique UNIQUE (name)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON roles FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table roles enable always trigger append_only;

create table scheduled_backups (
  singleton boolean not null default true,
  next_at timestamp(3) with time zone,
  run_id ulid,
  started_at timestamp(3) with time zone,
  claimed_until timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  outcome text,
  backup_at timestamp(3) with time zone,
  backup_name text,
  backup_bytes bigint,
  constraint scheduled_backups_pkey PRIMARY KEY (singleton),
  constraint scheduled_backup_outcome_known CHECK (outcome = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text])),
  constraint scheduled_backup_run_whole CHECK ((run_id IS NULL) = (started_at IS NULL) AND (outcome IS NULL) = (ended_at IS NULL) AND num_nonnulls(claimed_until, ended_at) = num_nonnulls(run_id)),
  constraint scheduled_backup_whole CHECK (num_nonnulls(backup_at, backup_name, backup_bytes) = ANY (ARRAY[0, 3])),
  constraint scheduled_backups_single CHECK (singleton)
);
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON scheduled_backups FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table scheduled_backups enable always trigger permanent;

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp(3) with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table search_index (
  owner_id ulid not null,
  record_id ulid not null,
  rule smallint not null,
  words tsvector not null,
  constraint search_index_pkey PRIMARY KEY (owner_id, record_id)
);
CREATE INDEX search_index_by_word ON search_index USING gin (words);

create table search_index_build (
  singleton boolean not null default true,
  rule smallint not null,
  after_owner_id ulid,
  after_record_id ulid,
  is_complete boolean not null,
  constraint search_index_build_pkey PRIMARY KEY (singleton),
  constraint search_index_build_single CHECK (singleton)
);

create table second_factors (
  account_id ulid not null,
  encrypted_secret bytea not null,
  enabled_at timestamp(3) with time zone not null,
  last_step integer not null,
  constraint second_factors_pkey PRIMARY KEY (account_id),
  constraint second_factor_secret_length CHECK (octet_length(encrypted_secret) = 48),
  constraint second_factor_step_positive CHECK (last_step > 0),
  constraint second_factor_of_account FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE TRIGGER step_rises BEFORE UPDATE ON second_factors FOR EACH ROW WHEN (new.account_id::text IS DISTINCT FROM old.account_id::text OR new.encrypted_secret IS DISTINCT FROM old.encrypted_secret OR new.enabled_at IS DISTINCT FROM old.enabled_at OR new.last_step <= old.last_step) EXECUTE FUNCTION refuse('PRS04', 'only the last step changes, and it rises');
alter table second_factors enable always trigger step_rises;

create table server_secret_check (
  singleton boolean not null default true,
  check_value bytea not null,
  constraint server_secret_check_pkey PRIMARY KEY (singleton),
  constraint server_secret_check_single CHECK (singleton)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON server_secret_check FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table server_secret_check enable always trigger append_only;

create table sessions (
  account_id ulid not null,
  session_id ulid not null,
  secret_digest bytea not null,
  transport text not null,
  device_name text,
  created_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  address_digest text,
  client text,
  constraint sessions_pkey PRIMARY KEY (account_id, session_id),
  constraint session_digest_unique UNIQUE (secret_digest),
  constraint session_address_digest_form CHECK (address_digest ~ '^[0-9a-f]{16}$'::text),
  constraint session_client_form CHECK (client ~ '^[A-Za-z ]{1,64}$'::text),
  constraint session_device_name_length CHECK (char_length(device_name) <= 200),
  constraint session_digest_length CHECK (octet_length(secret_digest) = 32),
  constraint session_lifetime CHECK (expires_at <= (created_at + '8760:00:00'::interval)),
  constraint session_seen_in_its_life CHECK (last_seen_at <= expires_at),
  constraint session_transport_known CHECK (transport = ANY (ARRAY['cookie'::text, 'bearer'::text])),
  constraint session_of_account FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON sessions FOR EACH ROW WHEN (new.account_id::text IS DISTINCT FROM old.account_id::text OR new.session_id::text IS DISTINCT FROM old.session_id::text OR new.secret_digest IS DISTINCT FROM old.secret_digest OR new.transport IS DISTINCT FROM old.transport OR new.device_name IS DISTINCT FROM old.device_name OR new.address_digest IS DISTINCT FROM old.address_digest OR new.client IS DISTINCT FROM old.client OR new.created_at IS DISTINCT FROM old.created_at OR new.expires_at IS DISTINCT FROM old.expires_at OR old.revoked_at IS NOT NULL AND new.revoked_at IS DISTINCT FROM old.revoked_at) EXECUTE FUNCTION refuse('PRS04', 'only last sight may change, and revocation once');
alter table sessions enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table sessions enable always trigger permanent;

create table setup_token (
  singleton boolean not null default true,
  secret_digest bytea not null,
  expires_at timestamp(3) with time zone not null,
  constraint setup_token_pkey PRIMARY KEY (singleton),
  constraint setup_token_digest_length CHECK (octet_length(secret_digest) = 32),
  constraint setup_token_single CHECK (singleton)
);

create table step_up_proofs (
  account_id ulid not null,
  proof_id ulid not null,
  session_id ulid not null,
  secret_digest bytea not null,
  purpose text not null,
  target_id ulid,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint step_up_proofs_pkey PRIMARY KEY (account_id, proof_id),
  constraint step_up_proof_digest_unique UNIQUE (secret_digest),
  constraint step_up_proof_digest_length CHECK (octet_length(secret_digest) = 32),
  constraint step_up_proof_lifetime CHECK (expires_at > created_at AND expires_at <= (created_at + '00:05:00'::interval)),
  constraint step_up_purpose_known CHECK (purpose = ANY (ARRAY['RELATIONSHIP_EVALUATION_CONFIRM'::text, 'MEMORY_PRIVACY_DOWNGRADE'::text, 'MEMORY_SECRET_EXPORT'::text, 'IDENTITY_LEGACY_DRILL'::text, 'IDENTITY_PUBLISH'::text, 'ACCOUNT_EXPORT'::text, 'TOKEN_CREATE'::text, 'SECOND_FACTOR_CHANGE'::text])),
  constraint step_up_proof_of_session FOREIGN KEY (account_id, session_id) REFERENCES sessions(account_id, session_id)
);
CREATE INDEX step_up_proofs_open ON step_up_proofs USING btree (account_id, session_id) WHERE ended_at IS NULL;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON step_up_proofs FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table step_up_proofs enable always trigger permanent;
CREATE TRIGGER used_once BEFORE UPDATE ON step_up_proofs FOR EACH ROW WHEN (old.ended_at IS NOT NULL OR new.account_id::text IS DISTINCT FROM old.account_id::text OR new.proof_id::text IS DISTINCT FROM old.proof_id::text OR new.session_id::text IS DISTINCT FROM old.session_id::text OR new.secret_digest IS DISTINCT FROM old.secret_digest OR new.purpose IS DISTINCT FROM old.purpose OR new.target_id::text IS DISTINCT FROM old.target_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.expires_at IS DISTINCT FROM old.expires_at) EXECUTE FUNCTION refuse('PRS04', 'a proof ends once and never changes');
alter table step_up_proofs enable always trigger used_once;

create table taxonomy_assignments (
  owner_id ulid not null,
  assignment_id ulid not null,
  term_id ulid not null,
  module_code text collate "C" not null,
  record_id ulid not null,
  assigned_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  constraint taxonomy_assignments_pkey PRIMARY KEY (owner_id, assignment_id),
  constraint taxonomy_assignment_times_ordered CHECK (removed_at >= assigned_at),
  constraint taxonomy_terms_carry_no_terms CHECK (module_code <> 'taxonomy'::text),
  constraint taxonomy_assignment_of_record FOREIGN KEY (owner_id, record_id) REFERENCES records(owner_id, record_id),
  constraint taxonomy_assignment_of_term FOREIGN KEY (owner_id, term_id) REFERENCES taxonomy_terms(owner_id, term_id)
);
CREATE UNIQUE INDEX taxonomy_assignment_once ON taxonomy_assignments USING btree (record_id, term_id, owner_id) WHERE removed_at IS NULL;
CREATE INDEX taxonomy_assignments_of_a_record ON taxonomy_assignments USING btree (record_id, owner_id, assignment_id) WHERE removed_at IS NULL;
CREATE INDEX taxonomy_assignments_of_a_term ON taxonomy_assignments USING btree (term_id, owner_id, assignment_id) WHERE removed_at IS NULL;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON taxonomy_assignments FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.assignment_id::text IS DISTINCT FROM old.assignment_id::text OR new.module_code IS DISTINCT FROM old.module_code OR new.record_id::text IS DISTINCT FROM old.record_id::text OR new.assigned_at IS DISTINCT FROM old.assigned_at) EXECUTE FUNCTION refuse('PRS04', 'owner, identifier, record and time of assignment are fixed');
alter table taxonomy_assignments enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON taxonomy_assignments FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table taxonomy_assignments enable always trigger permanent;
CREATE TRIGGER removed_for_ever BEFORE UPDATE ON taxonomy_assignments FOR EACH ROW WHEN (old.removed_at IS NOT NULL) EXECUTE FUNCTION refuse('PRS04', 'a removed assignment stays as it is');
alter table taxonomy_assignments enable always trigger removed_for_ever;
CREATE CONSTRAINT TRIGGER taxonomy_assignment_follows_merge AFTER INSERT OR UPDATE ON taxonomy_assignments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION taxonomy_assignment_follows_merge();
alter table taxonomy_assignments enable always trigger taxonomy_assignment_follows_merge;
CREATE TRIGGER taxonomy_assignment_matches_record AFTER INSERT ON taxonomy_assignments FOR EACH ROW EXECUTE FUNCTION taxonomy_assignment_matches_record();
alter table taxonomy_assignments enable always trigger taxonomy_assignment_matches_record;

create table taxonomy_names (
  owner_id ulid not null,
  kind text collate "C" not null,
  compared text collate "C" not null,
  term_id ulid not null,
  position integer not null,
  spelling text not null,
  constraint taxonomy_names_pkey PRIMARY KEY (owner_id, kind, compared),
  constraint taxonomy_name_place UNIQUE (term_id, owner_id, "position"),
  constraint taxonomy_name_position CHECK ("position" >= 0),
  constraint taxonomy_name_of_term FOREIGN KEY (owner_id, kind, term_id) REFERENCES taxonomy_terms(owner_id, kind, term_id)
);
CREATE TRIGGER come_and_go BEFORE UPDATE OR TRUNCATE ON taxonomy_names FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'names come and go, and never change');
alter table taxonomy_names enable always trigger come_and_go;
CREATE CONSTRAINT TRIGGER taxonomy_name_is_of_term AFTER INSERT ON taxonomy_names DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION taxonomy_name_is_of_term();
alter table taxonomy_names enable always trigger taxonomy_name_is_of_term;
CREATE CONSTRAINT TRIGGER taxonomy_term_has_names AFTER DELETE ON taxonomy_names DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION taxonomy_term_has_names();
alter table taxonomy_names enable always trigger taxonomy_term_has_names;

create table taxonomy_term_revisions (
  owner_id ulid not null,
  term_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamp(3) with time zone not null,
  deactivated_at timestamp(3) with time zone,
  merged_into ulid,
  parent_id ulid,
  color text,
  sort_order integer,
  name text not null,
  aliases json not null,
  description text,
  previous_revision integer generated always as (NULLIF(revision - 1, 0)) stored,
  constraint taxonomy_term_revisions_pkey PRIMARY KEY (owner_id, term_id, revision),
  constraint taxonomy_term_revisions_revision_id_unique UNIQUE (revision_id, owner_id),
  constraint taxonomy_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'DEACTIVATED'::text OR deactivated_at IS NOT NULL) AND (change <> 'REACTIVATED'::text OR deactivated_at IS NULL) AND (change = 'MERGED'::text) = (merged_into IS NOT NULL)),
  constraint taxonomy_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'CHANGED'::text, 'RENAMED'::text, 'MOVED'::text, 'DEACTIVATED'::text, 'REACTIVATED'::text, 'MERGED'::text])),
  constraint taxonomy_term_revisions_revision_positive CHECK (revision >= 1),
  constraint taxonomy_revision_is_projected FOREIGN KEY (owner_id, term_id, revision) REFERENCES record_revisions(owner_id, record_id, revision),
  constraint taxonomy_term_revisions_follow FOREIGN KEY (owner_id, term_id, previous_revision) REFERENCES taxonomy_term_revisions(owner_id, term_id, revision),
  constraint taxonomy_term_revisions_have_root FOREIGN KEY (owner_id, term_id) REFERENCES taxonomy_terms(owner_id, term_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON taxonomy_term_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table taxonomy_term_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER taxonomy_term_revisions_match_root AFTER INSERT ON taxonomy_term_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION taxonomy_term_revisions_match_root();
alter table taxonomy_term_revisions enable always trigger taxonomy_term_revisions_match_root;

create table taxonomy_terms (
  owner_id ulid not null,
  term_id ulid not null,
  kind text collate "C" not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deactivated_at timestamp(3) with time zone,
  merged_into ulid,
  parent_id ulid,
  color text,
  sort_order integer,
  name text not null,
  aliases json not null,
  description text,
  constraint taxonomy_terms_pkey PRIMARY KEY (owner_id, term_id),
  constraint taxonomy_terms_of_a_kind UNIQUE (kind, owner_id, term_id),
  constraint taxonomy_aliases_listed CHECK (
CASE json_typeof(aliases)
    WHEN 'array'::text THEN json_array_length(aliases) <= 50
    ELSE false
END),
  constraint taxonomy_color_shape CHECK (color ~ '^#[0-9A-Fa-f]{6}$'::text),
  constraint taxonomy_description_length CHECK (char_length(description) <= 100000),
  constraint taxonomy_merged_is_inactive_tag CHECK (merged_into IS NULL OR kind = 'TAG'::text AND deactivated_at IS NOT NULL AND merged_into::text <> term_id::text),
  constraint taxonomy_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 64),
  constraint taxonomy_parent_of_category CHECK (parent_id IS NULL OR kind = 'CATEGORY'::text),
  constraint taxonomy_sort_order_range CHECK (sort_order >= 0 AND sort_order <= 1000000),
  constraint taxonomy_term_kind_known CHECK (kind = ANY (ARRAY['TAG'::text, 'CATEGORY'::text])),
  constraint taxonomy_terms_times_ordered CHECK (updated_at >= created_at),
  constraint taxonomy_merged_into_exists FOREIGN KEY (owner_id, kind, merged_into) REFERENCES taxonomy_terms(owner_id, kind, term_id) DEFERRABLE INITIALLY DEFERRED,
  constraint taxonomy_parent_exists FOREIGN KEY (owner_id, kind, parent_id) REFERENCES taxonomy_terms(owner_id, kind, term_id) DEFERRABLE INITIALLY DEFERRED,
  constraint taxonomy_term_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id),
  constraint taxonomy_terms_have_revision FOREIGN KEY (owner_id, term_id, revision) REFERENCES taxonomy_term_revisions(owner_id, term_id, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX taxonomy_categories_below ON taxonomy_terms USING btree (parent_id, owner_id, term_id) WHERE parent_id IS NOT NULL;
CREATE INDEX taxonomy_terms_active ON taxonomy_terms USING btree (kind, owner_id, term_id) WHERE deactivated_at IS NULL;
CREATE INDEX taxonomy_terms_inactive ON taxonomy_terms USING btree (kind, owner_id, term_id) WHERE deactivated_at IS NOT NULL;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON taxonomy_terms FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.term_id::text IS DISTINCT FROM old.term_id::text OR new.created_at IS DISTINCT FROM old.created_at OR new.kind IS DISTINCT FROM old.kind) EXECUTE FUNCTION refuse('PRS04', 'owner_id, term_id, created_at, kind are fixed');
alter table taxonomy_terms enable always trigger fixed_columns;
CREATE TRIGGER merged_for_ever BEFORE UPDATE ON taxonomy_terms FOR EACH ROW WHEN (old.merged_into IS NOT NULL) EXECUTE FUNCTION refuse('PRS04', 'a merged tag stays as it is');
alter table taxonomy_terms enable always trigger merged_for_ever;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON taxonomy_terms FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table taxonomy_terms enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON taxonomy_terms FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table taxonomy_terms enable always trigger revision_step;
CREATE CONSTRAINT TRIGGER taxonomy_category_fits_tree AFTER UPDATE ON taxonomy_terms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.kind = 'CATEGORY'::text AND (new.parent_id::text IS DISTINCT FROM old.parent_id::text OR new.deactivated_at IS DISTINCT FROM old.deactivated_at)) EXECUTE FUNCTION taxonomy_category_fits_tree();
alter table taxonomy_terms enable always trigger taxonomy_category_fits_tree;
CREATE CONSTRAINT TRIGGER taxonomy_merged_tag_is_bare AFTER UPDATE ON taxonomy_terms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.merged_into IS NOT NULL AND old.merged_into IS NULL) EXECUTE FUNCTION taxonomy_merged_tag_is_bare();
alter table taxonomy_terms enable always trigger taxonomy_merged_tag_is_bare;
CREATE CONSTRAINT TRIGGER taxonomy_new_category_fits_tree AFTER INSERT ON taxonomy_terms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.parent_id IS NOT NULL) EXECUTE FUNCTION taxonomy_category_fits_tree();
alter table taxonomy_terms enable always trigger taxonomy_new_category_fits_tree;
CREATE CONSTRAINT TRIGGER taxonomy_new_term_has_names AFTER INSERT ON taxonomy_terms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION taxonomy_term_has_names();
alter table taxonomy_terms enable always trigger taxonomy_new_term_has_names;
CREATE CONSTRAINT TRIGGER taxonomy_term_has_names AFTER UPDATE ON taxonomy_terms DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.name IS DISTINCT FROM old.name OR new.aliases::text IS DISTINCT FROM old.aliases::text OR new.merged_into::text IS DISTINCT FROM old.merged_into::text) EXECUTE FUNCTION taxonomy_term_has_names();
alter table taxonomy_terms enable always trigger taxonomy_term_has_names;

create table token_permissions (
  account_id ulid not null,
  token_id ulid not null,
  permission_id ulid not null,
  constraint token_permissions_pkey PRIMARY KEY (account_id, token_id, permission_id),
  constraint token_permission_of_permission FOREIGN KEY (permission_id) REFERENCES permissions(permission_id),
  constraint token_permission_of_token FOREIGN KEY (account_id, token_id) REFERENCES tokens(account_id, token_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON token_permissions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table token_permissions enable always trigger append_only;
CREATE TRIGGER fixed_rights BEFORE INSERT ON token_permissions FOR EACH ROW EXECUTE FUNCTION refuse_later_rights();
alter table token_permissions enable always trigger fixed_rights;

create table tokens (
  account_id ulid not null,
  token_id ulid not null,
  name text not null,
  secret_digest bytea not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint tokens_pkey PRIMARY KEY (account_id, token_id),
  constraint token_digest_unique UNIQUE (secret_digest),
  constraint token_digest_length CHECK (octet_length(secret_digest) = 32),
  constraint token_lifetime CHECK (expires_at > created_at AND expires_at <= (created_at + '8760:00:00'::interval)),
  constraint token_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 200),
  constraint token_of_account FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON tokens FOR EACH ROW WHEN (new.account_id::text IS DISTINCT FROM old.account_id::text OR new.token_id::text IS DISTINCT FROM old.token_id::text OR new.name IS DISTINCT FROM old.name OR new.secret_digest IS DISTINCT FROM old.secret_digest OR new.created_at IS DISTINCT FROM old.created_at OR new.expires_at IS DISTINCT FROM old.expires_at OR old.revoked_at IS NOT NULL AND new.revoked_at IS DISTINCT FROM old.revoked_at) EXECUTE FUNCTION refuse('PRS04', 'only last use may change, and revocation once');
alter table tokens enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON tokens FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table tokens enable always trigger permanent;

CREATE OR REPLACE FUNCTION public.account_lock(the_account text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(the_account, (1)::bigint);

CREATE OR REPLACE PROCEDURE public.begin_change_feed()
 LANGUAGE plpgsql
AS $procedure$
begin
  -- A table cannot be altered while checks of its rows are outstanding.
  set constraints all immediate;
  drop trigger if exists own_transaction on record_revisions;
  alter table record_revisions drop column if exists transaction_id;
  alter table record_revisions add column transaction_id xid8 not null default '0';
  alter table record_revisions alter column transaction_id set default pg_current_xact_id();
  -- Its condition holds for every row, and keeps it from statements that do not name a transaction: to
  -- a plan made while the table is empty, an index that begins like the primary key looks as good.
  create index revisions_by_transaction
    on record_revisions (owner_id, transaction_id, revision_id) where transaction_id is not null;
  create trigger own_transaction before insert on record_revisions
    for each row when (new.transaction_id is distinct from pg_current_xact_id())
    execute function refuse('PRS04', 'a revision has the number of its own transaction');
  alter table record_revisions enable always trigger own_transaction;
  insert into change_feed (feed_id) values (new_ulid())
    on conflict (singleton) do update set feed_id = excluded.feed_id;
end $procedure$;

CREATE OR REPLACE PROCEDURE public.check_change_feed()
 LANGUAGE plpgsql
AS $procedure$
begin
  -- Of several processes that start at once, one begins the feed.
  perform from change_feed for update;
  if exists (
    select from accounts a
     where exists (
       select from record_revisions v
        where v.owner_id = a.account_id
          and v.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
     )
  ) then
    call begin_change_feed();
  end if;
end $procedure$;

CREATE OR REPLACE FUNCTION public.claim_command(the_owner text, the_operation text, the_target text, the_key text, the_fingerprint bytea, the_fingerprint_key text, is_frozen boolean)
 RETURNS TABLE(verdict text, envelope text)
 LANGUAGE plpgsql
AS $function$
declare
  is_locked boolean;
  key_is_ours boolean;
  in_maintenance boolean;
  account_is_frozen boolean;
  stored_fingerprint_key text;
  stored_fingerprint bytea;
begin
  -- A lock returns no value, which is not null; in an expression it needs no query of its own.
  if is_frozen then
    is_locked := pg_advisory_xact_lock_shared(maintenance_lock()) is not null;
  end if;
  is_locked := pg_advisory_xact_lock_shared(account_lock(the_owner)) is not null;
  if the_key is not null then
    -- A row's text quotes what could be taken for a separator.
    key_is_ours := pg_try_advisory_xact_lock(
      hashtextextended(row(the_owner, the_operation, the_target, the_key)::text, 0)
    );
  end if;
  select w.active, a.frozen_at is not null, e.fingerprint_key, e.fingerprint, e.envelope::text
    into in_maintenance, account_is_frozen, stored_fingerprint_key, stored_fingerprint, envelope
    from maintenance_window w
    left join accounts a on a.account_id = the_owner
    left join idempotency_envelopes e
      on e.owner_id = the_owner and e.operation = the_operation
         and e.target = the_target and e.idempotency_key = the_key;
  verdict := case
    when is_frozen and in_maintenance then 'MAINTENANCE'
    -- An envelope stands for ever: of several replays at once none waits for another, and to read what
    -- was done is no write, which a frozen account answers too.
    when stored_fingerprint_key = the_fingerprint_key and stored_fingerprint <> the_fingerprint
      then 'REUSED'
    when stored_fingerprint_key is not null then 'REPLAY'
    when account_is_frozen then 'FROZEN'
    when key_is_ours is false then 'IN_PROGRESS'
    else 'GO'
  end;
  if verdict <> 'REPLAY' then
    envelope := null;
  end if;
  return next;
end $function$;

CREATE OR REPLACE FUNCTION public.decision_analysis_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root decision_analyses;
begin
  select * into root from decision_analyses r
    where r.owner_id = new.owner_id and r.analysis_id = new.analysis_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'decision_analyses: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.decision_revision,
    root.criteria::text,
    root.scores::text,
    root.totals::text,
    root.ranking::text,
    root.sensitivity::text
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.decision_revision,
    new.criteria::text,
    new.scores::text,
    new.totals::text,
    new.ranking::text,
    new.sensitivity::text
  ) then
    raise exception using errcode = 'PRS05', message = 'decision_analyses: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.decision_counterfactual_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root decision_counterfactuals;
begin
  select * into root from decision_counterfactuals r
    where r.owner_id = new.owner_id and r.counterfactual_id = new.counterfactual_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'decision_counterfactuals: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.option,
    root.narrative,
    root.expected_value,
    root.confidence
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.option,
    new.narrative,
    new.expected_value,
    new.confidence
  ) then
    raise exception using errcode = 'PRS05', message = 'decision_counterfactuals: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.decision_outcome_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root decision_outcomes;
begin
  select * into root from decision_outcomes r
    where r.owner_id = new.owner_id and r.outcome_id = new.outcome_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'decision_outcomes: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.occurred,
    root.description,
    root.observed_at,
    root.satisfaction
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.occurred,
    new.description,
    new.observed_at,
    new.satisfaction
  ) then
    raise exception using errcode = 'PRS05', message = 'decision_outcomes: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.decision_prediction_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root decision_predictions;
begin
  select * into root from decision_predictions r
    where r.owner_id = new.owner_id and r.prediction_id = new.prediction_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'decision_predictions: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.statement,
    root.probability,
    root.due_at
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.statement,
    new.probability,
    new.due_at
  ) then
    raise exception using errcode = 'PRS05', message = 'decision_predictions: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.decision_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root decisions;
begin
  select * into root from decisions r
    where r.owner_id = new.owner_id and r.decision_id = new.decision_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'decisions: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.archived_at,
    root.question,
    root.options::text,
    root.chosen_option,
    root.rationale,
    root.prediction,
    root.actual_outcome,
    root.decided_at,
    root.review_at
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.archived_at,
    new.question,
    new.options::text,
    new.chosen_option,
    new.rationale,
    new.prediction,
    new.actual_outcome,
    new.decided_at,
    new.review_at
  ) then
    raise exception using errcode = 'PRS05', message = 'decisions: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.decision_simulation_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root decision_simulations;
begin
  select * into root from decision_simulations r
    where r.owner_id = new.owner_id and r.simulation_id = new.simulation_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'decision_simulations: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.decision_revision,
    root.algorithm,
    root.seed,
    root.runs,
    root.options::text,
    root.results::text
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.decision_revision,
    new.algorithm,
    new.seed,
    new.runs,
    new.options::text,
    new.results::text
  ) then
    raise exception using errcode = 'PRS05', message = 'decision_simulations: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.evaluation_is_its_candidate()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from person_proposals p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
       and p.proposal_id = new.proposal_id and p.state = 'CONFIRMED'
       and (p.candidate, p.provider, p.source_digest, p.source_revision, p.evaluation_revision,
            p.decided_at)
         = (new.text, new.provider, new.source_digest, new.source_revision,
            new.evaluation_revision, new.recorded_at)
       and p.model is not distinct from new.model
  ) then
    raise exception using errcode = 'PRS05',
      message = 'person_evaluations: the evaluation differs from its proposal';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.evidence_control_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.privacy <= (
    select greatest(e.privacy, max(c.privacy))
      from person_evidence e left join person_evidence_controls c
        on c.owner_id = e.owner_id and c.person_id = e.person_id and c.evidence_id = e.evidence_id
           and c.control_number < new.control_number
     where e.owner_id = new.owner_id and e.person_id = new.person_id
       and e.evidence_id = new.evidence_id
     group by e.privacy
  ) then
    raise exception using errcode = 'PRS05', constraint = 'evidence_privacy_rises',
      message = 'person_evidence_controls: the privacy does not rise';
  end if;
  if exists (
    select from person_evidence_controls c
     where c.owner_id = new.owner_id and c.person_id = new.person_id
       and c.evidence_id = new.superseded_by
       and c.kind <> 'PRIVACY_RECLASSIFIED' and c.control_number < new.control_number
  ) then
    raise exception using errcode = 'PRS05', constraint = 'evidence_superseded_by_live',
      message = 'person_evidence_controls: what supersedes the entry has ended itself';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.execution_matches_record()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.module_code is distinct from (
    select module_code from records r
     where r.owner_id = new.owner_id and r.record_id = new.record_id
  ) then
    raise exception using errcode = 'PRS05', message = 'executions: the record is of another module';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.identity_holds(the_account text, the_credential text, the_role text, used_since timestamp with time zone, the_time timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return exists (
    select from accounts a
     where a.account_id = the_account and a.disabled_at is null and a.role = the_role
  ) and (exists (
    select from sessions s
     where s.account_id = the_account and s.session_id = the_credential and s.revoked_at is null
       and s.expires_at > the_time and s.last_seen_at > used_since
  ) or exists (
    select from tokens t
     where t.account_id = the_account and t.token_id = the_credential and t.revoked_at is null
       and t.expires_at > the_time and t.last_used_at > used_since
  ));
end $function$;

CREATE OR REPLACE FUNCTION public.identity_legacy_plan_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root identity_legacy_plans;
begin
  select * into root from identity_legacy_plans r
    where r.owner_id = new.owner_id and r.plan_id = new.plan_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'identity_legacy_plans: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.recipient_description,
    root.release_condition,
    root.instructions,
    root.fields
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.recipient_description,
    new.release_condition,
    new.instructions,
    new.fields
  ) then
    raise exception using errcode = 'PRS05', message = 'identity_legacy_plans: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.identity_profile_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root identity_profiles;
begin
  select * into root from identity_profiles r
    where r.owner_id = new.owner_id and r.profile_id = new.profile_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'identity_profiles: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.display_name,
    root.role,
    root.role_id,
    root.life_stage,
    root.started_at,
    root.ended_at,
    root.biography,
    root.public_summary,
    root.tags::text
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.display_name,
    new.role,
    new.role_id,
    new.life_stage,
    new.started_at,
    new.ended_at,
    new.biography,
    new.public_summary,
    new.tags::text
  ) then
    raise exception using errcode = 'PRS05', message = 'identity_profiles: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.identity_publication_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root identity_publications;
begin
  select * into root from identity_publications r
    where r.owner_id = new.owner_id and r.publication_id = new.publication_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'identity_publications: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.slug,
    root.fields,
    root.state,
    root.profile_revision,
    root.published_at,
    root.revoked_at
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.slug,
    new.fields,
    new.state,
    new.profile_revision,
    new.published_at,
    new.revoked_at
  ) then
    raise exception using errcode = 'PRS05', message = 'identity_publications: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.identity_stage_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root identity_stages;
begin
  select * into root from identity_stages r
    where r.owner_id = new.owner_id and r.stage_id = new.stage_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'identity_stages: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.archived_at,
    root.life_stage,
    root.title,
    root.started_at,
    root.ended_at,
    root.note
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.archived_at,
    new.life_stage,
    new.title,
    new.started_at,
    new.ended_at,
    new.note
  ) then
    raise exception using errcode = 'PRS05', message = 'identity_stages: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.is_record(module_code text, revision integer, source_type text, created_at timestamp with time zone, updated_at timestamp with time zone, title text, summary text, payload json)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return module_code collate pg_catalog."C" operator(pg_catalog.~) '^[a-z][a-z-]*$'
    and pg_catalog.octet_length(module_code) operator(pg_catalog.<=) 40
    and revision operator(pg_catalog.>=) 1
    and source_type operator(pg_catalog.=) any (array['USER_INPUT', 'IMPORT', 'SEED', 'SYSTEM'])
    and updated_at operator(pg_catalog.>=) created_at
    and pg_catalog.char_length(title) operator(pg_catalog.<=) 200
    and pg_catalog.char_length(summary) operator(pg_catalog.<=) 1000
    and pg_catalog.json_typeof(payload) operator(pg_catalog.=) 'object';
end $function$;

CREATE OR REPLACE FUNCTION public.is_sublist(part text[], whole text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select part = array(
    select name from unnest(whole) with ordinality as entries (name, place)
     where name = any (part) order by place)
$function$;

CREATE OR REPLACE FUNCTION public.last_contact_is_newest()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if (
    select last_contact_at from people p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
  ) is distinct from (
    select contacted_at from person_contacts c
     where c.owner_id = new.owner_id and c.person_id = new.person_id and not exists (
       select from person_contact_controls k
        where k.owner_id = c.owner_id and k.person_id = c.person_id and k.contact_id = c.contact_id)
     order by contacted_at desc limit 1
  ) then
    raise exception using errcode = 'PRS05',
      message = 'people: the last contact is not the newest one';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_matches_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root records;
begin
  select * into root from records r
    where r.owner_id = new.owner_id and r.record_id = new.record_id;
  if not found or root.module_code <> new.module_code then
    raise exception using errcode = 'PRS05', message = 'records: the revision is of another module';
  end if;
  if root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'records: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision then
    if (root.revision_id, root.title, root.summary, root.payload::text, root.updated_at)
         <> (new.revision_id, new.title, new.summary, new.payload::text, new.created_at)
       or root.archived_at is distinct from new.archived_at
    then
      raise exception using errcode = 'PRS05', message = 'records: the root differs from its revision';
    end if;
  elsif new.revision < 1 or char_length(new.title) > 200 or char_length(new.summary) > 1000
     or json_typeof(new.payload) <> 'object'
  then
    raise exception using errcode = 'PRS05',
      message = 'records: the revision is none that a root could have had';
  end if;
  if new.change not in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')
     or (new.change = 'CREATED') <> (new.revision = 1)
     or new.change = 'ARCHIVED' and new.archived_at is null
     or new.change = 'RESTORED' and new.archived_at is not null
  then
    raise exception using errcode = 'PRS05', message = 'records: the kind of change does not fit';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.maintenance_lock()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '5787213827046133841'::bigint;

CREATE OR REPLACE PROCEDURE public.make_append_only(IN ledger regclass)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format(
    'create trigger append_only before update or delete or truncate on %s
       for each statement execute function refuse(''PRS01'', ''append-only'')', ledger);
  execute format('alter table %s enable always trigger append_only', ledger);
end $procedure$;

CREATE OR REPLACE PROCEDURE public.make_ledger_of_root(IN ledger regclass, IN root regclass, IN id name, IN root_only name[])
 LANGUAGE plpgsql
AS $procedure$
declare
  ledger_name name := (select relname from pg_class where oid = ledger);
  root_name name := (select relname from pg_class where oid = root);
  guard name := ledger_name || '_match_root';
  root_columns text;
  ledger_columns text;
  missing text;
begin
  -- Values of type json cannot be compared, their texts can.
  select string_agg(a.attname, ', ') filter (where l.attname is null),
         string_agg(format(E',\n    root.%I%s', a.attname,
                           case a.atttypid when 'json'::regtype then '::text' end), ''
                    order by a.attnum),
         string_agg(format(E',\n    new.%I%s', a.attname,
                           case l.atttypid when 'json'::regtype then '::text' end), ''
                    order by a.attnum)
    into missing, root_columns, ledger_columns
    from pg_attribute a left join pg_attribute l
      on l.attrelid = ledger and l.attname = a.attname and l.attnum > 0 and not l.attisdropped
   where a.attrelid = root and a.attnum > 0 and not a.attisdropped
     and a.attname <> all (array['owner_id', id, 'revision', 'created_at', 'updated_at'] || root_only);
  if missing is not null then
    raise exception '% lacks columns of %: %', ledger_name, root_name, missing;
  end if;
  execute format('drop trigger if exists %I on %s', guard, ledger);
  execute format(
    $guard$
create or replace function %1$I() returns trigger language plpgsql as $body$
declare
  root %2$s;
begin
  select * into root from %2$s r
    where r.owner_id = new.owner_id and r.%3$I = new.%3$I;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = '%4$s: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at%5$s
  ) is distinct from (
    new.created_at%6$s
  ) then
    raise exception using errcode = 'PRS05', message = '%4$s: the root differs from its revision';
  end if;
  return null;
end $body$
    $guard$,
    guard, root, id, root_name, root_columns, ledger_columns);
  call pin_search_path(format('%I()', guard)::regprocedure);
  execute format(
    'create constraint trigger %1$I after insert on %2$s
       deferrable initially deferred for each row execute function %1$I()', guard, ledger);
  execute format('alter table %s enable always trigger %I', ledger, guard);
end $procedure$;

CREATE OR REPLACE PROCEDURE public.make_permanent(IN permanent_table regclass)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format(
    'create trigger permanent before delete or truncate on %s
       for each statement execute function refuse(''PRS01'', ''permanent'')', permanent_table);
  execute format('alter table %s enable always trigger permanent', permanent_table);
end $procedure$;

CREATE OR REPLACE PROCEDURE public.make_person_guard(IN guard name, IN ledger regclass, IN arguments text)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format(
    'create constraint trigger %1$I after insert on %2$s deferrable initially deferred
       for each row execute function %1$I(%3$s)', guard, ledger, arguments);
  execute format('alter table %s enable always trigger %I', ledger, guard);
end $procedure$;

CREATE OR REPLACE PROCEDURE public.make_revisions(IN root regclass, IN ledger regclass, IN id name, IN fixed name[])
 LANGUAGE plpgsql
AS $procedure$
declare
  root_name name := (select relname from pg_class where oid = root);
  ledger_name name := (select relname from pg_class where oid = ledger);
begin
  execute format(
    'alter table %1$s
       add column previous_revision integer generated always as (nullif(revision - 1, 0)) stored,
       add constraint %2$I check (revision >= 1),
       add constraint %3$I foreign key (owner_id, %4$I) references %5$s,
       add primary key (owner_id, %4$I, revision),
       add constraint %6$I foreign key (owner_id, %4$I, previous_revision)
         references %1$s (owner_id, %4$I, revision),
       -- A revision''s identifier is also a page cursor, and comes before the owner as in
       -- record_revisions.
       add constraint %7$I unique (revision_id, owner_id)',
    ledger, ledger_name || '_revision_positive', ledger_name || '_have_root', id, root,
    ledger_name || '_follow', ledger_name || '_revision_id_unique');
  execute format(
    'alter table %1$s
       add constraint %2$I check (updated_at >= created_at),
       add constraint %3$I foreign key (owner_id, %4$I, revision)
         references %5$s (owner_id, %4$I, revision) deferrable initially deferred',
    root, root_name || '_times_ordered', root_name || '_have_revision', id, ledger);
  call make_root(root, id, fixed);
  call make_append_only(ledger);
  call make_ledger_of_root(ledger, root, id, fixed);
end $procedure$;

CREATE OR REPLACE PROCEDURE public.make_root(IN root regclass, IN id name, IN fixed name[])
 LANGUAGE plpgsql
AS $procedure$
declare
  kept name[] := array['owner_id', id, 'created_at'] || fixed;
begin
  execute format('drop trigger if exists permanent on %s', root);
  execute format('drop trigger if exists revision_step on %s', root);
  execute format('drop trigger if exists fixed_columns on %s', root);
  call make_permanent(root);
  execute format(
    'create trigger revision_step before update on %s
       for each row when (new.revision is distinct from old.revision + 1)
       execute function refuse(''PRS03'', ''the revision steps by one'')', root);
  execute format('alter table %s enable always trigger revision_step', root);
  execute format(
    'create trigger fixed_columns before update on %s
       for each row when ((%s) is distinct from (%s))
       execute function refuse(''PRS04'', %L)',
    root,
    (select string_agg(format('new.%I', name), ', ') from unnest(kept) name),
    (select string_agg(format('old.%I', name), ', ') from unnest(kept) name),
    array_to_string(kept, ', ') || ' are fixed');
  execute format('alter table %s enable always trigger fixed_columns', root);
end $procedure$;

CREATE OR REPLACE FUNCTION public.memory_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root memories;
begin
  select * into root from memories r
    where r.owner_id = new.owner_id and r.memory_id = new.memory_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'memories: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.archived_at,
    root.title,
    root.summary,
    root.memory_type,
    root.current_content,
    root.occurred_at,
    root.time_precision,
    root.time_text,
    root.time_from,
    root.time_to,
    root.importance,
    root.ai_draft,
    root.ai_draft_provider,
    root.ai_draft_model,
    root.privacy_level
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.archived_at,
    new.title,
    new.summary,
    new.memory_type,
    new.current_content,
    new.occurred_at,
    new.time_precision,
    new.time_text,
    new.time_from,
    new.time_to,
    new.importance,
    new.ai_draft,
    new.ai_draft_provider,
    new.ai_draft_model,
    new.privacy_level
  ) then
    raise exception using errcode = 'PRS05', message = 'memories: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.new_ulid()
 RETURNS ulid
 LANGUAGE sql
AS $function$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + digit, 1), '' order by place)
    from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as time,
                 sha256(uuid_send(gen_random_uuid())) as random) new,
         generate_series(0, 25) place,
         lateral (select case when place < 10 then ((time >> 5 * (9 - place)) & 31)::integer
                              else get_byte(random, place) & 31 end as digit) digits
$function$;

CREATE OR REPLACE FUNCTION public.outcome_fits_prediction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  present integer;
begin
  select revision into present from decision_predictions p
    where p.owner_id = new.owner_id and p.prediction_id = new.prediction_id for no key update;
  if present is distinct from new.prediction_revision then
    raise exception using errcode = 'PRS05',
      message = 'decision_outcomes: the outcome is of another revision of its prediction';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.person_entry_fits_revision()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from person_revisions v
     where v.owner_id = new.owner_id and v.person_id = new.person_id
       and v.revision = new.person_revision and v.created_at = new.recorded_at
       and v.change = any (tg_argv)
  ) then
    raise exception using errcode = 'PRS05',
      message = format('%s: the revision is of another kind', tg_table_name);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.person_entry_is_on_timeline()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from person_timeline_entries t
     where t.owner_id = new.owner_id and t.person_id = new.person_id and t.kind = tg_argv[0]
       and t.source_id = to_jsonb(new) ->> tg_argv[1]
  ) then
    raise exception using errcode = 'PRS05',
      message = format('%s: the entry is missing in the timeline', tg_table_name);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.person_projection_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from people p
      join records r on r.owner_id = p.owner_id and r.record_id = p.person_id
      join record_revisions v on v.owner_id = r.owner_id and v.record_id = r.record_id
     where p.owner_id = new.owner_id and p.person_id = new.person_id and v.revision = new.revision
       and (r.module_code, r.source_type, r.created_at, r.recorded_at, v.payload::text)
         = ('relationship', 'USER_INPUT', p.created_at, p.created_at, '{}')
       and (v.revision_id, v.created_at, v.title, v.summary)
         = (new.revision_id, new.created_at, new.person_name, new.relationship_type)
       and v.archived_at is not distinct from new.archived_at
  ) then
    raise exception using errcode = 'PRS05',
      message = 'person_revisions: the projection differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.person_revision_has_its_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  previous person_revisions;
begin
  select * into previous from person_revisions v
    where v.owner_id = new.owner_id and v.person_id = new.person_id and v.revision = new.revision - 1;
  if not (case
    when new.change in ('STATUS_CHANGED', 'ARCHIVED', 'RESTORED') then
      new.last_contact_at is not distinct from previous.last_contact_at and exists (
        select from person_status_events e
         where e.owner_id = new.owner_id and e.person_id = new.person_id
           and e.person_revision = new.revision
           and (e.from_status, e.to_status) = (previous.status, new.status))
    when new.change = 'CONTACT_RETRACTED' then
      new.status = previous.status and exists (
        select from person_contact_controls k
         where k.owner_id = new.owner_id and k.person_id = new.person_id
           and k.person_revision = new.revision)
    when new.change = 'CONTACT_RECORDED' or (new.change = 'CREATED' and new.last_contact_at is not null) then
      new.status = coalesce(previous.status, new.status) and exists (
        select from person_contacts c
         where c.owner_id = new.owner_id and c.person_id = new.person_id
           and c.person_revision = new.revision)
    when new.change in ('MODIFIED', 'EVALUATION_CONFIRMED') then
      new.status = previous.status
      and new.last_contact_at is not distinct from previous.last_contact_at
    else true
  end and case new.change
    when 'EVALUATION_CONFIRMED' then
      new.current_evaluation_revision = coalesce(previous.current_evaluation_revision, 0) + 1
      and exists (
        select from person_evaluations e
         where e.owner_id = new.owner_id and e.person_id = new.person_id
           and e.person_revision = new.revision
           and e.evaluation_revision = new.current_evaluation_revision)
    else
      new.current_evaluation_revision is not distinct from previous.current_evaluation_revision
  end) then
    raise exception using errcode = 'PRS05',
      message = 'person_revisions: the revision lacks the entry that explains it';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.person_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root people;
begin
  select * into root from people r
    where r.owner_id = new.owner_id and r.person_id = new.person_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'people: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.archived_at,
    root.person_name,
    root.relationship_type,
    root.importance,
    root.last_contact_at,
    root.desired_contact_interval_days,
    root.opinion,
    root.evidence,
    root.counter_evidence,
    root.status,
    root.status_before,
    root.current_evaluation_revision
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.archived_at,
    new.person_name,
    new.relationship_type,
    new.importance,
    new.last_contact_at,
    new.desired_contact_interval_days,
    new.opinion,
    new.evidence,
    new.counter_evidence,
    new.status,
    new.status_before,
    new.current_evaluation_revision
  ) then
    raise exception using errcode = 'PRS05', message = 'people: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.person_takes_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  present text;
begin
  select status into present from people p
    where p.owner_id = new.owner_id and p.person_id = new.person_id for no key update;
  if present in ('ARCHIVED', 'SEALED') then
    raise exception using errcode = 'PRS02', constraint = 'person_status_allows',
      message = format('%s: an archived or sealed person takes no entries', tg_table_name);
  end if;
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE public.pin_search_path(IN guard regprocedure)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter function %s set search_path = %I, pg_temp', guard, current_schema());
end $procedure$;

CREATE OR REPLACE FUNCTION public.prediction_is_open()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from decision_outcomes o
              where o.owner_id = old.owner_id and o.prediction_id = old.prediction_id) then
    raise exception using errcode = 'PRS04',
      message = 'decision_predictions: a prediction with an outcome stays as it is';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.profile_has_newest_role()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  profile identity_profiles;
  newest identity_roles;
begin
  select * into profile from identity_profiles p where p.owner_id = new.owner_id;
  select * into newest from identity_roles r
    where r.owner_id = new.owner_id order by r.changed_at desc, r.role_id desc limit 1;
  if found and (profile.role_id, profile.role) is distinct from (newest.role_id, newest.role) then
    raise exception using errcode = 'PRS05',
      message = 'identity_profiles: the role is not the newest one';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.proposal_of_open_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if (
    select status from people p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
  ) in ('ARCHIVED', 'SEALED') then
    raise exception using errcode = 'PRS02', constraint = 'person_status_allows',
      message = 'person_proposals: the person is archived or sealed';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.proposal_sources_are_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if json_array_length(new.sources) <> (
    select count(distinct e.evidence_id)
      from json_array_elements_text(new.sources) source join person_evidence e
        on e.owner_id = new.owner_id and e.person_id = new.person_id and e.evidence_id = source
  ) then
    raise exception using errcode = 'PRS05',
      message = 'person_proposals: a source is no evidence about the person';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.proposal_state_is_its_last_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if (
    select state from person_proposals p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
       and p.proposal_id = new.proposal_id
  ) is distinct from (
    select to_state from person_proposal_events e
     where e.owner_id = new.owner_id and e.person_id = new.person_id
       and e.proposal_id = new.proposal_id and not exists (
         select from person_proposal_events n
          where n.owner_id = e.owner_id and n.person_id = e.person_id
            and n.proposal_id = e.proposal_id and n.from_state = e.to_state)
  ) then
    raise exception using errcode = 'PRS05',
      message = format('%s: the state is not that of the last event', tg_table_name);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (row(new.owner_id, new.record_id, new.module_code, new.source_type, new.recorded_at,
          new.created_at)
      operator(pg_catalog.=)
      row(old.owner_id, old.record_id, old.module_code, old.source_type, old.recorded_at,
          old.created_at)) is not true
  then
    raise exception using errcode = 'PRS04',
      message = 'records: owner, identifier, module, source and creation are fixed';
  end if;
  if (new.revision operator(pg_catalog.=) (old.revision operator(pg_catalog.+) 1)) is not true then
    raise exception using errcode = 'PRS03', message = 'records: the revision steps by one';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = tg_argv[0], message = format('%s: %s', tg_table_name, tg_argv[1]);
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_by_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'PRS02', constraint = 'person_status_allows',
    message = format('%s: %s', tg_table_name, tg_argv[0]);
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_later_rights()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- A row's xmin is the transaction that made it, or that changed it last.
  if exists (
    select from tokens
     where account_id = new.account_id and token_id = new.token_id
       and xmin <> pg_current_xact_id()::xid
  ) then
    raise exception using errcode = 'PRS04', message = 'token_permissions: the token stands already';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.resource_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root resources;
begin
  select * into root from resources r
    where r.owner_id = new.owner_id and r.resource_id = new.resource_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'resources: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.archived_at,
    root.resource_type,
    root.name,
    root.amount,
    root.unit,
    root.capacity,
    root.available,
    root.level,
    root.notes
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.archived_at,
    new.resource_type,
    new.name,
    new.amount,
    new.unit,
    new.capacity,
    new.available,
    new.level,
    new.notes
  ) then
    raise exception using errcode = 'PRS05', message = 'resources: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.revision_follows_in_feed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if (
    select v.transaction_id from record_revisions v
     where v.owner_id = old.owner_id and v.record_id = old.record_id and v.revision = old.revision
  ) > pg_current_xact_id() then
    raise exception using errcode = '40001',
      message = 'records: the present revision is of a later transaction';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.search_candidates(query tsquery, most integer)
 RETURNS TABLE(owner_id ulid, record_id ulid)
 LANGUAGE plpgsql
 STABLE
 SET enable_bitmapscan TO 'on'
 SET enable_seqscan TO 'off'
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query
    select i.owner_id, i.record_id from search_index i where i.words @@ query limit most;
end $function$;

CREATE OR REPLACE FUNCTION public.take_access_attempt(the_attempt text, the_subject bytea, the_address bytea, the_time timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  address_window constant interval := '15 minutes';
  account_window constant interval := '1 hour';
  -- Hours, because a day's length depends on the session's time zone.
  successes_since constant timestamptz := the_time - interval '720 hours';
  refused_until timestamptz;
begin
  -- Attempts that share a limit take turns. The address always comes first, so that no two of them
  -- wait for each other.
  perform pg_advisory_xact_lock(1, hashtext(encode(the_address, 'hex')));
  if the_subject is not null then
    perform pg_advisory_xact_lock(2, hashtext(encode(the_subject, 'hex')));
  end if;

  -- Each attempt removes far more than it adds, and never so much that it takes long.
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where not succeeded and attempted_at <= the_time - account_window
     limit 100 for update skip locked));
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where succeeded and attempted_at <= successes_since
     limit 100 for update skip locked));

  -- A limit is reached while the failure that filled it is in the window. The newest thirty from
  -- the address tell of the pair too: its own limit outlasts whatever is older than those.
  with from_address as (
    select subject, attempted_at from access_attempts
     where address = the_address and not succeeded and attempted_at > the_time - address_window
     order by attempted_at desc limit 30
  )
  select max(ends_at) into refused_until from (
    (select attempted_at + address_window as ends_at from from_address where subject = the_subject
      order by attempted_at desc offset 9 limit 1)
    union all
    (select attempted_at + address_window from from_address
      order by attempted_at desc offset 29 limit 1)
    union all
    -- Many strangers together cannot lock the owner out of an address that the account knows.
    (select attempted_at + account_window from access_attempts
      where subject = the_subject and not succeeded and attempted_at > the_time - account_window
        and not exists (
          select from access_attempts
           where subject = the_subject and address = the_address
             and succeeded and attempted_at > successes_since)
      order by attempted_at desc offset 99 limit 1)
  ) reached;
  if refused_until is not null then
    return ceil(extract(epoch from refused_until - the_time));
  end if;

  insert into access_attempts (attempt_id, subject, address, attempted_at)
    values (the_attempt, the_subject, the_address, the_time);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_assignment_follows_merge()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  assignment taxonomy_assignments;
  target ulid;
begin
  if tg_op = 'UPDATE' and new.term_id <> old.term_id then
    select t.merged_into into target from taxonomy_terms t
      where t.owner_id = old.owner_id and t.term_id = old.term_id;
    if target is distinct from new.term_id then
      raise exception using errcode = 'PRS04',
        message = 'taxonomy_assignments: the term changes by a merge alone';
    end if;
  end if;
  select * into assignment from taxonomy_assignments a
    where a.owner_id = new.owner_id and a.assignment_id = new.assignment_id;
  select t.merged_into into target from taxonomy_terms t
    where t.owner_id = assignment.owner_id and t.term_id = assignment.term_id;
  if assignment.removed_at is null and target is not null then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_assignments: a record carries a merged tag';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_assignment_matches_record()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.module_code is distinct from (
    select module_code from records r
     where r.owner_id = new.owner_id and r.record_id = new.record_id
  ) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_assignments: the record is of another module';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_category_fits_tree()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  category taxonomy_terms;
  is_active boolean;
  levels integer := 0;
  above ulid := new.term_id;
begin
  while above is not null and levels <= 8 loop
    select * into category from taxonomy_terms t
      where t.owner_id = new.owner_id and t.term_id = above;
    -- The category itself, then its parent.
    if levels = 0 then
      is_active := category.deactivated_at is null;
    elsif levels = 1 and is_active and category.deactivated_at is not null then
      raise exception using errcode = 'PRS05',
        message = 'taxonomy_terms: an active category is below an inactive one';
    end if;
    levels := levels + 1;
    above := category.parent_id;
  end loop;
  -- What comes below a new category comes later, and is looked at by itself.
  if tg_op = 'UPDATE' and levels <= 8 then
    if not is_active and exists (
      select from (
        select t.deactivated_at from taxonomy_terms t
         where t.owner_id = new.owner_id and t.parent_id = new.term_id offset 0) child
       where child.deactivated_at is null) then
      raise exception using errcode = 'PRS05',
        message = 'taxonomy_terms: an inactive category has an active one below it';
    end if;
    with recursive below as (
      select new.term_id, levels as level
      union all
      select child.term_id, below.level + 1
        from below cross join lateral (
          select t.term_id from taxonomy_terms t
           where t.owner_id = new.owner_id and t.parent_id = below.term_id offset 0) child
       where below.level <= 8
    )
    select max(level) into levels from below;
  end if;
  if levels > 8 then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_terms: a category is below itself or on a ninth level';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_merged_tag_is_bare()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from taxonomy_assignments a
              where a.owner_id = new.owner_id and a.term_id = new.term_id
                and a.removed_at is null) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_terms: a record carries a merged tag';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_name_is_of_term()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  term taxonomy_terms;
  present text;
begin
  select * into term from taxonomy_terms t
    where t.owner_id = new.owner_id and t.term_id = new.term_id;
  -- The same transaction may have taken it away again.
  select n.spelling into present from taxonomy_names n
    where n.owner_id = new.owner_id and n.term_id = new.term_id and n.position = new.position;
  if found and (term.merged_into is not null or present is distinct from
      case new.position when 0 then term.name else term.aliases ->> (new.position - 1) end) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_names: the name is not one of its term''s';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_names_lock(the_owner text, the_kind text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(((('taxonomy '::text || the_kind) || ' '::text) || the_owner), (0)::bigint);

CREATE OR REPLACE FUNCTION public.taxonomy_term_has_names()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  the_owner ulid;
  the_term ulid;
begin
  if tg_op = 'DELETE' then
    the_owner := old.owner_id;
    the_term := old.term_id;
  else
    the_owner := new.owner_id;
    the_term := new.term_id;
  end if;
  if (
    select case when t.merged_into is null
             then array[t.name] || array(select json_array_elements_text(t.aliases)) else '{}' end
      from taxonomy_terms t where t.owner_id = the_owner and t.term_id = the_term
  ) is distinct from array(
    select n.spelling from taxonomy_names n
     where n.owner_id = the_owner and n.term_id = the_term order by n.position
  ) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_terms: the names of a term are not its name and its aliases';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_term_revisions_match_root()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  root taxonomy_terms;
begin
  select * into root from taxonomy_terms r
    where r.owner_id = new.owner_id and r.term_id = new.term_id;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'taxonomy_terms: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at,
    root.revision_id,
    root.deactivated_at,
    root.merged_into,
    root.parent_id,
    root.color,
    root.sort_order,
    root.name,
    root.aliases::text,
    root.description
  ) is distinct from (
    new.created_at,
    new.revision_id,
    new.deactivated_at,
    new.merged_into,
    new.parent_id,
    new.color,
    new.sort_order,
    new.name,
    new.aliases::text,
    new.description
  ) then
    raise exception using errcode = 'PRS05', message = 'taxonomy_terms: the root differs from its revision';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.taxonomy_tree_lock(the_owner text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(('taxonomy tree '::text || the_owner), (0)::bigint);

CREATE OR REPLACE FUNCTION public.text_multirange()
 RETURNS text_multirange
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$multirange_constructor0$function$;

CREATE OR REPLACE FUNCTION public.text_multirange(VARIADIC text_range[])
 RETURNS text_multirange
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$multirange_constructor2$function$;

CREATE OR REPLACE FUNCTION public.text_multirange(text_range)
 RETURNS text_multirange
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$multirange_constructor1$function$;

CREATE OR REPLACE FUNCTION public.text_range(text, text)
 RETURNS text_range
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE
AS $function$range_constructor2$function$;

CREATE OR REPLACE FUNCTION public.text_range(text, text, text)
 RETURNS text_range
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE
AS $function$range_constructor3$function$;

CREATE OR REPLACE FUNCTION public.timeline_entry_fits_source()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not (case new.kind
    when 'CONTACT_RECORDED' then exists (
      select from person_contacts c
       where c.owner_id = new.owner_id and c.person_id = new.person_id
         and c.contact_id = new.source_id
         and (c.contacted_at, c.recorded_at) = (new.occurred_at, new.recorded_at))
    when 'CONTACT_RETRACTED' then new.occurred_at is null and exists (
      select from person_contact_controls k
       where k.owner_id = new.owner_id and k.person_id = new.person_id
         and k.contact_id = new.source_id and k.recorded_at = new.recorded_at)
    when 'EXPERIENCE_RECORDED' then exists (
      select from person_experiences e
       where e.owner_id = new.owner_id and e.person_id = new.person_id
         and e.experience_id = new.source_id and e.recorded_at = new.recorded_at
         and e.occurred_at is not distinct from new.occurred_at)
    when 'STATUS_CHANGED' then new.occurred_at is null and exists (
      select from person_status_events s
       where s.owner_id = new.owner_id and s.person_id = new.person_id
         and s.event_id = new.source_id and s.recorded_at = new.recorded_at)
    when 'EVALUATION_CONFIRMED' then new.occurred_at is null and exists (
      select from person_evaluations e
       where e.owner_id = new.owner_id and e.person_id = new.person_id
         and e.evaluation_id = new.source_id and e.recorded_at = new.recorded_at)
  end) then
    raise exception using errcode = 'PRS05',
      message = 'person_timeline_entries: the entry differs from its source';
  end if;
  return null;
end $function$;
