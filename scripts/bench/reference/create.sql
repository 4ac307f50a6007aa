-- A whole creation in one statement.
\set number random(1, 1000000000000000)
with answered as (
  insert into idempotency (owner, key, fingerprint, record_id, status, response)
  values ('owner', 'key' || :number, :fingerprint, 'a' || lpad(:number::text, 25, '0'), 201,
          :payload::jsonb)
), made as (
  insert into record (id, owner, title, summary, payload)
  values ('a' || lpad(:number::text, 25, '0'), 'owner', :title, :summary, :payload::jsonb)
  returning id, revision, title, summary, payload
), revised as (
  insert into revision (record_id, revision, title, summary, payload)
  select id, revision, title, summary, payload from made
)
insert into audit (owner, record_id, action, revision)
select 'owner', id, 'create', revision from made;
