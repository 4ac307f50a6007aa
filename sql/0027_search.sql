-- Search: the words of every record, made by the service (src/search/lexemes.ts). A row follows from its
-- record, and can be made anew at any time.

create table search_index (
  owner_id ulid not null,
  record_id ulid not null,
  -- The number of the rules that the words were made by.
  rule smallint not null,
  words tsvector not null,
  primary key (owner_id, record_id)
);
-- Every word begins with a code of its owner, so that a search reads nobody else's.
create index search_index_by_word on search_index using gin (words);

-- How far the index is made, of records that were there before it or before the rules that it has now.
create table search_index_build (
  singleton boolean primary key default true constraint search_index_build_single check (singleton),
  rule smallint not null,
  -- The last record that was indexed; null before the first.
  after_owner_id ulid,
  after_record_id ulid,
  is_complete boolean not null
);
insert into search_index_build (rule, is_complete)
  select 1, not exists (select from records);

-- The records in which the words of a query may stand, in no order: `most` of them at most. A session of
-- the service does without bitmap scans, and an index of words can be read by nothing else.
create function search_candidates(query tsquery, most integer)
  returns table (owner_id ulid, record_id ulid)
  language plpgsql stable set enable_bitmapscan = on set enable_seqscan = off as $$
begin
  return query
    select i.owner_id, i.record_id from search_index i where i.words @@ query limit most;
end $$;
call pin_search_path('search_candidates(tsquery, integer)');
