-- The net schema of all migrations, read from the catalog tables of a migrated database.
-- Written by `deno task snapshot`; a test compares it with both engines. Do not edit.

create domain ulid as text collate "C"
  constraint canonical_ulid CHECK (VALUE ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'::text);

create table accounts (
  account_id ulid not null,
  email text not null,
  email_key text not null,
  display_name text not null,
  password_hash text not null,
  role text not null default 'OWNER'::text,
  created_at timestamp(3) with time zone not null,
  disabled_at timestamp(3) with time zone,
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint account_email_unique UNIQUE (email_key),
  constraint account_display_name_length CHECK (char_length(display_name) >= 1 AND char_length(display_name) <= 200),
  constraint account_email_length CHECK (char_length(email) >= 3 AND char_length(email) <= 254),
  constraint account_role_known CHECK (role = ANY (ARRAY['OWNER'::text, 'EDITOR'::text, 'VIEWER'::text, 'SERVICE'::text]))
);
CREATE TRIGGER fixed_columns BEFORE UPDATE ON accounts FOR EACH ROW WHEN (new.account_id::text IS DISTINCT FROM old.account_id::text OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'identifier and creation are fixed');
alter table accounts enable always trigger fixed_columns;
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
  constraint audit_entries_pkey PRIMARY KEY (owner_id, audit_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table audit_entries enable always trigger append_only;

create table executions (
  owner_id ulid not null,
  execution_id ulid not null,
  record_id ulid not null,
  module_code text collate "C" not null,
  feature_id text not null,
  strategy text not null,
  revision integer not null,
  status text not null,
  output json not null,
  created_at timestamp(3) with time zone not null,
  constraint executions_pkey PRIMARY KEY (owner_id, execution_id),
  constraint execution_feature_shape CHECK (feature_id ~ '^[A-Z]{3}-[0-9]{3}$'::text),
  constraint execution_status_known CHECK (status = 'SUCCEEDED'::text),
  constraint execution_of_revision FOREIGN KEY (owner_id, record_id, revision) REFERENCES record_revisions(owner_id, record_id, revision)
);
CREATE INDEX executions_by_record ON executions USING btree (owner_id, record_id, execution_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON executions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table executions enable always trigger append_only;
CREATE TRIGGER execution_matches_record AFTER INSERT ON executions FOR EACH ROW EXECUTE FUNCTION execution_matches_record();
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

create table maintenance_window (
  singleton boolean not null default true,
  active boolean not null default false,
  constraint maintenance_window_pkey PRIMARY KEY (singleton),
  constraint maintenance_window_single CHECK (singleton)
);
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON maintenance_window FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table maintenance_window enable always trigger permanent;

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
  constraint record_revisions_pkey PRIMARY KEY (owner_id, record_id, revision),
  constraint revision_id_unique UNIQUE (revision_id, owner_id),
  constraint revision_change_fits CHECK ((change = 'CREATED'::text) = (revision = 1) AND (change <> 'ARCHIVED'::text OR archived_at IS NOT NULL) AND (change <> 'RESTORED'::text OR archived_at IS NULL)),
  constraint revision_change_known CHECK (change = ANY (ARRAY['CREATED'::text, 'MODIFIED'::text, 'ARCHIVED'::text, 'RESTORED'::text])),
  constraint revision_payload_object CHECK (json_typeof(payload) = 'object'::text),
  constraint revision_positive CHECK (revision >= 1),
  constraint revision_summary_length CHECK (char_length(summary) <= 1000),
  constraint revision_title_length CHECK (char_length(title) <= 200),
  constraint revision_follows FOREIGN KEY (owner_id, record_id, previous_revision) REFERENCES record_revisions(owner_id, record_id, revision),
  constraint revision_of_record FOREIGN KEY (owner_id, record_id) REFERENCES records(owner_id, record_id)
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON record_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'append-only');
alter table record_revisions enable always trigger append_only;
CREATE CONSTRAINT TRIGGER ledger_matches_root AFTER INSERT ON record_revisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_matches_root();
alter table record_revisions enable always trigger ledger_matches_root;

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
  constraint records_pkey PRIMARY KEY (owner_id, record_id),
  constraint record_module_code_shape CHECK (module_code ~ '^[a-z][a-z-]{0,39}$'::text),
  constraint record_payload_object CHECK (json_typeof(payload) = 'object'::text),
  constraint record_revision_positive CHECK (revision >= 1),
  constraint record_source_type_known CHECK (source_type = ANY (ARRAY['USER_INPUT'::text, 'IMPORT'::text, 'SEED'::text, 'SYSTEM'::text])),
  constraint record_summary_length CHECK (char_length(summary) <= 1000),
  constraint record_times_ordered CHECK (updated_at >= created_at),
  constraint record_title_length CHECK (char_length(title) <= 200),
  constraint record_has_its_revision FOREIGN KEY (owner_id, record_id, revision) REFERENCES record_revisions(owner_id, record_id, revision) DEFERRABLE INITIALLY DEFERRED,
  constraint record_owner_exists FOREIGN KEY (owner_id) REFERENCES accounts(account_id)
);
CREATE INDEX records_archived_by_creation ON records USING btree (owner_id, module_code, record_id) WHERE archived_at IS NOT NULL;
CREATE INDEX records_archived_by_update ON records USING btree (owner_id, module_code, revision_id) WHERE archived_at IS NOT NULL;
CREATE INDEX records_live_by_creation ON records USING btree (owner_id, module_code, record_id) WHERE archived_at IS NULL;
CREATE INDEX records_live_by_update ON records USING btree (owner_id, module_code, revision_id) WHERE archived_at IS NULL;
CREATE TRIGGER fixed_columns BEFORE UPDATE ON records FOR EACH ROW WHEN (new.owner_id::text IS DISTINCT FROM old.owner_id::text OR new.record_id::text IS DISTINCT FROM old.record_id::text OR new.module_code IS DISTINCT FROM old.module_code OR new.source_type IS DISTINCT FROM old.source_type OR new.recorded_at IS DISTINCT FROM old.recorded_at OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse('PRS04', 'owner, identifier, module, source and creation are fixed');
alter table records enable always trigger fixed_columns;
CREATE TRIGGER permanent BEFORE DELETE OR TRUNCATE ON records FOR EACH STATEMENT EXECUTE FUNCTION refuse('PRS01', 'permanent');
alter table records enable always trigger permanent;
CREATE TRIGGER revision_step BEFORE UPDATE ON records FOR EACH ROW WHEN (new.revision IS DISTINCT FROM (old.revision + 1)) EXECUTE FUNCTION refuse('PRS03', 'the revision steps by one');
alter table records enable always trigger revision_step;

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp(3) with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

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
  constraint sessions_pkey PRIMARY KEY (account_id, session_id),
  constraint session_digest_unique UNIQUE (secret_digest),
  constraint session_device_name_length CHECK (char_length(device_name) <= 200),
  constraint session_digest_length CHECK (octet_length(secret_digest) = 32),
  constraint session_transport_known CHECK (transport = ANY (ARRAY['cookie'::text, 'bearer'::text])),
  constraint session_of_account FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

create table setup_token (
  singleton boolean not null default true,
  secret_digest bytea not null,
  expires_at timestamp(3) with time zone not null,
  constraint setup_token_pkey PRIMARY KEY (singleton),
  constraint setup_token_digest_length CHECK (octet_length(secret_digest) = 32),
  constraint setup_token_single CHECK (singleton)
);

CREATE OR REPLACE FUNCTION public.command_gate(the_owner text, the_operation text, the_target text, the_key text, the_fingerprint bytea, the_fingerprint_key text, is_frozen boolean)
 RETURNS TABLE(verdict text, envelope text)
 LANGUAGE plpgsql
AS $function$
declare
  stored idempotency_envelopes;
  key_is_ours boolean;
begin
  if is_frozen then
    perform pg_advisory_xact_lock_shared(maintenance_lock());
    if (select active from maintenance_window) then
      return query select 'MAINTENANCE', null::text;
      return;
    end if;
  end if;
  if the_key is null then
    return query select 'GO', null::text;
    return;
  end if;
  -- A row's text quotes what could be taken for a separator.
  key_is_ours := pg_try_advisory_xact_lock(
    hashtextextended(row(the_owner, the_operation, the_target, the_key)::text, 0)
  );
  select * into stored from idempotency_envelopes e
    where e.owner_id = the_owner and e.operation = the_operation
      and e.target = the_target and e.idempotency_key = the_key;
  -- An envelope stands for ever, so that of several replays at once none waits for another.
  if not found then
    return query select case when key_is_ours then 'GO' else 'IN_PROGRESS' end, null::text;
  elsif stored.fingerprint_key = the_fingerprint_key and stored.fingerprint <> the_fingerprint then
    return query select 'REUSED', null::text;
  else
    return query select 'REPLAY', stored.envelope::text;
  end if;
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
  if root.revision = new.revision and (
    (root.revision_id, root.title, root.summary, root.payload::text, root.updated_at)
      <> (new.revision_id, new.title, new.summary, new.payload::text, new.created_at)
    or root.archived_at is distinct from new.archived_at
  ) then
    raise exception using errcode = 'PRS05', message = 'records: the root differs from its revision';
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

CREATE OR REPLACE PROCEDURE public.make_permanent(IN permanent_table regclass)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format(
    'create trigger permanent before delete or truncate on %s
       for each statement execute function refuse(''PRS01'', ''permanent'')', permanent_table);
  execute format('alter table %s enable always trigger permanent', permanent_table);
end $procedure$;

CREATE OR REPLACE PROCEDURE public.make_undeceivable(IN guard regprocedure)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter function %s set search_path = %I, pg_temp', guard, current_schema());
end $procedure$;

CREATE OR REPLACE FUNCTION public.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = tg_argv[0], message = format('%s: %s', tg_table_name, tg_argv[1]);
end $function$;
