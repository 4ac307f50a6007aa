-- Prepares the seeding of a session: functions for identifiers, and copies of rows that the service
-- wrote.

-- A ULID: its time, and sixteen characters of chance (hexadecimal digits are digits of its alphabet
-- too).
create function pg_temp.digit(milliseconds bigint, shift integer) returns text language sql immutable
  return substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((milliseconds >> shift) & 31)::integer + 1, 1);

create function pg_temp.time_digits(ms bigint) returns text language sql immutable
  return pg_temp.digit(ms, 45) || pg_temp.digit(ms, 40) || pg_temp.digit(ms, 35)
    || pg_temp.digit(ms, 30) || pg_temp.digit(ms, 25) || pg_temp.digit(ms, 20)
    || pg_temp.digit(ms, 15) || pg_temp.digit(ms, 10) || pg_temp.digit(ms, 5) || pg_temp.digit(ms, 0);

create function pg_temp.id_at(moment timestamptz) returns text language sql volatile
  return pg_temp.time_digits((extract(epoch from moment) * 1000)::bigint)
    || upper(left(md5(random()::text), 16));

-- The records that the service itself made, with their ledger rows.
create temporary table template as
  select r.record_id, r.owner_id, r.module_code, r.source_type, r.title, r.summary, r.payload,
         a.credential_kind, a.credential_id, e.operation, e.target, e.fingerprint_key, e.envelope,
         i.rule, i.words, o.order_form, o.kind as order_kind,
         case when r.module_code = 'health' then 'HEALTH'
              when r.payload ->> 'author' = 'A. Rarity' then 'RARE'
              else r.payload ->> 'readingStatus' end as kind
    from records r
    join search_index i using (owner_id, record_id)
    join record_order o using (owner_id, record_id)
    join audit_entries a on a.owner_id = r.owner_id and a.subject_id = r.record_id
    join idempotency_envelopes e on e.owner_id = r.owner_id
     and e.envelope ->> 'recordId' = r.record_id;
