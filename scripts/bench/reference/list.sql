-- A page of 50, plus one row that shows whether there is a next page.
\set number random(100, 10000)
select id, title, summary, payload, revision, created_at, updated_at from record
 where owner = 'owner' and id < lpad(:number::text, 26, '0')
 order by id desc limit 51;
