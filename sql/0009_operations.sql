-- Exports of whole accounts, and scheduled backups.

-- The report about an export, which remains after its bytes are deleted. The bytes are kept for an hour, in
-- a folder of the process that wrote them.
create table account_exports (
  owner_id ulid not null constraint account_export_owner_exists references accounts,
  export_id ulid not null,
  -- Only the session that requested the export may download it.
  session_id ulid not null,
  filename text not null,
  media_type text not null,
  size bigint not null constraint account_export_size_positive check (size > 0),
  sha256 bytea not null constraint account_export_digest_length check (octet_length(sha256) = 32),
  counts json not null
    constraint account_export_counts_object check (json_typeof(counts) = 'object'),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
    constraint account_export_lifetime check (expires_at > created_at),
  primary key (owner_id, export_id)
);
call make_append_only('account_exports');

-- One row per installation, whichever process writes the backups.
create table scheduled_backups (
  singleton boolean primary key default true constraint scheduled_backups_single check (singleton),
  -- No run begins earlier; null means that one may begin now.
  next_at timestamptz(3),
  -- The newest run. If it has not ended, it is running while it is claimed, and was cut off otherwise.
  run_id ulid,
  started_at timestamptz(3),
  claimed_until timestamptz(3),
  ended_at timestamptz(3),
  outcome text constraint scheduled_backup_outcome_known check (outcome in ('SUCCEEDED', 'FAILED')),
  -- The newest backup: time of its data, name under DATA_DIR/backups, and size.
  backup_at timestamptz(3),
  backup_name text,
  backup_bytes bigint,
  constraint scheduled_backup_run_whole
    check ((run_id is null) = (started_at is null)
           and (outcome is null) = (ended_at is null)
           and num_nonnulls(claimed_until, ended_at) = num_nonnulls(run_id)),
  constraint scheduled_backup_whole
    check (num_nonnulls(backup_at, backup_name, backup_bytes) in (0, 3))
);
insert into scheduled_backups default values;
call make_permanent('scheduled_backups');
