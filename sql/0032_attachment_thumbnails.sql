-- Small pictures of attachments, which a browser draws and can draw again. No foreign key to attachments:
-- those are never removed, and a write locks the one that it is for.

create table attachment_thumbnails (
  owner_id ulid not null constraint thumbnail_owner_exists references accounts,
  attachment_id ulid not null,
  media_type text not null constraint thumbnail_media_type_known
    check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
  width smallint not null constraint thumbnail_width check (width between 1 and 512),
  height smallint not null constraint thumbnail_height check (height between 1 and 512),
  bytes bytea not null constraint thumbnail_size check (octet_length(bytes) between 1 and 65536),
  created_at timestamptz(3) not null,
  primary key (owner_id, attachment_id)
);
call make_append_only('attachment_thumbnails');

-- Counts the bytes alone: as text, as other rows are counted, they would have twice the length.
create function count_thumbnails() returns trigger language plpgsql as $$
begin
  perform add_account_storage(r.owner_id, sum(octet_length(r.bytes))) from new_rows r
    group by r.owner_id;
  return null;
end $$;
call pin_search_path('count_thumbnails()');
create trigger storage_added after insert on attachment_thumbnails referencing new table as new_rows
  for each statement execute function count_thumbnails();
alter table attachment_thumbnails enable always trigger storage_added;
