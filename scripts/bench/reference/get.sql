-- One record by its id.
\set number random(1, 10000)
select id, title, summary, payload, revision, created_at, updated_at from record
 where owner = 'owner' and id = lpad(:number::text, 26, '0');
