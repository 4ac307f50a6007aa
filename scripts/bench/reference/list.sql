-- A page of 50, and the one row more that tells whether there is a next.
\set number random(100, 10000)
select id, title, summary, payload, revision, created_at, updated_at from record
 where owner = 'owner' and id < lpad(:number::text, 26, '0')
 order by id desc limit 51;
