-- Release 2.0.0 has rule 1 of src/records/search_index/lexemes.ts. A process of it searches while the build has
-- that rule and is complete, and every later row has its words. Rule 2 was in no release.

update search_index_build
   set rule = 1, after_owner_id = null, after_record_id = null,
       is_complete = not exists (
         select from records
          where not exists (
            select from search_index i
             where i.owner_id = records.owner_id and i.record_id = records.record_id));

create or replace trigger former_rule after insert or update on search_index
  for each row when (new.rule < 3) execute function repeat_record_order();
alter table search_index enable always trigger former_rule;
create or replace trigger former_words before update on search_index
  for each row when (new.rule < 3) execute function forget_lexemes();
alter table search_index enable always trigger former_words;
