-- The bytes of attachments that are stored in the database, in chunks of 1 MiB. An empty file has one empty
-- chunk.
--
-- Each chunk arrives under its upload, in a transaction of its own. The transaction that writes the row of the
-- attachment also sets the digest of the chunks. Chunks without a digest belong to no attachment, and are removed
-- an hour after their upload stopped.

create table attachment_chunks (
  owner_id ulid not null constraint attachment_chunk_owner_exists references accounts,
  upload_id ulid not null,
  number smallint not null constraint attachment_chunk_number check (number between 0 and 63),
  sha256 bytea constraint attachment_chunk_digest_length check (octet_length(sha256) = 32),
  bytes bytea not null constraint attachment_chunk_size check (octet_length(bytes) <= 1048576),
  created_at timestamptz(3) not null default now(),
  primary key (upload_id, number)
);

-- A range reads only a part of a chunk, and most files are compressed already.
alter table attachment_chunks alter column bytes set storage external;

-- One copy for each owner and content.
create unique index attachment_chunks_of_object on attachment_chunks (sha256, owner_id, number)
  where sha256 is not null;
create index attachment_chunks_unfinished on attachment_chunks (created_at) where sha256 is null;

-- The condition of the update trigger names its columns: a comparison would read all bytes.
create trigger fixed_columns
  before update of owner_id, upload_id, number, bytes, created_at on attachment_chunks
  for each statement execute function refuse('PRS04', 'only the digest is set later');
create trigger digest_is_final before update on attachment_chunks
  for each row when (old.sha256 is not null or new.sha256 is null)
  execute function refuse('PRS04', 'the digest is set once');
-- Chunks of an attachment are removed only by a transaction that names their object. It has the same bytes in a
-- file, or in other chunks.
create trigger stored_chunks_stay before delete on attachment_chunks
  for each row when (
    old.sha256 is not null and current_setting('prs.removed_object', true)
      is distinct from old.owner_id::text || '/' || encode(old.sha256, 'hex'))
  execute function refuse('PRS01', 'chunks of an attachment stay');
create trigger not_truncated before truncate on attachment_chunks
  for each statement execute function refuse('PRS01', 'chunks of an attachment stay');
alter table attachment_chunks enable always trigger fixed_columns;
alter table attachment_chunks enable always trigger digest_is_final;
alter table attachment_chunks enable always trigger stored_chunks_stay;
alter table attachment_chunks enable always trigger not_truncated;

-- Advisory lock of an owner's stored bytes: storing an object, and removing one of its copies, take turns.
create function attachment_lock(the_owner text) returns bigint language sql immutable parallel safe
  return hashtextextended(the_owner, 2);
