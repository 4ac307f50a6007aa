-- Records number $1 to $2, made a minute apart from $3 on, with every row that the service would
-- have written for them. Every tenth was archived and every tenth modified, up to forty days later
-- but before $4: these two tenths have a second revision. In addition there is a measurement of
-- health for every tenth. The own times are spread over the 20 years before $4, in another order.
with planned as (
  select serial, created, lpad(serial::text, 12, '0') as digits, own_time,
         case when not is_health then
           case serial % 10 when 3 then 'ARCHIVED' when 7 then 'MODIFIED' end end as change,
         case when is_health then 'HEALTH' when serial % 1000 = 1 then 'RARE'
              when serial % 4 = 0 then 'UNREAD' else 'READ' end as kind,
         least(created + serial % 40 * interval '1 day' + interval '1 hour', $4::timestamptz)
           as changed_at
    from generate_series($1::integer, $2::integer) serial,
         lateral (
           select $3::timestamptz + serial * interval '1 minute' as created,
                  date_trunc('second', $4::timestamptz - interval '20 years' *
                    ((serial::bigint * 7919 % 1000003)::float8 / 1000003)) as own_time
         ) clock,
         (values (false), (true)) choice (is_health)
   where not is_health or serial % 10 = 5
), made as materialized (
  select planned.*, template.record_id, template.module_code, source_type, title, summary,
         credential_kind, credential_id, operation, target, fingerprint_key, envelope,
         owner_id as maker, rule, words, order_form, order_kind,
         replace(replace(payload::text, '2026-11-01T08:00:00.000Z',
                         to_char(own_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
                 '71.5', (60 + serial % 200 / 10.0)::numeric(9, 1)::float8::text)::json as payload,
         replace(title, '000000000000', digits) as new_title,
         pg_temp.id_at(created) as new_id, pg_temp.id_at(created) as first_id,
         case when change is not null then pg_temp.id_at(changed_at) end as second_id
    from planned
    join template using (kind)
), changed as (
  select * from made where change is not null
), roots as (
  insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                       recorded_at, created_at, updated_at, archived_at, title, summary, payload)
  select maker, new_id, module_code, case when change is null then 1 else 2 end,
         coalesce(second_id, first_id), source_type, created, created,
         case when change is null then created else changed_at end,
         case when change = 'ARCHIVED' then changed_at end, new_title, summary, payload
    from made
), revisions as (
  insert into record_revisions (owner_id, record_id, revision, revision_id, module_code, change,
                                title, summary, payload, archived_at, created_at)
  select maker, new_id, 1, first_id, module_code, 'CREATED', new_title, summary, payload,
         null::timestamptz, created
    from made
  union all
  select maker, new_id, 2, second_id, module_code, change, new_title, summary, payload,
         case when change = 'ARCHIVED' then changed_at end, changed_at
    from changed
), audits as (
  insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id, operation,
                             module_code, subject_id, revision, request_id, created_at)
  select maker, pg_temp.id_at(created), maker, credential_kind, credential_id, 'record.create',
         module_code, new_id, 1, pg_temp.id_at(created), created
    from made
  union all
  select maker, pg_temp.id_at(changed_at), maker, credential_kind, credential_id,
         case change when 'ARCHIVED' then 'record.archive' else 'record.modify' end, module_code,
         new_id, 2, pg_temp.id_at(changed_at), changed_at
    from changed
), indexed as (
  insert into search_index (owner_id, record_id, rule, words)
  select maker, new_id, rule,
         array_to_tsvector(array(
           select replace(lexeme, '000000000000', digits) from unnest(words)))
    from made
), ordered as (
  insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form,
                            own_time, kind)
  select maker, new_id, module_code, rule, coalesce(change = 'ARCHIVED', false), '',
         replace(order_form, '000000000000', digits), own_time, order_kind
    from made
), runs as (
  -- No feature of today's catalog is executed on a record; the list of past executions is still
  -- served.
  insert into executions (owner_id, execution_id, record_id, module_code, feature_id, strategy,
                          revision, status, output, created_at)
  select maker, pg_temp.id_at(changed_at), new_id, module_code, 'KNO-001', 'record', 2, 'SUCCEEDED',
         '{}', changed_at
    from changed where change = 'MODIFIED'
)
insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                   fingerprint_key, envelope, created_at)
select maker, operation, target, gen_random_uuid()::text, sha256(new_id::bytea), fingerprint_key,
       replace(envelope::text, record_id, new_id)::json, created
  from made
