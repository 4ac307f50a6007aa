-- A session for every owner. Its secret contains the identifier of the owner's first record, so one value
-- identifies both the caller and the record.
with first_record as (
  select distinct on (owner_id) owner_id, record_id from records
   where module_code = $1 and archived_at is null
   order by owner_id, record_id
), opened as (
  insert into sessions (account_id, session_id, secret_digest, transport, created_at, last_seen_at,
                        expires_at)
  select owner_id, pg_temp.id_at(now()),
         sha256(convert_to('prs_s_' || record_id || repeat('0', 17), 'UTF8')), 'bearer', now(), now(),
         now() + interval '30 days'
    from first_record
)
select record_id from first_record
