-- 10,000 records of one owner, each with its first revision. A payload has about 450 bytes.
with made as (
  insert into record (id, owner, title, summary, payload)
  select lpad(number::text, 26, '0'),
         'owner',
         'Reading notes of the week, number ' || number,
         'A short summary of the record, which says in a sentence or two what it is about and why '
           || 'it was kept, number ' || number || '.',
         jsonb_build_object(
           'kind', 'reading',
           'place', '12 Harbour Street, Upper Floor, Reading Room',
           'number', number,
           'amount', '1249.50',
           'tags', jsonb_build_array('personal', 'reading', 'review', 'weekly'),
           'body', 'Walked along the river in the morning, then read two chapters and wrote down '
             || 'what I want to remember about them for next week, including the names.',
           'source', jsonb_build_object(
             'app', 'import',
             'reference', 'row-' || number,
             'device', 'laptop-home',
             'at', '2026-11-20T08:00:00Z',
             'checksum', '9f86d081884c7d65'))
    from generate_series(1, 10000) number
  returning id, title, summary, payload
)
insert into revision (record_id, revision, title, summary, payload)
select id, 1, title, summary, payload from made;
