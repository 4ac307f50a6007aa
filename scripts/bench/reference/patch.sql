-- A whole modification in one statement.
\set number random(1, 10000)
with changed as (
  update record set title = :title, revision = revision + 1, updated_at = now()
   where owner = 'owner' and id = lpad(:number::text, 26, '0')
  returning id, revision, title, summary, payload
), revised as (
  insert into revision (record_id, revision, title, summary, payload)
  select id, revision, title, summary, payload from changed
)
insert into audit (owner, record_id, action, revision)
select 'owner', id, 'update', revision from changed;
