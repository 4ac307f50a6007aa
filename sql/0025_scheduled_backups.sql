-- The backups that the service writes by itself: one row for the whole installation, whichever of its
-- processes writes them.

create table scheduled_backups (
  singleton boolean primary key default true constraint scheduled_backups_single check (singleton),
  -- No run begins before this moment; null: one may begin at once.
  next_at timestamptz(3),
  -- The newest run. One that has not ended is running while it is claimed; otherwise it was cut off.
  run_id ulid,
  started_at timestamptz(3),
  claimed_until timestamptz(3),
  ended_at timestamptz(3),
  outcome text constraint scheduled_backup_outcome_known check (outcome in ('SUCCEEDED', 'FAILED')),
  -- The newest backup: the moment that it is of, its name under DATA_DIR/backups, and its size.
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
