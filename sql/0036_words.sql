-- Words by rule 3: each once, with the prefix of its widest audience, as a text without the owner's code. A
-- tsvector with the code takes more than twice the space.

-- `words` and its index stay for rows and processes of the release before. In a new row they are empty and
-- take about 30 bytes.
alter table search_index
  alter column words set default '',
  -- Separated by spaces; null in a row that the release before wrote.
  add column lexemes text;

-- Every word begins with a code of its owner, so that a search reads only the owner's entries. Without a
-- pinned search path a statement can inline it.
create function owned_words(owner_id text, lexemes text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(string_to_array(
    right(owner_id, 6) || replace(lexemes, ' ', ' ' || right(owner_id, 6)), ' '));
--
-- A write that finds 512 KiB of pending words merges them, and a search reads all that are pending. The
-- default of 4 MiB stops writes five times as long, and takes a third more space.
create index search_index_by_lexeme on search_index using gin (owned_words(owner_id, lexemes))
  with (gin_pending_list_limit = 512) where lexemes is not null;

-- At most `most` records that may match a query, unordered. The service's connections have bitmap scans
-- off, but an index of words can be read in no other way.
create function word_candidates(query tsquery, most integer)
  returns table (owner_id ulid, record_id ulid)
  language plpgsql stable set enable_bitmapscan = on set enable_seqscan = off as $$
begin
  return query
    select i.owner_id, i.record_id from search_index i
     where i.lexemes is not null and owned_words(i.owner_id, i.lexemes) @@ query
    union all
    select i.owner_id, i.record_id from search_index i where i.words @@ query
    limit most;
end $$;
call pin_search_path('word_candidates(tsquery, integer)');

-- The same among the records of an owner from `low` to before `high`: the newest ones. It combines two
-- indexes. An index scan of the range would split the words of each row.
create function word_candidates_between(
  query tsquery, the_owner text, low text, high text, most integer
) returns table (record_id ulid) language plpgsql stable
  set enable_bitmapscan = on set enable_seqscan = off set enable_indexscan = off as $$
begin
  return query
    select i.record_id from search_index i
     where i.owner_id = the_owner and i.record_id >= low and i.record_id < high
       and i.lexemes is not null and owned_words(i.owner_id, i.lexemes) @@ query
    union all
    select i.record_id from search_index i
     where i.owner_id = the_owner and i.record_id >= low and i.record_id < high
       and i.words @@ query
    order by 1 desc limit most;
end $$;
call pin_search_path('word_candidates_between(tsquery, text, text, text, integer)');

-- The release before asks for words without a prefix. It finds those with one as well.
create or replace function search_candidates(query tsquery, most integer)
  returns table (owner_id ulid, record_id ulid) language plpgsql stable as $$
begin
  return query select * from word_candidates(
    regexp_replace(
      query::text, $pattern$'([0-9A-Z]{6})([^A-Z'][^']*)'(:\*)?$pattern$,
      $either$('\1\2'\3 | '\1A\2'\3 | '\1S\2'\3)$either$, 'g')::tsquery,
    most);
end $$;
call pin_search_path('search_candidates(tsquery, integer)');

-- A change by the release before writes the former words only.
create function forget_lexemes() returns trigger language plpgsql as $$
begin
  new.lexemes := null;
  return new;
end $$;
create trigger former_words before update on search_index
  for each row when (new.rule = 2) execute function forget_lexemes();
alter table search_index enable always trigger former_words;
