-- Files that records refer to. Their bytes are in the object store; a row here is the only way to reach
-- them.

create table attachments (
  owner_id ulid not null constraint attachment_owner_exists references accounts,
  attachment_id ulid not null,
  size bigint not null constraint attachment_size_not_negative check (size >= 0),
  sha256 bytea not null constraint attachment_digest_length check (octet_length(sha256) = 32),
  media_type text not null constraint attachment_media_type_length
    check (char_length(media_type) between 1 and 255),
  filename text not null constraint attachment_filename_length
    check (char_length(filename) between 1 and 255),
  created_at timestamptz(3) not null,
  primary key (owner_id, attachment_id)
);
call make_append_only('attachments');

-- The sum of an owner's sizes, in one row, so that concurrent uploads cannot exceed the quota.
create table attachment_usage (
  owner_id ulid primary key constraint attachment_usage_owner_exists references accounts,
  bytes bigint not null constraint attachment_quota check (bytes between 0 and 10737418240)
);
call make_permanent('attachment_usage');
-- Attachments are never removed, so the sum only grows.
create trigger usage_grows before update on attachment_usage
  for each row when (new.owner_id is distinct from old.owner_id or new.bytes < old.bytes)
  execute function refuse('PRS04', 'the owner is fixed and the sum only grows');
alter table attachment_usage enable always trigger usage_grows;
