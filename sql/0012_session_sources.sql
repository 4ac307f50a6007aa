-- Where sessions and access events come from, a longer life for sessions where the operator sets one,
-- and proofs for new tokens.

-- An address is kept as 64 bits of its HMAC under the server secret, and a client as words of the
-- service's own: neither an address nor the text of a header fits these forms. Null where none is
-- known, and in rows that are older than the columns.
alter table sessions
  add column address_digest text constraint session_address_digest_form
    check (address_digest ~ '^[0-9a-f]{16}$'),
  add column client text constraint session_client_form check (client ~ '^[A-Za-z ]{1,64}$'),
  -- SESSION_ABSOLUTE_DAYS is 365 at the most. Hours, because a day's length depends on the zone.
  drop constraint session_lifetime,
  add constraint session_lifetime check (expires_at <= created_at + interval '8760 hours');

drop trigger fixed_columns on sessions;
create trigger fixed_columns before update on sessions
  for each row when (
    (new.account_id, new.session_id, new.secret_digest, new.transport, new.device_name,
     new.address_digest, new.client, new.created_at, new.expires_at)
      is distinct from
    (old.account_id, old.session_id, old.secret_digest, old.transport, old.device_name,
     old.address_digest, old.client, old.created_at, old.expires_at)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  )
  execute function refuse('PRS04', 'only last sight may change, and revocation once');
alter table sessions enable always trigger fixed_columns;

alter table access_events
  add column address_digest text constraint access_event_address_digest_form
    check (address_digest ~ '^[0-9a-f]{16}$'),
  add column client text constraint access_event_client_form check (client ~ '^[A-Za-z ]{1,64}$');

alter table step_up_proofs
  drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'TOKEN_CREATE'));
