-- The entry of each item, the tables of a spreadsheet, and the other formats of which a file has a sign.

alter table import_items
  add column entry text
    constraint import_item_entry_length check (char_length(entry) between 1 and 1024);

alter table imports
  -- `{ tables, encoding, suggestedKey }`; null for formats without tables.
  add column table_facts json
    constraint import_table_facts_object check (json_typeof(table_facts) = 'object'),
  -- Names of formats; null for none.
  add column looks_like json
    constraint import_looks_like_listed check (json_typeof(looks_like) = 'array');
