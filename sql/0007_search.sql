-- Search: the words of every record, split by src/records/search_index/lexemes.ts. Each row can be computed
-- again from its record.

create table search_index (
  owner_id ulid not null,
  record_id ulid not null,
  -- Version of the rules that split the words.
  rule smallint not null,
  words tsvector not null,
  primary key (owner_id, record_id)
);
-- Every word begins with a code of its owner, so that a search reads only the owner's entries.
create index search_index_by_word on search_index using gin (words);

-- Progress of the index for records older than the index or its rules.
create table search_index_build (
  singleton boolean primary key default true constraint search_index_build_single check (singleton),
  rule smallint not null,
  -- The last indexed record; null before the first.
  after_owner_id ulid,
  after_record_id ulid,
  is_complete boolean not null
);
insert into search_index_build (rule, is_complete)
  select 1, not exists (select from records);

-- At most `most` records that may match a query, unordered. The service's connections have bitmap scans
-- off, but an index of words can be read in no other way.
create function search_candidates(query tsquery, most integer)
  returns table (owner_id ulid, record_id ulid)
  language plpgsql stable set enable_bitmapscan = on set enable_seqscan = off as $$
begin
  return query
    select i.owner_id, i.record_id from search_index i where i.words @@ query limit most;
end $$;
call pin_search_path('search_candidates(tsquery, integer)');
