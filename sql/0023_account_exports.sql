-- Exports of a whole account: what is told of each, also after its bytes are gone. The bytes lie beside the
-- database for an hour, in the folder of the process that made them.
create table account_exports (
  owner_id ulid not null constraint account_export_owner_exists references accounts,
  export_id ulid not null,
  -- The session that made it, and that alone may read it.
  session_id ulid not null,
  filename text not null,
  media_type text not null,
  size bigint not null constraint account_export_size_positive check (size > 0),
  sha256 bytea not null constraint account_export_digest_length check (octet_length(sha256) = 32),
  -- How many of each type it holds.
  counts json not null
    constraint account_export_counts_object check (json_typeof(counts) = 'object'),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
    constraint account_export_lifetime check (expires_at > created_at),
  primary key (owner_id, export_id)
);
call make_append_only('account_exports');

alter table step_up_proofs
  drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'ACCOUNT_EXPORT', 'TOKEN_CREATE'));
