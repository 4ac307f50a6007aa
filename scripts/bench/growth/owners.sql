-- More owners: accounts like the service's first one.
with made as (
  insert into accounts (account_id, email, email_key, display_name, password_hash, role, created_at)
  select pg_temp.id_at(now()), 'owner' || number || '@example.org',
         'owner' || number || '@example.org', display_name, password_hash, role, now()
    from accounts, generate_series(1, $1::integer - 1) number
  returning account_id
)
insert into record_owner select row_number() over (order by account_id), account_id from made
